import { discard } from '../../garbage.ts';
import type { Day } from '../day.ts';
import type { Selection } from '../selection.ts';
import { takeScratch } from './scratch.ts';

/** Finds the distinct visitors of values. `finish` gives them by the value's number. */
export type DistinctPanel<Found> = {
  add(day: Day, selection: Selection): void;
  finish(): Found;
};

/** Where the numbers of values are: in a column of visits, through a table when it has combinations, or of events. */
export type ValueColumn =
  | { of: 'visits'; column: (day: Day) => Uint32Array; numbers: Uint32Array | undefined }
  | { of: 'events'; column: (day: Day) => Uint32Array };

/** The pairs (value, visitor) of one day. Numbers of values are mostly below 65,536. */
type Pairs = { values: Uint16Array | Uint32Array; people: Uint32Array };

/**
 * For all values: gathers the pairs (value, visitor), sorts them by value, and stamps each visitor with the value. The
 * pairs of each day are kept by themselves: one growing array would be there twice each time it grows.
 */
export function createDistinctAll(
  source: ValueColumn,
  size: () => number,
  visitorCount: number,
): DistinctPanel<Uint32Array> {
  const days: Pairs[] = [];
  /** Filled for one day, and again for the next. */
  let values = new Uint32Array(0);
  let people = new Uint32Array(0);
  let pairs = 0;

  function begin(most: number): void {
    pairs = 0;
    if (most <= values.length) return;
    values = new Uint32Array(Math.ceil(most * 1.25));
    people = new Uint32Array(values.length);
  }

  function keep(): void {
    const kept = values.subarray(0, pairs);
    const isNarrow = size() <= 0x10000;
    days.push({
      values: isNarrow ? new Uint16Array(kept) : kept.slice(),
      people: people.slice(0, pairs),
    });
  }

  function addVisits(
    column: Uint32Array,
    numbers: Uint32Array | undefined,
    { visitor }: Day,
    { count, visits }: Selection,
  ): void {
    begin(count);
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const number = column[visit] as number;
      values[pairs] = numbers ? (numbers[number] as number) : number;
      people[pairs] = visitor[visit] as number;
      pairs += 1;
    }
  }

  function addEvents(
    column: Uint32Array,
    { visitor, first, eventCount }: Day,
    { count, visits, hit }: Selection,
  ): void {
    begin(eventCount);
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const person = visitor[visit] as number;
      const end = first[visit + 1] as number;
      let before = -1;
      for (let event = first[visit] as number; event < end; event += 1) {
        if (hit !== undefined && hit[event] === 0) continue;
        const value = column[event] as number;
        if (value === before) continue; // often the same page again; other repeats are found by the stamps
        before = value;
        values[pairs] = value;
        people[pairs] = person;
        pairs += 1;
      }
    }
  }

  function finish(): Uint32Array {
    const valueCount = size();
    const next = new Uint32Array(valueCount + 1);
    let total = 0;
    for (const day of days) {
      for (const value of day.values) (next[value + 1] as number) += 1;
      total += day.people.length;
    }
    for (let value = 0; value < valueCount; value += 1)
      next[value + 1] = (next[value + 1] as number) + (next[value] as number);
    const sorted = new Uint32Array(total);
    for (const day of days) sortInto(sorted, next, day);
    // next[value] is now where the pairs of that value end.
    const visitors = new Uint32Array(valueCount);
    const stamp = takeScratch(visitorCount + 1);
    let pair = 0;
    for (let value = 0; value < valueCount; value += 1) {
      const end = next[value] as number;
      let distinct = 0;
      for (; pair < end; pair += 1) {
        const person = sorted[pair] as number;
        if (stamp[person] === value + 1) continue;
        stamp[person] = value + 1;
        distinct += 1;
      }
      visitors[value] = distinct;
    }
    discard(total * 12);
    return visitors;
  }

  return {
    add(day, selection) {
      const column = source.column(day);
      if (source.of === 'visits') addVisits(column, source.numbers, day, selection);
      else addEvents(column, day, selection);
      keep();
    },
    finish,
  };
}

/** @param next by value: where its next pair goes */
function sortInto(sorted: Uint32Array, next: Uint32Array, { values, people }: Pairs): void {
  for (let pair = 0; pair < people.length; pair += 1) {
    // A day has as many values as people; values are below the length of `next`.
    const value = values[pair] as number;
    const place = next[value] as number;
    sorted[place] = people[pair] as number;
    next[value] = place + 1;
  }
}
