import { type CountColumns, type Counts, countsAt } from './figures.ts';

/**
 * Counts of the few values that there are, each at its place in `numbers`; as narrow as most of them are, because they
 * are kept. What does not fit is beside them: a page that every visitor of a large website sees.
 */
export type SparseCounts = {
  numbers: Uint32Array;
  visits: Uint16Array;
  pageviews: Uint16Array;
  events: Uint16Array;
  bounces: Uint16Array;
  durationMs: Uint32Array;
  large: readonly (Counts & { number: number })[];
};

/** What was counted, but for the visitors, who do not add up. Leaves zeros, for the next time. */
export function takeSparse(all: CountColumns): SparseCounts {
  const found: number[] = [];
  const large: (Counts & { number: number })[] = [];
  all.events.forEach((events, number) => {
    if (events === 0) return;
    // No other count is above that of events.
    if (events <= 0xffff && (all.durationMs[number] ?? 0) <= 0xffff_ffff) found.push(number);
    else large.push({ number, ...countsAt(all, number) });
  });
  const take = <Into extends Uint16Array | Uint32Array>(from: ArrayLike<number>, into: Into): Into => {
    found.forEach((number, place) => {
      into[place] = from[number] ?? 0;
    });
    return into;
  };
  const sparse = {
    numbers: Uint32Array.from(found),
    visits: take(all.visits, new Uint16Array(found.length)),
    pageviews: take(all.pageviews, new Uint16Array(found.length)),
    events: take(all.events, new Uint16Array(found.length)),
    bounces: take(all.bounces, new Uint16Array(found.length)),
    durationMs: take(all.durationMs, new Uint32Array(found.length)),
    large,
  };
  for (const column of Object.values(all)) column.fill(0);
  return sparse;
}

export function addSparse(into: CountColumns, sparse: SparseCounts): void {
  const { numbers, visits, pageviews, events, bounces, durationMs } = sparse;
  for (let place = 0; place < numbers.length; place += 1) {
    // All columns have one length, and numbers are below the size of `into`.
    const number = numbers[place] as number;
    (into.visits[number] as number) += visits[place] as number;
    (into.pageviews[number] as number) += pageviews[place] as number;
    (into.events[number] as number) += events[place] as number;
    (into.bounces[number] as number) += bounces[place] as number;
    (into.durationMs[number] as number) += durationMs[place] as number;
  }
  for (const one of sparse.large) {
    (into.visits[one.number] as number) += one.visits;
    (into.pageviews[one.number] as number) += one.pageviews;
    (into.events[one.number] as number) += one.events;
    (into.bounces[one.number] as number) += one.bounces;
    (into.durationMs[one.number] as number) += one.durationMs;
  }
}

const BYTES_A_NUMBER = 16;

export function sparseBytes({ numbers }: SparseCounts): number {
  return numbers.length * BYTES_A_NUMBER;
}
