import type { Day } from './day.ts';
import { takeBytes, takePlaces, takeUnfilled } from './panels/scratch.ts';
import type { Selection } from './selection.ts';

/**
 * Numbers for the people of one question, from 1, in the order in which they are met. Panels keep something for each, and
 * a question is about a part of a website's visitors: else arrays for a million are filled and read to find some thousands.
 */
export type ScanPeople = {
  /** How many different ones were met. */
  count(): number;
  /** Who made each of the selected visits. Overwritten by the next call. */
  of(day: Day, selection: Selection): Uint32Array;
  /** How many of them have made several of the visits, once all visits were met. */
  returningCount(): number;
  /** Overwritten by the next call. */
  returning(selection: Selection): Returning;
};

/**
 * Those of the selected visits whose people have made several, in the whole question. Only these visits can be of a visitor
 * that another one has counted already; they are half of a month's, by a quarter of its people.
 */
export type Returning = Pick<Selection, 'count' | 'visits' | 'hit'> & {
  /** Who made each of the visits: numbers of returning people alone, from 1. */
  people: Uint32Array;
};

/** @param visitorCount the greatest number of a visitor */
export function createScanPeople(visitorCount: number): ScanPeople {
  const { places, base } = takePlaces(visitorCount + 1);
  /** By number: 1 for who was met twice. */
  const isReturning = takeBytes(visitorCount + 1);
  let last = 0;
  let people = new Uint32Array(0);
  const found: Returning = {
    count: 0,
    visits: new Uint32Array(0),
    people: new Uint32Array(0),
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
    of({ visitor }, { count, visits }) {
      if (people.length < count) people = takeUnfilled(Math.ceil(count * 1.25));
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
    returning({ count, visits, people: all, hit }) {
      ranked ??= rank();
      const { ranks } = ranked;
      if (found.visits.length <= count) {
        found.visits = takeUnfilled(Math.ceil(count * 1.25) + 1);
        found.people = takeUnfilled(found.visits.length);
      }
      const { visits: ofThem, people: whose } = found;
      let kept = 0;
      for (let index = 0; index < count; index += 1) {
        const number = ranks[all[index] as number] as number; // within them
        ofThem[kept] = visits[index] as number;
        whose[kept] = number;
        kept += -number >>> 31; // 1 unless it is 0
      }
      found.count = kept;
      found.hit = hit;
      return found;
    },
  };
}
