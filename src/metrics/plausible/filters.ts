import type { Filter } from '../../analytics/interface/selection.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { FILTER_VALUES_MAX, URL_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { quote } from '../question/dimensions.ts';
import { NESTED, type Notes, readFilterTree } from '../question/filter-tree.ts';
import { findPatternsFault } from '../question/patterns.ts';
import { findSegments, type Known } from '../question/segments.ts';
import type { Zone } from '../time/zone.ts';
import type { Condition } from './condition.ts';
import { findGoals, toFilter } from './conditions.ts';
import { findValueDimension, VALID_FILTER_DIMENSIONS } from './dimensions.ts';
import { isRecord } from './members.ts';
import { NO_GOAL_OPERATORS, NO_PAGE_GOALS, NO_STRICT_CONTAINS, REFUSED_DIMENSIONS } from './refusals.ts';

export type PlausibleFilters = {
  filter: Filter;
  /** The filter without conditions on goals and properties. Its visitors are the denominator of goal rates. */
  others: Filter;
  hasGoal: boolean;
};

type Operator = { operator: Condition['operator']; isNegated: boolean };

const OPERATORS: ReadonlyMap<unknown, Operator> = new Map<string, Operator>([
  ['is', { operator: 'is', isNegated: false }],
  ['is_not', { operator: 'is', isNegated: true }],
  ['contains', { operator: 'contains', isNegated: false }],
  ['contains_not', { operator: 'contains', isNegated: true }],
  ['starts_with', { operator: 'starts_with', isNegated: false }],
  ['ends_with', { operator: 'ends_with', isNegated: false }],
  ['matches', { operator: 'matches', isNegated: false }],
  ['matches_not', { operator: 'matches', isNegated: true }],
]);

const VALID_OPERATORS = `Valid: ${[...OPERATORS.keys(), 'and', 'or', ...NESTED].join(', ')}`;
const FORM = 'Must be a list of filters such as [["is","visit:country",["DE","FR"]]]';
const MODIFIERS = 'Must be {"case_sensitive":true} or {"case_sensitive":false}';

/**
 * Reads the filters of a query: a list, all of which must match.
 *
 * @returns the filter, or every fault with its position
 */
export function readPlausibleFilters(
  value: unknown,
  known: Known & { zone: Zone },
): PlausibleFilters | { faults: string[] } {
  const { filters, faults } = readFilterTree(value, { form: FORM, nested: [], readLeaf });
  if (faults.length > 0) return { faults };
  const asked = Array.isArray(value)
    ? value.map((entry) => (Array.isArray(entry) ? String(entry[1]) : ''))
    : [];
  const others = filters.filter((_, index) => !/^event:(goal$|props:)/.test(asked[index] ?? ''));
  return {
    filter: { op: 'and', filters },
    others: { op: 'and', filters: others },
    hasGoal: asked.includes('event:goal'),
  };

  function readLeaf(entry: unknown[], at: string, notes: Notes): Filter | undefined {
    return entry[1] === 'segment'
      ? readSegment(entry, at, notes)
      : readCondition(entry, at, known.goals, notes);
  }

  /** Reads a segment, which uses our own names. */
  function readSegment([name, , given]: unknown[], at: string, { fault, add }: Notes): Filter | undefined {
    const values = readValues(given);
    if (typeof values === 'string') return fault(`${at}[2]`, values);
    if (!add({ conditions: 0, values: values.length, patterns: 0 })) return undefined;
    const read = findSegments(known.segments, name, values, { zone: known.zone, add });
    return 'filter' in read ? read.filter : fault(`${at}[${read.part}]`, read.sentence);
  }
}

type Fault = Notes['fault'];

function readCondition(
  entry: unknown[],
  at: string,
  goals: readonly CountedGoal[],
  { fault, add }: Notes,
): Filter | undefined {
  const [name, target, given, modifiers, ...more] = entry;
  const known = OPERATORS.get(name);
  const dimension = findValueDimension(target, goals);
  const values = readValues(given);
  const count = typeof values === 'string' ? 0 : values.length;
  const patterns = known?.operator === 'matches' ? count : 0;
  if (!add({ conditions: 1, values: count, patterns })) return undefined;
  if (more.length > 0) fault(`${at}[4]`, 'Must have at most four parts');
  if (!known) fault(`${at}[0]`, `Unknown operator ${quote(name)}. ${VALID_OPERATORS}`);
  if (!dimension) fault(`${at}[1]`, sayUnknown(target));
  if (typeof values === 'string') return fault(`${at}[2]`, values);
  if (!known || !dimension) return undefined;
  const patternFault = known.operator === 'matches' && findPatternsFault(values);
  if (patternFault) return fault(`${at}[2]`, patternFault);
  const ignoresCase = readModifiers(known, modifiers, `${at}[3]`, fault);
  if (dimension.isGoal)
    for (const { part, sentence } of faultsOfGoal(known, values, goals, ignoresCase))
      fault(`${at}[${part}]`, sentence);
  const filter = toFilter(dimension, { operator: known.operator, values, ignoresCase });
  return known.isNegated ? { op: 'not', filter } : filter;
}

export function sayUnknown(target: unknown, valid = VALID_FILTER_DIMENSIONS): string {
  const reason = REFUSED_DIMENSIONS.get(String(target));
  return reason ?? `Unknown dimension ${quote(target)}. Valid: ${valid}`;
}

function readValues(given: unknown): string[] | string {
  const isList =
    Array.isArray(given) && given.every((value) => typeof value === 'string' || Number.isInteger(value));
  if (!isList) return 'Must be a list of texts or whole numbers';
  if (given.length > FILTER_VALUES_MAX) return `Must have at most ${FILTER_VALUES_MAX} values`;
  const values = given.map(String);
  const isLong = values.some((value) => value.length > URL_LENGTH_MAX);
  return isLong ? `Values must be at most ${URL_LENGTH_MAX} characters` : values;
}

/** Reads Plausible's fourth element. @returns whether case is ignored, where that can be chosen */
function readModifiers({ operator }: Operator, modifiers: unknown, at: string, fault: Fault): boolean {
  if (modifiers === undefined) return false;
  const { case_sensitive: isSensitive, ...more } = isRecord(modifiers) ? modifiers : { isFaulty: true };
  const isReadable = isSensitive === undefined || typeof isSensitive === 'boolean';
  if (!isReadable || Object.keys(more).length > 0) fault(at, MODIFIERS);
  else if (isSensitive && operator !== 'is') fault(at, NO_STRICT_CONTAINS);
  return isSensitive === false;
}

/** As in Plausible. When goals filter events, goals of pages (`Visit /pricing`) match none, and a 0 would mislead. */
export function* faultsOfGoal(
  { operator, isNegated }: Operator,
  values: string[],
  goals: readonly CountedGoal[],
  ignoresCase = false,
): Generator<{ part: number; sentence: string }> {
  if (isNegated || (operator !== 'is' && operator !== 'contains'))
    yield { part: 0, sentence: NO_GOAL_OPERATORS };
  if (goals.length === 0) {
    if (values.some((value) => value.startsWith('Visit /'))) yield { part: 2, sentence: NO_PAGE_GOALS };
    return;
  }
  const unknown = values.find(
    (value) => findGoals(goals, { operator: 'is', values: [value], ignoresCase }).length === 0,
  );
  if (operator === 'is' && unknown !== undefined)
    yield { part: 2, sentence: `Unknown goal ${quote(unknown)}` };
}
