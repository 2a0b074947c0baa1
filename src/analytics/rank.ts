import type { Breakdown, BreakdownRow } from './analytics.ts';
import { nthLeast } from './nth-least.ts';
import { type CountColumns, countsAt, toFigures } from './panels/figures.ts';
import type { Metric } from './vocabulary.ts';

/** The texts behind the numbers of a dimension's values; 0 is absent. */
export type Texts = {
  text(number: number): string;
  /** Prepares many calls of `text`. */
  warm?(): void;
};

type Ranked = { rows: BreakdownRow[]; numbers: number[]; total: number };

/** Above this many texts it is cheaper to read the whole dictionary than each by itself. */
const WARM_ABOVE = 500;

/** Orders the values that have events, and gives the figures of the wanted page of them. */
export function rankValues(counts: CountColumns, texts: Texts, breakdown: Breakdown): Ranked {
  const { sort = { by: 'visitors', descending: true } } = breakdown;
  const { by } = sort;
  const { numbers, total } = rankNumbers(counts, texts, {
    ...breakdown,
    descending: sort.descending,
    weigh: by === 'value' ? undefined : weigher(counts, by),
  });
  const rows = numbers.map((number) => ({
    value: number === 0 ? null : texts.text(number),
    ...toFigures(countsAt(counts, number)),
  }));
  return { rows, numbers, total };
}

/** What a value is ordered by. */
export function weigher(counts: CountColumns, by: Metric): (number: number) => number {
  if (by === 'visitors' || by === 'visits' || by === 'pageviews' || by === 'events') {
    const column = counts[by];
    return (number) => column[number] ?? 0;
  }
  return (number) => toFigures(countsAt(counts, number))[by];
}

type Ranking = Pick<Breakdown, 'limit' | 'offset' | 'search' | 'withAbsent'> & {
  descending: boolean;
  /** Undefined: by text. */
  weigh: ((number: number) => number) | undefined;
};

export function rankNumbers(
  counts: CountColumns,
  texts: Texts,
  { limit, offset = 0, search = '', withAbsent, descending, weigh }: Ranking,
): { numbers: number[]; total: number } {
  const numbers = presentNumbers(counts, { search, withAbsent: withAbsent === true }, texts);
  const total = numbers.length;
  if (!weigh) return { numbers: byText(numbers, texts, descending).slice(offset, offset + limit), total };
  const sign = descending ? -1 : 1;
  return { numbers: byWeight(numbers, (number) => sign * weigh(number), texts, offset, limit), total };
}

/** The numbers of the values that have events and are searched for. */
export function presentNumbers(
  { events }: CountColumns,
  { search = '', withAbsent = false }: Pick<Breakdown, 'search' | 'withAbsent'>,
  texts: Texts,
): number[] {
  const present: number[] = [];
  const wanted = search.toLowerCase();
  if (wanted !== '') texts.warm?.();
  for (let number = withAbsent && wanted === '' ? 0 : 1; number < events.length; number += 1) {
    if (events[number] === 0) continue;
    if (wanted === '' || texts.text(number).toLowerCase().includes(wanted)) present.push(number);
  }
  return present;
}

/** Only the values that can be on the page are compared by text: a tie at its end may hold thousands. */
function byWeight(
  numbers: number[],
  weigh: (number: number) => number,
  texts: Texts,
  offset: number,
  limit: number,
): number[] {
  if (limit === 0 || numbers.length <= offset) return [];
  const weights = new Float64Array(numbers.length); // filled by hand: `from` is ten times slower
  numbers.forEach((number, index) => {
    weights[index] = weigh(number);
  });
  const last = nthLeast(weights, Math.min(offset + limit, numbers.length) - 1);
  const candidates = numbers.filter((number) => weigh(number) <= last);
  if (candidates.length > WARM_ABOVE) texts.warm?.();
  return candidates
    .sort((a, b) => weigh(a) - weigh(b) || compareText(texts.text(a), texts.text(b)))
    .slice(offset, offset + limit);
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
