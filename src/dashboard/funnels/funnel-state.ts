import type { Goal } from '../../contract/goal.ts';
import { FUNNEL_ORDERS, FUNNEL_UNITS, type FunnelOrder, type FunnelUnit } from '../../vocabulary/contract.ts';
import type { PageCodec } from '../state/view-state.ts';

/** `any` is any page, with an empty value. `filter` is a condition saved through the API, as JSON. */
const STEP_KINDS = ['goal', 'page', 'event', 'any', 'filter'] as const;
export type StepKind = (typeof STEP_KINDS)[number];
export type StepPart = { kind: StepKind; value: string };
/** Alternatives, at least one. */
export type FunnelStep = StepPart[];

/** A funnel in the address. */
export type FunnelState = {
  steps: FunnelStep[];
  by: FunnelUnit;
  order: FunnelOrder;
  /** `7d`; empty for the whole range. */
  window: string;
};

/** State of the funnel page: the funnel, undefined when the address names no step, and the dimension it is split by. */
export type FunnelPageState = { funnel: FunnelState | undefined; group: string | undefined };

const GROUP = 'tab.group';

/** `step=any,&step=goal,Signup&or=event,signup&by=visit` */
export const FUNNEL_CODEC: PageCodec<FunnelPageState> = {
  read: (parameters) => ({
    funnel: readFunnelState(parameters),
    group: parameters.get(GROUP) ?? undefined,
  }),
  write: ({ funnel, group }, parameters) => {
    if (group !== undefined) parameters.set(GROUP, group);
    if (funnel) writeFunnelState(funnel, parameters);
  },
};

function readFunnelState(parameters: URLSearchParams): FunnelState | undefined {
  const steps: FunnelStep[] = [];
  for (const [name, text] of parameters) {
    const comma = text.indexOf(',');
    const kind = STEP_KINDS.find((known) => known === text.slice(0, comma));
    const part = kind && { kind, value: text.slice(comma + 1) };
    if (part && name === 'step') steps.push([part]);
    if (part && name === 'or') steps.at(-1)?.push(part);
  }
  if (steps.length === 0) return undefined;
  return {
    steps,
    by: FUNNEL_UNITS.find((name) => name === parameters.get('by')) ?? 'visitor',
    order: FUNNEL_ORDERS.find((name) => name === parameters.get('order')) ?? 'loose',
    window: parameters.get('window') ?? '',
  };
}

function writeFunnelState({ steps, by, order, window }: FunnelState, parameters: URLSearchParams): void {
  for (const step of steps)
    step.forEach(({ kind, value }, index) => {
      parameters.append(index === 0 ? 'step' : 'or', `${kind},${value}`);
    });
  if (by !== 'visitor') parameters.set('by', by);
  if (order !== 'loose') parameters.set('order', order);
  if (window) parameters.set('window', window);
}

/** Parameters of the question. */
export function toFunnelQuestion({ steps, by, order, window }: FunnelState) {
  return { steps: JSON.stringify(steps.map(toCondition)), by, order, window: window || undefined };
}

function toCondition(step: FunnelStep): unknown {
  const [first, ...others] = step.map(toPart);
  return others.length === 0 ? first : ['or', [first, ...others].map(toOne)];
}

/** Joins several conditions into one, because a union contains no lists of conditions. */
function toOne(condition: unknown): unknown {
  return Array.isArray(condition) && Array.isArray(condition[0]) ? ['and', condition] : condition;
}

export function toPart({ kind, value }: StepPart): unknown {
  if (kind === 'any') return ['is', 'eventType', ['pageview']];
  if (kind === 'goal') return ['is', 'goal', [value]];
  if (kind === 'event') return ['is', 'event', [value]];
  if (kind === 'filter') return parse(value);
  return [
    ['is', 'eventType', ['pageview']],
    [value.includes('*') ? 'like' : 'is', 'page', [value]],
  ];
}

/** Converts a funnel to its saved form. */
export function toSaved({ steps, by, order, window }: FunnelState) {
  return { steps: steps.map(toCondition), by, order, window: window || null };
}

type Saved = { steps: unknown[]; by: FunnelUnit; order: FunnelOrder; window: string | null };

/** Converts a saved funnel back. Goals are saved by id; a deleted one keeps its id. */
export function fromSaved({ steps, by, order, window }: Saved, goals: readonly Goal[]): FunnelState {
  return { steps: steps.map((step) => toStep(step, goals)), by, order, window: window ?? '' };
}

function toStep(condition: unknown, goals: readonly Goal[]): FunnelStep {
  const [operator, parts] = Array.isArray(condition) ? condition : [];
  if (operator !== 'or' || !Array.isArray(parts)) return [readPart(condition, goals)];
  const step = parts.map((part) => readPart(part?.[0] === 'and' ? part[1] : part, goals));
  return step.some(({ kind }) => kind === 'filter') ? [readPart(condition, goals)] : step;
}

function readPart(condition: unknown, goals: readonly Goal[]): StepPart {
  const text = JSON.stringify(condition);
  for (const kind of ['any', 'goal', 'event', 'page'] as const) {
    const own = findValue(condition, kind);
    const value = kind === 'goal' ? (goals.find(({ id }) => id === own)?.name ?? own) : own;
    if (own !== undefined && JSON.stringify(toPart({ kind, value: own })) === text)
      return { kind, value: value ?? '' };
  }
  return { kind: 'filter', value: text };
}

/** The value of the condition, if it were of this kind. */
function findValue(condition: unknown, kind: StepKind): string | undefined {
  if (!Array.isArray(condition)) return undefined;
  if (kind === 'any') return '';
  const [, , values] = kind === 'page' ? (condition[1] ?? []) : condition;
  return Array.isArray(values) && typeof values[0] === 'string' ? values[0] : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the service says what is wrong
  }
}
