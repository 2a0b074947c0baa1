import type { Day } from './day.ts';
import { takeScratch } from './panels/scratch.ts';
import type { Selection } from './selection.ts';

/**
 * Numbers for the people of one question. Panels keep something for each, so when the question is about a part of a
 * website's visitors, those are numbered anew: else arrays for a million are filled and read to find some thousands.
 */
export type ScanPeople = {
  /** Numbers go up to this. */
  max: number;
  /** Who made each of the selected visits. Overwritten by the next call. */
  of(day: Day, selection: Selection): Uint32Array;
};

/** @param visitsMax how many visits all selections have together */
export function createScanPeople(visitorCount: number, visitsMax: number): ScanPeople {
  const numbers = visitsMax < visitorCount ? takeScratch(visitorCount + 1) : undefined;
  let last = 0;
  let people = new Uint32Array(0);

  return {
    max: numbers ? visitsMax : visitorCount,
    of({ visitor }, { count, visits }) {
      if (people.length < count) people = new Uint32Array(Math.ceil(count * 1.25));
      // Numbers of visits and visitors are within their columns.
      for (let index = 0; index < count; index += 1)
        people[index] = visitor[visits[index] as number] as number;
      if (numbers) renumber(numbers, count);
      return people;
    },
  };

  function renumber(known: Uint32Array, count: number): void {
    for (let index = 0; index < count; index += 1) {
      const person = people[index] as number;
      if (known[person] === 0) {
        last += 1;
        known[person] = last;
      }
      people[index] = known[person] as number;
    }
  }
}
