import type { Breakdown, BreakdownRow } from './analytics.ts';
import { type CountColumns, countsAt, toFigures } from './panels/figures.ts';
import type { Metric } from './vocabulary.ts';

/** The texts behind the numbers of a dimension's values; 0 is absent. */
export type Texts = {
  text(number: number): string;
  /** Prepares many calls of `text`. */
  warm?(): void;
};

type Ranked = { rows: BreakdownRow[]; total: number };

/** Above this many texts it is cheaper to read the whole dictionary than each by itself. */
const WARM_ABOVE = 500;

/** Orders the values that have events, and names those of the wanted page. */
export function rankValues(counts: CountColumns, texts: Texts, breakdown: Breakdown): Ranked {
  const { sort = { by: 'visitors', descending: true }, limit, offset = 0, search = '' } = breakdown;
  let numbers = presentNumbers(counts, breakdown.withAbsent === true && search === '');
  if (search !== '') {
    const wanted = search.toLowerCase();
    texts.warm?.();
    numbers = numbers.filter((number) => texts.text(number).toLowerCase().includes(wanted));
  }
  const page =
    sort.by === 'value'
      ? byText(numbers, texts, sort.descending).slice(offset, offset + limit)
      : byMetric(numbers, counts, texts, { by: sort.by, descending: sort.descending }, offset, limit);
  return {
    rows: page.map((number) => ({
      value: number === 0 ? null : texts.text(number),
      ...toFigures(countsAt(counts, number)),
    })),
    total: numbers.length,
  };
}

function presentNumbers({ events }: CountColumns, withAbsent: boolean): number[] {
  const present: number[] = [];
  for (let number = withAbsent ? 0 : 1; number < events.length; number += 1)
    if (events[number] !== 0) present.push(number);
  return present;
}

/** Only the values that can be on the page are compared by text: a tie at its end may hold thousands. */
function byMetric(
  numbers: number[],
  counts: CountColumns,
  texts: Texts,
  { by, descending }: { by: Metric; descending: boolean },
  offset: number,
  limit: number,
): number[] {
  const sign = descending ? -1 : 1;
  const weight = new Map<number, number>();
  for (const number of numbers) weight.set(number, sign * toFigures(countsAt(counts, number))[by]);
  const last = Float64Array.from(weight.values()).sort()[Math.min(offset + limit, numbers.length) - 1];
  if (last === undefined || limit === 0) return [];
  const candidates = numbers.filter((number) => weightOf(number) <= last);
  const tied = candidates.length > WARM_ABOVE;
  if (tied) texts.warm?.();
  return candidates
    .sort((a, b) => weightOf(a) - weightOf(b) || compareText(texts.text(a), texts.text(b)))
    .slice(offset, offset + limit);

  function weightOf(number: number): number {
    return weight.get(number) ?? 0;
  }
}

function byText(numbers: number[], texts: Texts, descending: boolean): number[] {
  texts.warm?.();
  const sign = descending ? -1 : 1;
  return numbers.sort((a, b) => sign * compareText(texts.text(a), texts.text(b)));
}

/** By UTF-16 units, as `<` compares; the empty text (absent) is the least. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
