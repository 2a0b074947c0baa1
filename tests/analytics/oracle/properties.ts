import type {
  CustomEvent,
  PropertyKey,
  PropertyValues,
  PropertyValuesRequest,
} from '../../../src/analytics/interface/pages.ts';
import type { List, Selection } from '../../../src/analytics/interface/selection.ts';
import { breakDown, compareTexts, groupByValue } from './breakdown.ts';
import { countVisitors } from './figures.ts';
import type { NaiveLog } from './log.ts';
import { type Match, select } from './selection.ts';

type PagedSelection = Selection & { limit: number; offset: number };

export function listCustomEvents(log: NaiveLog, request: PagedSelection): List<CustomEvent> {
  const rows = groupByValue(select(log, request), 'event')
    .filter(({ value }) => value !== '')
    .map(({ value, matches }) => ({
      name: value,
      events: matches.length,
      visitors: countVisitors(matches),
    }))
    .sort((a, b) => b.visitors - a.visitors || compareTexts(a.name, b.name));
  return { rows: rows.slice(request.offset, request.offset + request.limit), total: rows.length };
}

export function listPropertyKeys(log: NaiveLog, request: PagedSelection): List<PropertyKey> {
  const matches = select(log, request);
  const keys = new Set(matches.flatMap(({ properties }) => [...properties.keys()]));
  const rows = [...keys]
    .map((key) => {
      const having = matches.filter(({ properties }) => properties.has(key));
      return { key, events: having.length, visitors: countVisitors(having) };
    })
    .sort((a, b) => b.events - a.events || compareTexts(a.key, b.key));
  return { rows: rows.slice(request.offset, request.offset + request.limit), total: rows.length };
}

export function listPropertyValues(
  log: NaiveLog,
  { key, ...request }: PropertyValuesRequest,
): PropertyValues {
  const matches = select(log, request);
  const { rows, total } = breakDown(matches, { ...request, dimension: `property:${key}` });
  return {
    // A row without a value is not asked for.
    rows: rows.map(({ value, events, visitors }) => ({ value: value ?? '', events, visitors })),
    total,
    numbers: toNumbers(matches, key),
  };
}

/** Numbers of all matching events, whatever the search; of the values that kept their names. */
function toNumbers(matches: readonly Match[], key: string): PropertyValues['numbers'] {
  const numbers = matches
    .map(({ properties }) => properties.get(key)?.number)
    .filter((number) => number !== undefined);
  if (numbers.length === 0) return undefined;
  const sum = numbers.reduce((total, value) => total + value, 0);
  return {
    count: numbers.length,
    sum,
    average: sum / numbers.length,
    min: Math.min(...numbers),
    max: Math.max(...numbers),
  };
}
