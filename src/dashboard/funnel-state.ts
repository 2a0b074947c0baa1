import { FUNNEL_ORDERS, FUNNEL_UNITS, type FunnelOrder, type FunnelUnit } from '../contract/vocabulary.ts';

/** `any`: any page; its value is empty. */
export const STEP_KINDS = ['goal', 'page', 'event', 'any'] as const;
export type StepKind = (typeof STEP_KINDS)[number];
export type FunnelStep = { kind: StepKind; value: string };

/** A funnel as the address has it. */
export type FunnelState = {
  steps: FunnelStep[];
  by: FunnelUnit;
  order: FunnelOrder;
  /** `7d`; empty: within the range. */
  window: string;
};

/** `step=any,&step=goal,Signup&by=visit`. Undefined when it names no step. */
export function readFunnelState(parameters: URLSearchParams): FunnelState | undefined {
  const steps = parameters.getAll('step').flatMap((text): FunnelStep[] => {
    const comma = text.indexOf(',');
    const kind = STEP_KINDS.find((name) => name === text.slice(0, comma));
    return kind ? [{ kind, value: text.slice(comma + 1) }] : [];
  });
  if (steps.length === 0) return undefined;
  return {
    steps,
    by: FUNNEL_UNITS.find((name) => name === parameters.get('by')) ?? 'visitor',
    order: FUNNEL_ORDERS.find((name) => name === parameters.get('order')) ?? 'loose',
    window: parameters.get('window') ?? '',
  };
}

export function writeFunnelState(
  { steps, by, order, window }: FunnelState,
  parameters: URLSearchParams,
): void {
  for (const { kind, value } of steps) parameters.append('step', `${kind},${value}`);
  if (by !== 'visitor') parameters.set('by', by);
  if (order !== 'loose') parameters.set('order', order);
  if (window) parameters.set('window', window);
}

/** The parameters of the question. */
export function toFunnelQuestion({ steps, by, order, window }: FunnelState) {
  return { steps: JSON.stringify(steps.map(toCondition)), by, order, window: window || undefined };
}

function toCondition({ kind, value }: FunnelStep): unknown {
  if (kind === 'any') return ['is', 'eventType', ['pageview']];
  if (kind === 'goal') return ['is', 'goal', [value]];
  if (kind === 'event') return ['is', 'event', [value]];
  return [
    ['is', 'eventType', ['pageview']],
    [value.includes('*') ? 'like' : 'is', 'page', [value]],
  ];
}

export function nameOfStep({ kind, value }: FunnelStep): string {
  if (kind === 'any') return 'Any page';
  return kind === 'event' ? `Event ${value}` : value;
}
