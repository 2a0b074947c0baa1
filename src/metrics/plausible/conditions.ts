import type { Analytics, Filter, Selection } from '../../analytics/analytics.ts';
import type { Goal } from '../../contract/goal.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { toPatternTest } from '../../patterns/compiled.ts';
import { BREAKDOWN_LIMIT_MAX, type Dimension, type FilterOperator } from '../../vocabulary/analytics.ts';
import { validationError } from '../../vocabulary/errors.ts';
import type { Part, ValueDimension } from './dimensions.ts';

/** A filter with conditions that the engine has no operator for. */
export type OpenFilter =
  | { op: 'and' | 'or'; filters: readonly OpenFilter[] }
  | { op: 'not'; filter: OpenFilter }
  | { op: 'has_done'; filter: OpenFilter }
  | Extract<Filter, { op: 'match' | 'first_visit' | 'first_seen' }>
  | LookUp;

/** Those values of a dimension that pass the test; `among` selects few values, and all of these. */
type LookUp = { op: 'lookUp'; dimension: Dimension; among: Filter; test: (text: string) => boolean };

export type Condition = {
  /** `stars`: the texts between the stars of a pattern follow one another. */
  operator: 'is' | 'contains' | 'starts_with' | 'ends_with' | 'matches' | 'stars';
  values: readonly string[];
  /** Of `is`; the other operators never mind the case. */
  ignoresCase?: boolean;
};

/** A condition on the texts of a dimension as one on our values. Any part may fulfil it. */
export function toOpenFilter({ parts, goals }: ValueDimension, condition: Condition): OpenFilter {
  if (goals) return { op: 'or', filters: findGoals(goals, condition).map((goal) => goal.condition) };
  return anyOf(parts.map((part) => ofPart(part, condition)));
}

/** By their names, or as Plausible calls them. What is the name of one is no other's. */
export function findGoals(goals: readonly CountedGoal[], condition: Condition): CountedGoal[] {
  if (condition.operator === 'is' && condition.values.length > 1)
    return [...new Set(condition.values)].flatMap((value) =>
      findGoals(goals, { ...condition, values: [value] }),
    );
  const test = toTest(condition);
  const named = goals.filter(({ goal }) => test(goal.name));
  const others = goals.filter((one) => !named.includes(one) && test(plausibleName(one.goal)));
  return condition.operator === 'is' && named.length > 0 ? named : [...named, ...others];
}

function plausibleName({ type, match }: Goal): string {
  return type === 'page' ? `Visit ${match}` : match;
}

function ofPart(part: Part, condition: Condition): OpenFilter {
  const { dimension, names, within } = part;
  const own = ofValues(part, condition);
  const filter = names ? withNames(dimension, names, { own, test: toTest(condition) }) : own;
  return within ? allOf([within, filter]) : filter;
}

function withNames(
  dimension: Dimension,
  names: NonNullable<Part['names']>,
  { own, test }: { own: OpenFilter; test: (text: string) => boolean },
): OpenFilter {
  const renamed = [...names].filter(([, texts]) => texts.some(test)).map(([value]) => value);
  return anyOf([isOneOf(dimension, renamed), allOf([not(isOneOf(dimension, [...names.keys()])), own])]);
}

/** Of values that are their own texts. */
function ofValues({ dimension, absent }: Part, condition: Condition): OpenFilter {
  const { operator, ignoresCase } = condition;
  if (operator !== 'is' && operator !== 'stars')
    return { op: 'match', dimension, operator, values: condition.values };
  const values = condition.values.map((value) => (value === absent ? '' : value));
  const isExact = (value: string) =>
    operator === 'is' && (!ignoresCase || value.toLowerCase() === value.toUpperCase());
  const patterns = values.filter((value) => !isExact(value));
  const exact = isOneOf(dimension, values.filter(isExact));
  if (patterns.length === 0) return exact;
  const among: Filter = { op: 'or', filters: patterns.map((pattern) => candidatesOf(dimension, pattern)) };
  return anyOf([exact, { op: 'lookUp', dimension, among, test: toTest(condition) }]);
}

