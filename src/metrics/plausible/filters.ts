import { FILTER_DEPTH_MAX, FILTER_LEAVES_MAX } from '../../analytics/vocabulary.ts';
import { FILTER_PATTERNS_MAX, FILTER_VALUES_MAX, URL_LENGTH_MAX } from '../../contract/vocabulary.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { quote } from '../question/dimensions.ts';
import { countPatterns, findPatternsFault, TOO_MANY_PATTERNS } from '../question/patterns.ts';
import { findSegments, type Known } from '../question/segments.ts';
import type { Zone } from '../time/zone.ts';
import { type Condition, findGoals, type OpenFilter, toOpenFilter } from './conditions.ts';
import { findValueDimension, VALID_FILTER_DIMENSIONS } from './dimensions.ts';
import { isRecord } from './members.ts';
import { NO_GOAL_OPERATORS, NO_PAGE_GOALS, NO_STRICT_CONTAINS, REFUSED_DIMENSIONS } from './refusals.ts';

export type PlausibleFilters = {
  filter: OpenFilter;
  /** Without what is asked of goals and properties: whose visitors the rates of goals are parts of. */
  others: OpenFilter;
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

const VALID_OPERATORS = `Valid: ${[...OPERATORS.keys(), 'and', 'or', 'not', 'has_done', 'has_not_done'].join(', ')}`;
const FORM = 'Must be a list of filters such as ["is","visit:country",["DE","FR"]]';
const MODIFIERS = 'Must be {"case_sensitive":true} or {"case_sensitive":false}';
const NESTED: readonly unknown[] = ['not', 'has_done', 'has_not_done'];
const FAULTS_MAX = 20;

/**
 * Reads the filters of a query: a list, of which all must hold.
 *
 * @returns every fault with its place, or the filter
 */
export function readPlausibleFilters(
  value: unknown,
  known: Known & { zone: Zone },
): PlausibleFilters | { faults: string[] } {
  const faults: string[] = [];
  let leaves = 0;
  const filters = readList(value, '', 1);
  if (leaves > FILTER_LEAVES_MAX) faults.push(`Must have at most ${FILTER_LEAVES_MAX} conditions`);
  if (countPatterns(filters) > FILTER_PATTERNS_MAX) faults.push(TOO_MANY_PATTERNS);
  if (faults.length > 0) return { faults: faults.slice(0, FAULTS_MAX) };
  const asked = Array.isArray(value)
    ? value.map((entry) => (Array.isArray(entry) ? String(entry[1]) : ''))
    : [];
  const others = filters.filter((_, index) => !/^event:(goal$|props:)/.test(asked[index] ?? ''));
  return {
    filter: { op: 'and', filters },
    others: { op: 'and', filters: others },
    hasGoal: asked.includes('event:goal'),
  };

  /** @param at where the list stands, for the faults */
  function readList(list: unknown, at: string, depth: number): OpenFilter[] {
    if (Array.isArray(list))
      return list.flatMap((entry, index) => read(entry, `${at}[${index}]`, depth) ?? []);
    fault(at, FORM);
    return [];
  }

  function read(entry: unknown, at: string, depth: number): OpenFilter | undefined {
    if (depth > FILTER_DEPTH_MAX) return fault(at, `Must be nested at most ${FILTER_DEPTH_MAX} deep`);
    if (!Array.isArray(entry)) return fault(at, FORM);
    const [operator, operand, ...more] = entry;
    const isJoined = operator === 'and' || operator === 'or';
    const isNested = NESTED.includes(operator);
    if ((isJoined || isNested) && more.length > 0)
      return fault(`${at}[2]`, `${operator} takes one ${isJoined ? 'list of filters' : 'filter'}`);
    if (isJoined) {
      if (Array.isArray(operand) && operand.length === 0) fault(`${at}[1]`, 'Must have at least one filter');
      return { op: operator, filters: readList(operand, `${at}[1]`, depth + 1) };
    }
    if (isNested) {
      const filter = read(operand, `${at}[1]`, depth + 1);
      if (!filter) return undefined;
      if (operator === 'not') return { op: 'not', filter };
      const hasDone = { op: 'has_done', filter } as const;
      return operator === 'has_done' ? hasDone : { op: 'not', filter: hasDone };
    }
    leaves += 1;
    if (operand === 'segment') return readSegment(entry, at);
    return readCondition(entry, at, known.goals, fault);
  }

  /** A segment is in our own words. */
  function readSegment([name, , given]: unknown[], at: string): OpenFilter | undefined {
    const values = readValues(given);
    if (typeof values === 'string') return fault(`${at}[2]`, values);
    const read = findSegments(known.segments, name, values, known.zone);
    if ('sentence' in read) return fault(`${at}[${read.part}]`, read.sentence);
    leaves += read.leaves - 1;
    return read.filter;
  }

  function fault(at: string, sentence: string): undefined {
    faults.push(at === '' ? sentence : `${at}: ${sentence}`);
  }
}

type Fault = (at: string, sentence: string) => undefined;

function readCondition(
  entry: unknown[],
  at: string,
  goals: readonly CountedGoal[],
  fault: Fault,
): OpenFilter | undefined {
  const [name, target, given, modifiers, ...more] = entry;
  const known = OPERATORS.get(name);
  const dimension = findValueDimension(target, goals);
  const values = readValues(given);
  if (more.length > 0) fault(`${at}[4]`, 'Must have at most four parts');
  if (!known) fault(`${at}[0]`, `Unknown operator ${quote(name)}. ${VALID_OPERATORS}`);
  if (!dimension) fault(`${at}[1]`, sayUnknown(target));
  if (typeof values === 'string') return fault(`${at}[2]`, values);
  if (!known || !dimension) return undefined;
  const patternFault = known.operator === 'matches' && findPatternsFault(values);
  if (patternFault) return fault(`${at}[2]`, patternFault);
  const ignoresCase = readModifiers(known, modifiers, `${at}[3]`, fault);
  if (dimension.isGoal)
    for (const { part, sentence } of faultsOfGoal(known, values, goals)) fault(`${at}[${part}]`, sentence);
  const filter = toOpenFilter(dimension, { operator: known.operator, values, ignoresCase });
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

/** Plausible's fourth part. @returns whether the case does not matter, where that can be chosen */
function readModifiers({ operator }: Operator, modifiers: unknown, at: string, fault: Fault): boolean {
  if (modifiers === undefined) return false;
  const { case_sensitive: isSensitive, ...more } = isRecord(modifiers) ? modifiers : { isFaulty: true };
  const isReadable = isSensitive === undefined || typeof isSensitive === 'boolean';
  if (!isReadable || Object.keys(more).length > 0) fault(at, MODIFIERS);
  else if (isSensitive && operator !== 'is') fault(at, NO_STRICT_CONTAINS);
  return isSensitive === false;
}

/** As in Plausible. Where goals stand for events, those of pages (`Visit /pricing`) are nobody's, and a 0 would be misread. */
export function* faultsOfGoal(
  { operator, isNegated }: Operator,
  values: string[],
  goals: readonly CountedGoal[],
): Generator<{ part: number; sentence: string }> {
  if (isNegated || (operator !== 'is' && operator !== 'contains'))
    yield { part: 0, sentence: NO_GOAL_OPERATORS };
  if (goals.length === 0) {
    if (values.some((value) => value.startsWith('Visit /'))) yield { part: 2, sentence: NO_PAGE_GOALS };
    return;
  }
  const unknown = values.find(
    (value) => findGoals(goals, { operator: 'is', values: [value], ignoresCase: true }).length === 0,
  );
  if (operator === 'is' && unknown !== undefined)
    yield { part: 2, sentence: `Unknown goal ${quote(unknown)}` };
}
