import { release } from '../../garbage.ts';
import { HIGH, highOf, lowOf, type Tally } from './tally.ts';

/**
 * Counts of the few values that there are, each at its place in `numbers`; as narrow as most of them are, because they
 * are kept: pairs as in Tally, of 16 bits each. What does not fit is beside them: a page that every visitor of a large
 * website sees.
 */
export type SparseCounts = {
  numbers: Uint32Array;
  eventsAndViews: Uint32Array;
  visitsAndBounces: Uint32Array;
  durationMs: Uint32Array;
  large: readonly Large[];
};
type Large = { number: number; eventsAndViews: number; visitsAndBounces: number; durationMs: number };

const NARROW_BITS = 16;
const NARROW_MAX = 0xffff;
const DURATION_MAX = 0xffff_ffff;

/** What was counted. Leaves zeros, for the next time. */
export function takeSparse({ eventsAndViews, visitsAndBounces, durationMs }: Tally): SparseCounts {
  const found: number[] = [];
  const large: Large[] = [];
  eventsAndViews.forEach((events, number) => {
    if (events === 0) return;
    const one = pairsAt(number);
    // No other count is above that of events.
    if (lowOf(events) <= NARROW_MAX && one.durationMs <= DURATION_MAX) found.push(number);
    else large.push(one);
  });
  const take = (read: (number: number) => number) => {
    const column = new Uint32Array(found.length);
    found.forEach((number, place) => {
      column[place] = read(number);
    });
    return column;
  };
  const sparse = {
    numbers: take((number) => number),
    eventsAndViews: take((number) => toNarrow(eventsAndViews[number] ?? 0)),
    visitsAndBounces: take((number) => toNarrow(visitsAndBounces[number] ?? 0)),
    durationMs: take((number) => durationMs[number] ?? 0),
    large,
  };
  for (const column of [eventsAndViews, visitsAndBounces, durationMs]) column.fill(0);
  return sparse;

  function pairsAt(number: number): Large {
    return {
      number,
      eventsAndViews: eventsAndViews[number] ?? 0,
      visitsAndBounces: visitsAndBounces[number] ?? 0,
      durationMs: durationMs[number] ?? 0,
    };
  }
}

export function addSparse(into: Tally, sparse: SparseCounts): void {
  const { numbers, eventsAndViews, visitsAndBounces, durationMs } = sparse;
  for (let place = 0; place < numbers.length; place += 1) {
    // All columns have one length, and numbers are below the size of `into`.
    const number = numbers[place] as number;
    (into.eventsAndViews[number] as number) += toPair(eventsAndViews[place] as number);
    (into.visitsAndBounces[number] as number) += toPair(visitsAndBounces[place] as number);
    (into.durationMs[number] as number) += durationMs[place] as number;
  }
  for (const one of sparse.large) {
    (into.eventsAndViews[one.number] as number) += one.eventsAndViews;
    (into.visitsAndBounces[one.number] as number) += one.visitsAndBounces;
    (into.durationMs[one.number] as number) += one.durationMs;
  }
}

function toNarrow(pair: number): number {
  return lowOf(pair) | (highOf(pair) << NARROW_BITS);
}

function toPair(narrow: number): number {
  return (narrow & NARROW_MAX) + (narrow >>> NARROW_BITS) * HIGH;
}

const BYTES_A_NUMBER = 16;

export function sparseBytes({ numbers }: SparseCounts): number {
  return numbers.length * BYTES_A_NUMBER;
}

/** Gives its memory back. */
export function freeSparse({ numbers, eventsAndViews, visitsAndBounces, durationMs }: SparseCounts): void {
  for (const column of [numbers, eventsAndViews, visitsAndBounces, durationMs]) release(column);
}