/** What begins with the first text of a pattern, ends with the last and contains the others. */
function candidatesOf(dimension: Dimension, pattern: string): Filter {
  const texts = pattern.split('*');
  const match = (operator: FilterOperator, value = ''): Filter => ({
    op: 'match',
    dimension,
    operator,
    values: [value],
  });
  const inside = texts.slice(1, -1).map((text) => match('contains', text));
  return {
    op: 'and',
    filters: [match('starts_with', texts[0]), match('ends_with', texts.at(-1)), ...inside],
  };
}

function toTest({ operator, values, ignoresCase }: Condition): (text: string) => boolean {
  if (operator === 'is' && !ignoresCase) return (text) => values.includes(text);
  if (operator === 'matches') {
    const tests = values.map(toPatternTest);
    return (text) => tests.some((test) => test(text));
  }
  const lower = values.map((value) => value.toLowerCase());
  return (text) => lower.some((value) => TESTS[operator](text.toLowerCase(), value));
}

const TESTS: Record<Exclude<Condition['operator'], 'matches'>, (own: string, value: string) => boolean> = {
  is: (own, value) => own === value,
  contains: (own, value) => own.includes(value),
  starts_with: (own, value) => own.startsWith(value),
  ends_with: (own, value) => own.endsWith(value),
  stars: (own, value) => isLike(own, value.split('*')),
};

/** Each text of the pattern is found as early as it can be, so the time is that of reading both once. */
function isLike(own: string, [first = '', ...rest]: string[]): boolean {
  const last = rest.pop();
  if (last === undefined) return own === first;
  if (!own.startsWith(first)) return false;
  let from = first.length;
  for (const text of rest) {
    const at = own.indexOf(text, from);
    if (at < 0) return false;
    from = at + text.length;
  }
  return own.length - last.length >= from && own.endsWith(last);
}

/**
 * Looks up what the engine has no operator for, in the events that are asked about.
 *
 * @throws AppError VALIDATION_ERROR when there is too much to look through
 */
export async function closeFilter(
  query: Analytics['query'],
  selection: Selection,
  open: OpenFilter,
): Promise<Filter> {
  if (open.op === 'match' || open.op === 'first_visit' || open.op === 'first_seen') return open;
  if (open.op === 'lookUp') return lookUp(query, selection, open);
  if (open.op === 'not') return not(await closeFilter(query, selection, open.filter));
  // What a visit has done may lie outside of the range.
  if (open.op === 'has_done')
    return { op: 'has_done', filter: await closeFilter(query, { ...selection, ...ALL_TIME }, open.filter) };
  const filters: Filter[] = [];
  for (const filter of open.filters) filters.push(await closeFilter(query, selection, filter));
  return { op: open.op, filters };
}

const ALL_TIME = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };

async function lookUp(query: Analytics['query'], selection: Selection, { dimension, among, test }: LookUp) {
  const { breakdowns } = await query({
    ...selection,
    filter: among,
    breakdowns: [{ dimension, limit: BREAKDOWN_LIMIT_MAX, metrics: ['events'] }],
  });
  const { rows = [], total = 0 } = breakdowns?.[0] ?? {};
  if (total > rows.length)
    throw validationError('Invalid query', {
      filters: [`${total} values have to be looked through; at most ${BREAKDOWN_LIMIT_MAX} can be`],
    });
  const values = rows.flatMap(({ value }) => (value !== null && test(value) ? [value] : []));
  return isOneOf(dimension, values);
}

export function isOneOf(dimension: Dimension, values: readonly string[]): Extract<Filter, { op: 'match' }> {
  return { op: 'match', dimension, operator: 'is', values };
}

function not<Own extends OpenFilter | Filter>(filter: Own): { op: 'not'; filter: Own } {
  return { op: 'not', filter };
}

function anyOf(filters: OpenFilter[]): OpenFilter {
  const [only, ...more] = filters;
  return only && more.length === 0 ? only : { op: 'or', filters };
}

function allOf(filters: OpenFilter[]): OpenFilter {
  return { op: 'and', filters };
}
