import type { Filter } from '../../analytics/interface/selection.ts';
import { FILTER_OPERATORS, type FilterOperator, isPatternOperator } from '../../vocabulary/analytics.ts';
import { FILTER_VALUES_MAX, FILTERS_LENGTH_MAX, URL_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { requireUtc, type Zone } from '../time/zone.ts';
import { findDimension, isProperty, quote, VALID_FILTER_DIMENSIONS } from './dimensions.ts';
import { NESTED, type Notes, readFilterTree } from './filter-tree.ts';
import { readFirstSeen } from './first-seen.ts';
import { findGoals } from './goals.ts';
import { findPatternsFault } from './patterns.ts';
import { findSegments, type Known, type ReadFilter } from './segments.ts';
import { findWebsites } from './website-set.ts';

const FIRST_VISIT = 'first_visit';
const VALID_OPERATORS = `Valid: ${[...FILTER_OPERATORS, 'and', 'or', ...NESTED, FIRST_VISIT, 'first_seen'].join(', ')}`;
const FORM = 'Must be a list of filters such as [["is","country",["DE","FR"]]]';

/**
 * Reads filters: a list of triples that must all match, each `[operator, dimension, values]`, `["and", [filters]]`, `["or",
 * [filters]]`, `["not", filter]`, `["has_done", filter]`, `["has_not_done", filter]`, `["first_visit", filter]` or
 * `["first_seen", {"from", "to"}]`. A single filter needs no list.
 *
 * @param zone time zone of its dates
 * @returns the filter, or every fault with its position
 * @throws also `known.propertiesError`
 */
export function readFilters(
  text: string,
  known: Known = { goals: [], segments: [] },
  zone: Zone = requireUtc(),
): { filter: Filter } | { faults: string[] } {
  if (text.length > FILTERS_LENGTH_MAX)
    return { faults: [`Must be at most ${FILTERS_LENGTH_MAX} characters`] };
  const value = parseJson(text);
  if (value === undefined) return { faults: [`Is not readable JSON. ${FORM}`] };
  const { size, ...read } = parseFilters(value, known, zone);
  return read;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type ParseOptions = {
  /** Lower than usual when other filters of the same question have patterns. */
  patternsMax?: number;
  /** Patterns of saved filters were compiled when they were saved. */
  isSaved?: boolean;
};

/** Reads filters that were parsed from JSON. */
export function parseFilters(
  value: unknown,
  known: Known,
  zone: Zone,
  { isSaved = false, ...options }: ParseOptions = {},
): ReadFilter {
  const isOne = Array.isArray(value) && typeof value[0] === 'string';
  const language = { form: FORM, nested: [FIRST_VISIT] as const, readLeaf };
  const { filters, size, faults } = readFilterTree(value, language, { isOne, ...options });
  return faults.length > 0 ? { faults, size } : { filter: { op: 'and', filters }, size };

  function readLeaf(entry: unknown[], at: string, { fault, add }: Notes): Filter | undefined {
    const [name, target, given, modifiers, ...more] = entry;
    const operator = FILTER_OPERATORS.find((candidate) => candidate === name);
    const values = readValues(Array.isArray(given) ? given : [given]);
    const count = typeof values === 'string' ? 0 : values.length;
    const hasPatterns = operator !== undefined && isPatternOperator(operator);
    const conditions = target === 'segment' ? 0 : 1; // a segment counts its own
    if (!add({ conditions, values: count, patterns: hasPatterns ? count : 0 })) return undefined;
    if (name === 'first_seen') {
      const read = readFirstSeen(entry.slice(1), zone);
      return 'filter' in read ? read.filter : fault(at + read.at, read.sentence);
    }
    if (more.length > 0) fault(`${at}[4]`, 'Must have at most four parts');
    if (target === 'goal' && typeof values !== 'string') {
      const read = findGoals(known.goals, name, values);
      return 'filter' in read ? read.filter : fault(`${at}[${read.part}]`, read.sentence);
    }
    if (target === 'segment' && typeof values !== 'string') {
      const read = findSegments(known.segments, name, values, { zone, add });
      return 'filter' in read ? read.filter : fault(`${at}[${read.part}]`, read.sentence);
    }
    if (target === 'website' && typeof values !== 'string') {
      const read = findWebsites(known.members, name, values);
      return 'filter' in read ? read.filter : fault(`${at}[${read.part}]`, read.sentence);
    }
    const dimension = typeof target === 'string' ? findDimension(target) : undefined;
    if (!operator) fault(`${at}[0]`, `Unknown operator ${quote(name)}. ${VALID_OPERATORS}`);
    if (!dimension) fault(`${at}[1]`, `Unknown dimension ${quote(target)}. ${VALID_FILTER_DIMENSIONS}`);
    if (typeof values === 'string') fault(`${at}[2]`, values);
    const modifierFault = operator && checkModifiers(operator, modifiers);
    if (modifierFault) fault(`${at}[3]`, modifierFault);
    if (!operator || !dimension || typeof values === 'string') return undefined;
    if (known.propertiesError && isProperty(dimension)) throw known.propertiesError;
    const patternFault = hasPatterns && !isSaved && findPatternsFault(values);
    return patternFault ? fault(`${at}[2]`, patternFault) : { op: 'match', dimension, operator, values };
  }
}

/** Reads values. Numbers and booleans become text as in JavaScript, like property values; null means absent. */
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

/** Reads Plausible's fourth element. Only values that match the behaviour here are accepted. */
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
