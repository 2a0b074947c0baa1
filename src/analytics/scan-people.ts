import type { Day } from './day.ts';
import { takeBytes, takePlaces, takeUnfilled, withSpare } from './panels/scratch.ts';
import type { Selection } from './selection.ts';

/**
 * Numbers for the people of one question, from 1, in the order in which they are met. Panels keep something for each, and
 * a question is about a part of a website's visitors: else arrays for a million are filled and read to find some thousands.
 */
export type ScanPeople = {
  /** How many different ones were met. */
  count(): number;
  /**
   * Who made each of the selected visits.
   *
   * @param out has room for as many; without it the answer is overwritten by the next call
   */
  of(day: Day, selection: Selection, out?: Uint32Array): Uint32Array;
  /** How many of them have made several of the visits, once all visits were met. */
  returningCount(): number;
  /** A part of them at a time, each overwritten by the next one. */
  returning(selection: Selection): Iterable<Returning>;
};

/**
 * Those of the selected visits whose people have made several, in the whole question. Only these visits can be of a visitor
 * that another one has counted already; they are half of a month's, by a quarter of its people.
 */
export type Returning = Pick<Selection, 'count' | 'visits' | 'hit'> & {
  /** Who made each of the visits: numbers of returning people alone, from 1. */
  people: Uint32Array;
};

/** Visits that are looked at at once: what is noted of them stays in the processor's cache. */
const PART_VISITS = 16 * 1024;

/** @param visitorCount the greatest number of a visitor */
export function createScanPeople(visitorCount: number): ScanPeople {
  const { places, base } = takePlaces(visitorCount + 1);
  /** By number: 1 for who was met twice. */
  const isReturning = takeBytes(visitorCount + 1);
  let last = 0;
  let shared = new Uint32Array(0);
  const found: Returning = {
    count: 0,
    visits: takeUnfilled(PART_VISITS + 1),
    people: takeUnfilled(PART_VISITS + 1),
    hit: undefined,
  };
  let ranked: { ranks: Uint32Array; count: number } | undefined;

  /** By number: that among those who return; 0 for the others. */
  function rank(): { ranks: Uint32Array; count: number } {
    const ranks = takeUnfilled(last + 1);
    let count = 0;
    for (let number = 1; number <= last; number += 1) {
      const returns = isReturning[number] as number; // within it
      count += returns;
      ranks[number] = count & -returns;
    }
    return { ranks, count };
  }

  return {
    count: () => last,
    of({ visitor }, { count, visits }, out) {
      if (!out && shared.length < count) shared = takeUnfilled(withSpare(count));
      const people = out ?? shared;
      // Without branches: whether somebody was met before is as good as random.
      let given = last;
      for (let index = 0; index < count; index += 1) {
        const person = visitor[visits[index] as number] as number; // within their columns
        const known = (places[person] as number) - base;
        const isNew = (known - 1) >>> 31; // not above 0
        given += isNew;
        const number = (known & (isNew - 1)) | (given & -isNew);
        places[person] = base + number;
        isReturning[number] = isNew ^ 1;
        people[index] = number;
      }
      last = given;
      return people;
    },
    returningCount() {
      ranked ??= rank();
      return ranked.count;
    },
    *returning({ count, visits, people: all, hit }) {
      ranked ??= rank();
      const { ranks } = ranked;
      found.hit = hit;
      for (let from = 0; from < count; from += PART_VISITS) {
        const to = Math.min(from + PART_VISITS, count);
        found.count = keepReturning(found, ranks, visits.subarray(from, to), all.subarray(from, to));
        yield found;
      }
    },
  };
}

/** @returns how many are kept */
function keepReturning(
  { visits: ofThem, people: whose }: Returning,
  ranks: Uint32Array,
  visits: Uint32Array,
  all: Uint32Array,
): number {
  let kept = 0;
  for (let index = 0; index < visits.length; index += 1) {
    const number = ranks[all[index] as number] as number; // within them
    ofThem[kept] = visits[index] as number;
    whose[kept] = number;
    kept += -number >>> 31; // 1 unless it is 0
  }
  return kept;
}
