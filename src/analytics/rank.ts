import type { Breakdown, BreakdownRow } from './analytics.ts';
import { nthLeast } from './nth-least.ts';
import { type CountColumns, countsAt, toFigures } from './panels/figures.ts';
import { takeCounts, takeNumbers } from './panels/scratch.ts';
import type { Metric } from './vocabulary.ts';

/** The texts behind the numbers of a dimension's values; 0 is absent. */
export type Texts = {
  text(number: number): string;
  /** Prepares many calls of `text`. */
  warm?(): void;
};

/** Above this many texts it is cheaper to read the whole dictionary than each by itself. */
const WARM_ABOVE = 500;

/** Orders values, and gives the wanted page of them. */
export function rankValues(
  present: Uint32Array,
  counts: CountColumns,
  texts: Texts,
  { sort = { by: 'visitors', descending: true }, limit, offset = 0 }: Breakdown,
): number[] {
  const { by, descending } = sort;
  const weigh = by === 'value' ? undefined : weigher(counts, by);
  return rankNumbers(present, texts, { limit, offset, descending, weigh });
}

export function toRows(numbers: readonly number[], counts: CountColumns, texts: Texts): BreakdownRow[] {
  return numbers.map((number) => ({
    value: number === 0 ? null : texts.text(number),
    ...toFigures(countsAt(counts, number)),
  }));
}

/** What a value is ordered by. */
export function weigher(counts: CountColumns, by: Metric): (number: number) => number {
  if (by === 'visitors' || by === 'visits' || by === 'pageviews' || by === 'events') {
    const column = counts[by];
    return (number) => column[number] ?? 0;
  }
  return (number) => toFigures(countsAt(counts, number))[by];
}

type Ranking = {
  limit: number;
  offset: number;
  descending: boolean;
  /** Undefined: by text. */
  weigh: ((number: number) => number) | undefined;
};

/** The wanted page of the numbers of values. */
export function rankNumbers(
  present: Uint32Array,
  texts: Texts,
  { limit, offset, descending, weigh }: Ranking,
): number[] {
  if (!weigh) return [...byText(present, texts, descending).subarray(offset, offset + limit)];
  const sign = descending ? -1 : 1;
  return byWeight(present, (number) => sign * weigh(number), texts, offset, limit);
}

/** The numbers of the values that have events and are searched for, ascending. Valid until the next question begins. */
export function presentNumbers(
  { events }: CountColumns,
  { search = '', withAbsent = false }: Pick<Breakdown, 'search' | 'withAbsent'>,
  texts: Texts,
): Uint32Array {
  const present = takeCounts(events.length);
  let count = 0;
  const wanted = search.toLowerCase();
  if (wanted !== '') texts.warm?.();
  for (let number = withAbsent && wanted === '' ? 0 : 1; number < events.length; number += 1) {
    if (events[number] === 0) continue;
    if (wanted !== '' && !texts.text(number).toLowerCase().includes(wanted)) continue;
    present[count] = number;
    count += 1;
  }
  return present.subarray(0, count);
}

/** Few of many, most often. */
export function numbersThat(isWanted: (number: number) => boolean, numbers: Uint32Array): number[] {
  const found: number[] = [];
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index] as number; // within it
    if (isWanted(number)) found.push(number);
  }
  return found;
}

/** Only the values that can be on the page are compared by text: a tie at its end may hold thousands. */
function byWeight(
  numbers: Uint32Array,
  weigh: (number: number) => number,
  texts: Texts,
  offset: number,
  limit: number,
): number[] {
  if (limit === 0 || numbers.length <= offset) return [];
  const weights = takeNumbers(numbers.length);
  numbers.forEach((number, index) => {
    weights[index] = weigh(number);
  });
  const last = nthLeast(weights, Math.min(offset + limit, numbers.length) - 1);
  const candidates = numbersThat((number) => weigh(number) <= last, numbers);
  if (candidates.length > WARM_ABOVE) texts.warm?.();
  return candidates
    .sort((a, b) => weigh(a) - weigh(b) || compareText(texts.text(a), texts.text(b)))
    .slice(offset, offset + limit);
}

function byText(numbers: Uint32Array, texts: Texts, descending: boolean): Uint32Array {
  texts.warm?.();
  const sign = descending ? -1 : 1;
  return numbers.toSorted((a, b) => sign * compareText(texts.text(a), texts.text(b)));
}

/** By UTF-16 units, as `<` compares; the empty text (absent) is the least. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
