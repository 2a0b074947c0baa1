import type { Day } from '../day.ts';
import type { DistinctPanel } from './distinct.ts';
import { takeScratch, takeStamps } from './scratch.ts';

/** A dimension of an axis and those of its values whose visitors are wanted. */
export type AxisValues = {
  /** By the axis's number: the number of its value. */
  numbers: Uint32Array;
  values: readonly number[];
};

/**
 * Distinct visitors of several dimensions of one axis together. Most visitors come with one combination only (their
 * device, their country): they are counted under it, and folded into values at the end. Only a visitor that comes
 * with another combination is looked at value by value, with one bit for each value and visitor.
 *
 * @param size         numbers of the axis are below this
 * @param visitorCount the greatest number of a visitor
 */
export function createDistinctAxis(
  column: (day: Day) => Uint32Array,
  size: number,
  visitorCount: number,
  dimensions: readonly AxisValues[],
): DistinctPanel<ReadonlyMap<number, number>[]> {
  const words = (visitorCount >>> 5) + 1;
  /** By visitor: the number that it came with first, + 1. */
  const firstNumbers = takeStamps(visitorCount + 1, size);
  const visitorsOfNumber = new Uint32Array(size);
  const parts = dimensions.map(({ numbers, values }) => {
    const places = new Map(values.map((value, place) => [value, place + 1]));
    // By the axis's number: the place of its value in `values` + 1; 0 is not wanted.
    const slots = Uint8Array.from({ length: size }, (_, number) => places.get(numbers[number] ?? 0) ?? 0);
    return { slots, bits: takeScratch(words * values.length), visitors: new Uint32Array(values.length) };
  });

  function addOther(person: number, first: number, number: number): void {
    for (const { slots, bits, visitors } of parts) {
      // Numbers of the axis are below size.
      const slot = slots[number] as number;
      if (slot === 0 || slot === slots[first]) continue;
      const word = (slot - 1) * words + (person >>> 5);
      const bit = 1 << (person & 31);
      const before = bits[word] as number;
      if ((before & bit) !== 0) continue;
      bits[word] = before | bit;
      (visitors[slot - 1] as number) += 1;
    }
  }

  return {
    add(day, { count, visits }) {
      const axis = column(day);
      const { visitor } = day;
      for (let index = 0; index < count; index += 1) {
        // Numbers of visits and visitors are within their columns.
        const visit = visits[index] as number;
        const number = axis[visit] as number;
        const person = visitor[visit] as number;
        const first = firstNumbers[person] as number;
        if (first === number + 1) continue;
        if (first === 0) {
          firstNumbers[person] = number + 1;
          (visitorsOfNumber[number] as number) += 1;
        } else addOther(person, first - 1, number);
      }
    },
    finish: () =>
      dimensions.map(({ values }, index) => {
        const part = parts[index];
        const found = values.map((_, place) => part?.visitors[place] ?? 0);
        for (let number = 0; number < size; number += 1) {
          const slot = part?.slots[number] ?? 0;
          if (slot !== 0) found[slot - 1] = (found[slot - 1] ?? 0) + (visitorsOfNumber[number] ?? 0);
        }
        return new Map(values.map((value, place) => [value, found[place] ?? 0]));
      }),
  };
}
