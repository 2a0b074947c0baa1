import type { CustomEvent, List, PropertyValues, PropertyValuesRequest, Selection } from './analytics.ts';
import type { Days } from './days.ts';
import { toText } from './derive.ts';
import { answerQuery } from './query.ts';
import { createScan } from './scan.ts';
import { NUMBER_PREFIX } from './scan-columns.ts';
import type { WebsiteTerms } from './website-terms.ts';

type Page = { limit: number; offset: number };

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
