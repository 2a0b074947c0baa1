import type { Day } from '../day.ts';
import type { Selection } from '../selection.ts';
import type { DistinctPanel, ValueColumn } from './distinct.ts';
import type { PeopleBits } from './people-bits.ts';
import { takeCounts } from './scratch.ts';

/** A dimension and those of its values whose visitors are wanted. */
export type WantedValues = { source: ValueColumn; values: readonly number[] };

/** Values that are worth a bit of each visitor. */
export const SOME_VALUES_MAX = 64;
/** Where more than one visit in so many is selected, it is worth going through all events of a day. */
const WHOLE_SHARE = 2;
/** What one field of bits holds is one step of a panel. */
const FIELD_BITS = 32;

/**
 * Distinct visitors of some values of dimensions, all of which are in one column. A number of the column is the mask of
 * its values, and each visitor has as many bits, in which the masks come together. The bits are counted at the end:
 * asking for each visit whether it brings something new is a guess that the processor gets wrong too often.
 *
 * @param wanted one at least
 * @param size   numbers of the column are below this
 */
export function createDistinctSome(
  wanted: readonly WantedValues[],
  size: number,
  bits: PeopleBits,
): DistinctPanel<ReadonlyMap<number, number>[]> {
  const bitCount = wanted.reduce((sum, { values }) => sum + values.length, 0);
  const fields = Array.from({ length: Math.ceil(bitCount / FIELD_BITS) }, (_, index) => {
    const firstBit = index * FIELD_BITS;
    const field = bits.take(Math.min(FIELD_BITS, bitCount - firstBit));
    return { field, masks: toMasks(wanted, size, firstBit, field.shift) };
  });
  const [{ source }] = wanted as [WantedValues];
  let everybody = new Uint32Array(0);

  /** Who made each visit of a day; 0 for those that are not selected. */
  function spread({ visitCount }: Day, { count, visits, people }: Selection): Uint32Array {
    if (everybody.length < visitCount) everybody = new Uint32Array(Math.ceil(visitCount * 1.25));
    everybody.fill(0, 0, visitCount);
    for (let index = 0; index < count; index += 1)
      everybody[visits[index] as number] = people[index] as number; // numbers of visits are within the day
    return everybody;
  }

  return {
    add(day, selection) {
      const column = source.column(day);
      const isWhole = selection.hit === undefined && selection.count * WHOLE_SHARE > day.visitCount;
      const all = source.of === 'events' && isWhole ? spread(day, selection) : undefined;
      for (const { masks, field } of fields)
        if (source.of === 'visits') addVisits(field.word, masks, column, selection);
        else if (all) addAllEvents(field.word, masks, column, day, all);
        else addEvents(field.word, masks, column, day, selection);
    },
    finish() {
      let bit = 0;
      return wanted.map(({ values }) => {
        const found = new Map<number, number>();
        for (const value of values) {
          const part = fields[Math.floor(bit / FIELD_BITS)];
          found.set(value, part ? bits.count(part.field, bit % FIELD_BITS) : 0);
          bit += 1;
        }
        return found;
      });
    },
  };
}

function addVisits(
  seen: Uint32Array,
  masks: Uint32Array,
  column: Uint32Array,
  { count, visits, people }: Selection,
): void {
  for (let index = 0; index < count; index += 1)
    // Numbers of visits, people and the column are within their columns.
    (seen[people[index] as number] as number) |= masks[column[visits[index] as number] as number] as number;
}

function addEvents(
  seen: Uint32Array,
  masks: Uint32Array,
  column: Uint32Array,
  { first }: Day,
  { count, visits, people, hit }: Selection,
): void {
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number;
    const end = first[visit + 1] as number;
    let mask = 0;
    for (let event = first[visit] as number; event < end; event += 1)
      if (hit === undefined || hit[event] === 1) mask |= masks[column[event] as number] as number;
    (seen[people[index] as number] as number) |= mask;
  }
}

/**
 * Event by event without a branch, which is three times as fast as visit by visit: how many events a visit has is as
 * good as random. What belongs to nobody goes to number 0.
 */
function addAllEvents(
  seen: Uint32Array,
  masks: Uint32Array,
  column: Uint32Array,
  { first, eventCount }: Day,
  everybody: Uint32Array,
): void {
  let visit = 0;
  for (let event = 0; event < eventCount; event += 1) {
    visit += 1 + ((event - (first[visit + 1] as number)) >> 31); // 1 where the next visit begins, else 0
    (seen[everybody[visit] as number] as number) |= masks[column[event] as number] as number;
  }
}

/** By the column's number: which of the FIELD_BITS values from `firstBit` on are its own, shifted to their place. */
function toMasks(
  wanted: readonly WantedValues[],
  size: number,
  firstBit: number,
  shift: number,
): Uint32Array {
  const masks = takeCounts(size);
  const add = (number: number, bit = -1) => {
    const place = bit - firstBit;
    if (place >= 0 && place < FIELD_BITS && number < size) (masks[number] as number) |= 1 << (shift + place);
  };
  let before = 0;
  for (const { source, values } of wanted) {
    const numbers = source.of === 'visits' ? source.numbers : undefined;
    const bits = new Map(values.map((value, index) => [value, before + index]));
    if (numbers) numbers.forEach((value, number) => void add(number, bits.get(value)));
    else for (const [value, bit] of bits) add(value, bit);
    before += values.length;
  }
  return masks;
}
