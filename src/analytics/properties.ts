import type {
  CustomEvent,
  List,
  PropertyKey,
  PropertyValues,
  PropertyValuesRequest,
  Selection,
} from './analytics.ts';
import { createBreakdownPanels, valueColumn } from './breakdown-panels.ts';
import { dayOf } from './day.ts';
import type { Days } from './days.ts';
import { toText } from './derive.ts';
import { createDistinctFew } from './panels/distinct.ts';
import { answerQuery } from './query.ts';
import { compareText } from './rank.ts';
import { createScan } from './scan.ts';
import { HAS_PREFIX, NUMBER_PREFIX } from './scan-columns.ts';
import type { WebsiteTerms } from './website-terms.ts';

type Page = { limit: number; offset: number };
/** Keys that are counted in one pass: bounds the columns that a day has in memory at once. */
const KEYS_A_PASS = 25;

export function listCustomEvents(
  request: Selection & Page,
  terms: WebsiteTerms,
  days: Days,
): List<CustomEvent> {
  const { limit, offset } = request;
  const breakdowns = [{ dimension: 'event' as const, limit, offset }];
  const [answer] = answerQuery({ ...request, breakdowns }, terms, days).breakdowns ?? [];
  const rows = answer?.rows.map(({ value, events, visitors }) => ({ name: value ?? '', events, visitors }));
  return { rows: rows ?? [], total: answer?.total ?? 0 };
}

/** The keys of a selection, those of most events first; equal ones by name. */
export function listPropertyKeys(
  request: Selection & Page,
  terms: WebsiteTerms,
  days: Days,
): List<PropertyKey> {
  const names = new Set<string>();
  if (request.toMs > request.fromMs)
    for (const number of days.numbers(dayOf(request.fromMs) - 1, dayOf(request.toMs - 1) + 1))
      for (const key of days.propertyKeys(number)) names.add(key);
  const keys = [...names];
  const rows: PropertyKey[] = [];
  for (let start = 0; start < keys.length; start += KEYS_A_PASS)
    rows.push(...countKeys(request, terms, days, keys.slice(start, start + KEYS_A_PASS)));
  rows.sort((a, b) => b.events - a.events || compareText(a.key, b.key));
  return { rows: rows.slice(request.offset, request.offset + request.limit), total: rows.length };
}

function countKeys(request: Selection, terms: WebsiteTerms, days: Days, keys: string[]): PropertyKey[] {
  const names = keys.map((key) => HAS_PREFIX + key);
  const scan = createScan({ request, terms, days, names });
  const panels = names.map((name) =>
    createDistinctFew(valueColumn(name, terms, scan.columns), [1], terms.visitors.count()),
  );
  const counted = createBreakdownPanels(names, terms, scan.columns);
  scan.run((day, selection) => {
    for (const panel of [...panels, ...counted.all]) panel.add(day, selection);
  });
  return keys.flatMap((key, index) => {
    const events = counted.counts(HAS_PREFIX + key).events[1] ?? 0;
    const visitors = panels[index]?.finish().get(1) ?? 0;
    return events === 0 ? [] : [{ key, events, visitors }];
  });
}

/** The values of one key, those of most visitors first, and what the numbers among them come to. */
export function listPropertyValues(
  request: PropertyValuesRequest,
  terms: WebsiteTerms,
  days: Days,
): PropertyValues {
  const key = toText(request.key);
  const { limit, offset, search } = request;
  const breakdowns = [{ dimension: `property:${key}` as const, limit, offset, ...(search && { search }) }];
  const [answer] = answerQuery({ ...request, breakdowns }, terms, days).breakdowns ?? [];
  const rows = answer?.rows.map(({ value, events, visitors }) => ({ value: value ?? '', events, visitors }));
  return { rows: rows ?? [], total: answer?.total ?? 0, numbers: sumNumbers(request, terms, days, key) };
}

function sumNumbers(
  request: Selection,
  terms: WebsiteTerms,
  days: Days,
  key: string,
): PropertyValues['numbers'] {
  const name = NUMBER_PREFIX + key;
  const scan = createScan({ request, terms, days, names: [name] });
  const { texts } = scan.columns.values(name);
  const eventCounts: number[] = [];
  scan.run((day, { count, visits, hit }) => {
    const column = scan.columns.get(day, name);
    for (const visit of visits.subarray(0, count))
      for (let event = day.first[visit] ?? 0; event < (day.first[visit + 1] ?? 0); event += 1) {
        if (hit !== undefined && hit[event] === 0) continue;
        const number = column[event] ?? 0;
        eventCounts[number] = (eventCounts[number] ?? 0) + 1;
      }
  });
  const numbers = {
    count: 0,
    sum: 0,
    average: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
  };
  eventCounts.forEach((count, number) => {
    if (number === 0) return;
    const value = Number(texts[number]);
    numbers.count += count;
    numbers.sum += value * count;
    numbers.min = Math.min(numbers.min, value);
    numbers.max = Math.max(numbers.max, value);
  });
  if (numbers.count === 0) return undefined;
  return { ...numbers, average: numbers.sum / numbers.count };
}
