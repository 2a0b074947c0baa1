import type { Day } from './day.ts';
import { takePlaces } from './panels/scratch.ts';
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
};

/** @param visitorCount the greatest number of a visitor */
export function createScanPeople(visitorCount: number): ScanPeople {
  const { places, base } = takePlaces(visitorCount + 1);
  let last = 0;
  let people = new Uint32Array(0);

  return {
    count: () => last,
    of({ visitor }, { count, visits }) {
      if (people.length < count) people = new Uint32Array(Math.ceil(count * 1.25));
      // Without branches: whether somebody was met before is as good as random.
      let given = last;
      for (let index = 0; index < count; index += 1) {
        const person = visitor[visits[index] as number] as number; // within their columns
        const known = (places[person] as number) - base;
        const isNew = (known - 1) >>> 31; // not above 0
        given += isNew;
        const number = (known & (isNew - 1)) | (given & -isNew);
        places[person] = base + number;
        people[index] = number;
      }
      last = given;
      return people;
    },
  };
}
