import type { Parameters } from '../../http/parameters.ts';
import {
  CHANGE_SORTS,
  type Dimension,
  GOAL_SORTS,
  METRICS,
  type Metric,
  type RankedSort,
} from '../../vocabulary/analytics.ts';
import {
  FORMATS,
  type Format,
  OFFSET_MAX,
  PROPERTY_KEY_LENGTH_MAX,
  SEARCH_LENGTH_MAX,
  STATS_LIMIT_DEFAULT,
} from '../../vocabulary/contract.ts';
import { findDimension, quote, VALID_DIMENSIONS } from './dimensions.ts';

export function readDimension(parameters: Parameters): Dimension {
  const name = parameters.text('dimension', DIMENSION_LENGTH_MAX);
  if (name !== undefined) return toDimension(parameters, 'dimension', name) ?? 'page';
  parameters.fault('dimension', `Required. ${VALID_DIMENSIONS}`);
  return 'page';
}

/** Reads `page,source`, or a JSON list, because a property's key may contain a comma. */
export function readDimensions(
  parameters: Parameters,
  { absent, max }: { absent: readonly Dimension[]; max: number },
): Dimension[] {
  const text = parameters.text('breakdowns', max * DIMENSION_LENGTH_MAX);
  if (text === undefined) return [...absent];
  const names = toNames(text);
  if (names.length > max) parameters.fault('breakdowns', `Must be at most ${max} dimensions`);
  return names.slice(0, max).flatMap((name) => toDimension(parameters, 'breakdowns', name) ?? []);
}

function toNames(text: string): string[] {
  if (!text.startsWith('[')) return text.split(',').map((name) => name.trim());
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) ? names.map(String) : [text];
  } catch {
    return [text];
  }
}

function toDimension(parameters: Parameters, parameter: string, name: string): Dimension | undefined {
  const dimension = findDimension(name);
  if (!dimension) parameters.fault(parameter, `Unknown dimension ${quote(name)}. ${VALID_DIMENSIONS}`);
  return dimension;
}

export const DIMENSION_LENGTH_MAX = PROPERTY_KEY_LENGTH_MAX + 'event:props:'.length;

export function readSearch(parameters: Parameters): { search?: string } {
  const search = parameters.text('search', SEARCH_LENGTH_MAX);
  return search === undefined ? {} : { search };
}

/** @param limitDefault limit when absent; a list as a file defaults to the maximum */
export function readPage(
  parameters: Parameters,
  limitMax: number,
  limitDefault = readFormat(parameters) === 'json' ? STATS_LIMIT_DEFAULT : limitMax,
): { limit: number; offset: number } {
  return {
    limit: parameters.integer('limit', { min: 1, max: limitMax, absent: limitDefault }),
    offset: parameters.integer('offset', { min: 0, max: OFFSET_MAX, absent: 0 }),
  };
}

export function readFormat(parameters: Parameters): Format {
  return parameters.choice('format', FORMATS) ?? 'json';
}

export type Sort<Column extends string> = { by: Column | 'value'; descending: boolean };

/** Reads `visitors:desc`. The default direction is descending, for `value` ascending. */
export function readSort<Column extends string = Metric>(
  parameters: Parameters,
  // The default value has the default type.
  columns: readonly Column[] = METRICS as readonly string[] as readonly Column[],
  /** Columns as the refusal names them. */
  named: readonly string[] = columns,
): { sort?: Sort<Column> } {
  const text = parameters.text('sort', SORT_LENGTH_MAX);
  if (text === undefined) return {};
  const [name, direction, ...rest] = text.split(':');
  const by = [...columns, 'value' as const].find((column) => column === name);
  const isDirection = direction === undefined || direction === 'asc' || direction === 'desc';
  if (!by)
    parameters.fault('sort', `Unknown column ${quote(name)}. Valid: ${[...named, 'value'].join(', ')}`);
  if (!isDirection || rest.length > 0) parameters.fault('sort', 'The direction must be asc or desc');
  if (!by) return {};
  return { sort: { by, descending: direction === undefined ? by !== 'value' : direction === 'desc' } };
}

const SORT_LENGTH_MAX = 100;
const RANKED_SORTS = [...GOAL_SORTS, ...CHANGE_SORTS];
const SORT_NAMES = [...METRICS, ...GOAL_SORTS, 'METRIC.change', 'METRIC.percent'];

/** Reads the order of a breakdown: by a metric, which the engine sorts by, or one that the rows are ranked by (`ranked`). */
export function readRankedSort(
  parameters: Parameters,
  { goal, compared }: { goal?: unknown; compared?: unknown },
): { sort?: Sort<Metric>; ranked?: Sort<RankedSort> & { by: RankedSort } } {
  const { sort } = readSort(parameters, [...METRICS, ...RANKED_SORTS], SORT_NAMES);
  const by = RANKED_SORTS.find((name) => name === sort?.by);
  if (!sort || !by) return sort ? { sort: sort as Sort<Metric> } : {}; // one of METRICS
  const isOfGoal = GOAL_SORTS.some((name) => name === by);
  if (isOfGoal && !goal) parameters.fault('sort', `${by} needs goal`);
  if (!isOfGoal && !compared) parameters.fault('sort', `${by} needs compare`);
  return { ranked: { by, descending: sort.descending } };
}
