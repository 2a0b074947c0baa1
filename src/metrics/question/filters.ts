import type { Filter } from '../../analytics/analytics.ts';
import {
  FILTER_DEPTH_MAX,
  FILTER_LEAVES_MAX,
  FILTER_OPERATORS,
  type FilterOperator,
  isPatternOperator,
} from '../../analytics/vocabulary.ts';
import {
  FILTER_PATTERNS_MAX,
  FILTER_VALUES_MAX,
  FILTERS_LENGTH_MAX,
  URL_LENGTH_MAX,
} from '../../contract/vocabulary.ts';
import { requireUtc, type Zone } from '../time/zone.ts';
import { findDimension, isProperty, quote, VALID_FILTER_DIMENSIONS } from './dimensions.ts';
import { readFirstSeen } from './first-seen.ts';
import { findGoals } from './goals.ts';
import { countPatterns, findPatternsFault, TOO_MANY_PATTERNS } from './patterns.ts';
import { findSegments, type Known, type ReadFilter } from './segments.ts';

const NESTED: readonly unknown[] = ['not', 'has_done', 'has_not_done', 'first_visit'];
const VALID_OPERATORS = `Valid: ${[...FILTER_OPERATORS, 'and', 'or', ...NESTED, 'first_seen'].join(', ')}`;
const FAULTS_MAX = 20;
const FORM = 'Must be a list of filters such as ["is","country",["DE","FR"]]';

/**
 * Reads filters: a list of triples that all must hold, each `[operator, dimension, values]`,
 * `["and", [filters]]`, `["or", [filters]]`, `["not", filter]`, `["has_done", filter]`, `["has_not_done", filter]`,
 * `["first_visit", filter]` or `["first_seen", {"from", "to"}]`. A single filter may stand without the list.
 *
 * @param zone of the dates in it
 * @returns every fault with its place, or the filter
 */
export function readFilters(
  text: string,
  known: Known = { goals: [], segments: [] },
  zone: Zone = requireUtc(),
): ReadFilter {
  if (text.length > FILTERS_LENGTH_MAX)
    return { faults: [`Must be at most ${FILTERS_LENGTH_MAX} characters`] };
  try {
    return parseFilters(JSON.parse(text), known, zone);
  } catch {
    return { faults: [`Is not readable JSON. ${FORM}`] };
  }
}

/** Likewise, of what has been read from JSON. */
export function parseFilters(value: unknown, known: Known, zone: Zone): ReadFilter {
  const faults: string[] = [];
  let usesProperties = false;
  let leaves = 0;
  const isSingle = Array.isArray(value) && typeof value[0] === 'string';
  const filters = readList(isSingle ? [value] : value, isSingle ? undefined : '', 1);
  if (leaves > FILTER_LEAVES_MAX) faults.push(`Must have at most ${FILTER_LEAVES_MAX} conditions`);
  if (countPatterns(filters) > FILTER_PATTERNS_MAX) faults.push(TOO_MANY_PATTERNS);
  return faults.length > 0
    ? { faults: faults.slice(0, FAULTS_MAX) }
    : { filter: { op: 'and', filters }, usesProperties, leaves };

  /** @param at where the list stands, for the faults; undefined when it is not the caller's */
  function readList(list: unknown, at: string | undefined, depth: number): Filter[] {
    if (!Array.isArray(list)) {
      fault(at ?? '', FORM);
      return [];
    }
    return list.flatMap(
      (entry, index) => read(entry, at === undefined ? '' : `${at}[${index}]`, depth) ?? [],
    );
  }

  function read(entry: unknown, at: string, depth: number): Filter | undefined {
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
      return filter && toNested(operator, filter);
    }
    if (operator === 'first_seen') {
      leaves += 1;
      const read = readFirstSeen(entry.slice(1), zone);
      return 'filter' in read ? read.filter : fault(at + read.at, read.sentence);
    }
    return readMatch(entry, at);
  }

  function readMatch([name, target, given, modifiers, ...more]: unknown[], at: string): Filter | undefined {
    leaves += 1;
    if (more.length > 0) fault(`${at}[4]`, 'Must have at most four parts');
    const operator = FILTER_OPERATORS.find((candidate) => candidate === name);
    const values = readValues(Array.isArray(given) ? given : [given]);
    if (target === 'goal' && typeof values !== 'string') {
      const read = findGoals(known.goals, name, values);
      return 'filter' in read ? read.filter : fault(`${at}[${read.part}]`, read.sentence);
    }
    if (target === 'segment' && typeof values !== 'string') {
      const read = findSegments(known.segments, name, values, zone);
      if ('sentence' in read) return fault(`${at}[${read.part}]`, read.sentence);
      leaves += read.leaves - 1; // it stands for its own
      return read.filter;
    }
    const dimension = typeof target === 'string' ? findDimension(target) : undefined;
    if (!operator) fault(`${at}[0]`, `Unknown operator ${quote(name)}. ${VALID_OPERATORS}`);
    if (!dimension) fault(`${at}[1]`, `Unknown dimension ${quote(target)}. ${VALID_FILTER_DIMENSIONS}`);
    if (typeof values === 'string') fault(`${at}[2]`, values);
    const modifierFault = operator && checkModifiers(operator, modifiers);
    if (modifierFault) fault(`${at}[3]`, modifierFault);
    if (!operator || !dimension || typeof values === 'string') return undefined;
    usesProperties ||= isProperty(dimension);
    if (isPatternOperator(operator)) {
      const patternFault = findPatternsFault(values);
      if (patternFault) return fault(`${at}[2]`, patternFault);
    }
    return { op: 'match', dimension, operator, values };
  }

  function fault(at: string, sentence: string): undefined {
    faults.push(at === '' ? sentence : `${at}: ${sentence}`);
  }
}

/** @param operator one of NESTED */
function toNested(operator: unknown, filter: Filter): Filter {
  if (operator === 'not' || operator === 'first_visit') return { op: operator, filter };
  const hasDone = { op: 'has_done', filter } as const;
  return operator === 'has_done' ? hasDone : { op: 'not', filter: hasDone };
}

/** Numbers and booleans as JavaScript writes them, as the values of properties are; null is the absent value. */
function readValues(given: unknown[]): string[] | string {
  if (given.length > FILTER_VALUES_MAX) return `Must have at most ${FILTER_VALUES_MAX} values`;
  const values: string[] = [];
  for (const value of given) {
    if (value === undefined || (typeof value === 'object' && value !== null))
      return 'Must be a list of texts, numbers or booleans';
    const text = value === null ? '' : String(value);
    if (text.length > URL_LENGTH_MAX) return `Values must be at most ${URL_LENGTH_MAX} characters`;
    values.push(text);
  }
  return values;
}

/** Plausible's fourth part. Only what holds here anyway is accepted. */
function checkModifiers(operator: FilterOperator, modifiers: unknown): string | undefined {
  if (modifiers === undefined) return undefined;
  const minds = /^(is|like|matches)(_not)?$/.test(operator);
  const isHeld =
    typeof modifiers === 'object' &&
    modifiers !== null &&
    !Array.isArray(modifiers) &&
    Object.entries(modifiers).every(([name, value]) => name === 'case_sensitive' && value === minds);
  if (isHeld) return undefined;
  return `Must be {"case_sensitive":${minds}} or left out: ${operator} ${minds ? 'minds' : 'does not mind'} the case`;
}
