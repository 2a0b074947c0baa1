import type { Day } from '../day.ts';
import type { Returning } from '../scan-people.ts';
import { addBits } from './count-bits.ts';
import type { ValueColumn } from './distinct.ts';
import type { BitField, PeopleBits } from './people-bits.ts';
import { takeCounts, takeUnfilled, withSpare } from './scratch.ts';

/** A dimension and those of its values whose visitors are wanted. */
export type WantedValues = { source: ValueColumn; values: readonly number[] };

/** Finds how many visits each of some values has beyond one for each visitor. */
export type RepeatsPanel = {
  add(day: Day, returning: Returning): void;
  /** By value, of each dimension. A value's visits without these are its distinct visitors. */
  finish(): ReadonlyMap<number, number>[];
};

/** Values that are worth a bit of each visitor. */
export const SOME_VALUES_MAX = 64;
/** What one field of bits holds is one step of a panel. */
const FIELD_BITS = 32;

/**
 * Of some values of dimensions, all of which are in one column, the visits by somebody who has another one of the same
 * value. A number of the column is the mask of its values, and each person who made several visits has as many bits, in
 * which the masks come together. The bits are counted at the end: asking for each visit whether it brings something new
 * is a guess that the processor gets wrong too often. Whoever made one visit is no repeat and need not be looked at.
 *
 * @param wanted one at least
 * @param size   numbers of the column are below this
 * @param bits   of people as Returning numbers them
 */
export function createDistinctSome(
  wanted: readonly WantedValues[],
  size: number,
  bits: PeopleBits,
): RepeatsPanel {
  const bitCount = wanted.reduce((sum, { values }) => sum + values.length, 0);
  const [{ source }] = wanted as [WantedValues];
  const fields = Array.from({ length: Math.ceil(bitCount / FIELD_BITS) }, (_, index) => {
    const firstBit = index * FIELD_BITS;
    const field = bits.take(Math.min(FIELD_BITS, bitCount - firstBit));
    const masks = toMasks(wanted, size, firstBit, field.shift);
    return source.of === 'visits' ? ofVisits(field, masks, size) : ofEvents(field, masks);
  });

  return {
    add(day, returning) {
      const column = source.column(day);
      for (const { add } of fields) add(column, day, returning);
    },
    finish() {
      const visits = fields.map(({ visits }) => visits());
      let bit = 0;
      return wanted.map(({ values }) => {
        const found = new Map<number, number>();
        for (const value of values) {
          const index = Math.floor(bit / FIELD_BITS);
          const { field } = fields[index] as Field; // there is one for each bit
          const ofField = bit % FIELD_BITS;
          const counted = visits[index]?.[field.shift + ofField] ?? 0;
          found.set(value, counted - bits.count(field, ofField));
          bit += 1;
        }
        return found;
      });
    },
  };
}

type Field = {
  field: BitField;
  add(column: Uint32Array, day: Day, returning: Returning): void;
  /** By bit of the word: visits that have it. */
  visits(): Uint32Array;
};

/** Each visit has one number. */
function ofVisits(field: BitField, masks: Uint32Array, size: number): Field {
  const counts = takeCounts(size);
  const { word: seen } = field;
  return {
    field,
    add(column, _, { count, visits, people }) {
      for (let index = 0; index < count; index += 1) {
        // Numbers of visits, people and the column are within their columns.
        const number = column[visits[index] as number] as number;
        (seen[people[index] as number] as number) |= masks[number] as number;
        (counts[number] as number) += 1;
      }
    },
    visits() {
      const byBit = new Uint32Array(FIELD_BITS);
      for (let number = 0; number < size; number += 1)
        for (let rest = masks[number] as number; rest !== 0; rest &= rest - 1)
          (byBit[31 - Math.clz32(rest & -rest)] as number) += counts[number] as number;
      return byBit;
    },
  };
}

/** Each visit has those of its events. */
function ofEvents(field: BitField, masks: Uint32Array): Field {
  const { word: seen } = field;
  const byBit = new Uint32Array(FIELD_BITS);
  let found = new Uint32Array(0);
  return {
    field,
    add(column, day, returning) {
      const { count, people, hit } = returning;
      if (found.length < count) found = takeUnfilled(withSpare(count));
      if (hit) gatherHits(found, masks, column, day, returning, hit);
      else gather(found, masks, column, day, returning);
      for (let index = 0; index < count; index += 1)
        (seen[people[index] as number] as number) |= found[index] as number; // within them
      addBits(byBit, found.subarray(0, count));
    },
    visits: () => byBit,
  };
}

/**
 * The values of each visit. How many events one has is as good as random, so that many are looked at in any case (the last
 * one again where there are fewer), and only those of longer visits are gone through.
 */
function gather(
  found: Uint32Array,
  masks: Uint32Array,
  column: Uint32Array,
  { first }: Day,
  { count, visits }: Returning,
): void {
  for (let index = 0; index < count; index += 1) {
    // Visits, events and numbers are within their columns; no visit is without an event.
    const visit = visits[index] as number;
    let event = first[visit] as number;
    const last = (first[visit + 1] as number) - 1;
    let mask =
      (masks[column[event] as number] as number) |
      (masks[column[Math.min(event + 1, last)] as number] as number) |
      (masks[column[Math.min(event + 2, last)] as number] as number) |
      (masks[column[Math.min(event + 3, last)] as number] as number) |
      (masks[column[Math.min(event + 4, last)] as number] as number) |
      (masks[column[Math.min(event + 5, last)] as number] as number);
    for (event += 6; event <= last; event += 1) mask |= masks[column[event] as number] as number;
    found[index] = mask;
  }
}

function gatherHits(
  found: Uint32Array,
  masks: Uint32Array,
  column: Uint32Array,
  { first }: Day,
  { count, visits }: Returning,
  hit: Uint8Array,
): void {
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number;
    const end = first[visit + 1] as number;
    let mask = 0;
    for (let event = first[visit] as number; event < end; event += 1)
      if (hit[event] === 1) mask |= masks[column[event] as number] as number;
    found[index] = mask;
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
  let before = 0;
  for (const { source, values } of wanted) {
    const numbers = source.of === 'visits' ? source.numbers : undefined;
    const ofValues = takeCounts(
      numbers ? values.reduce((most, value) => Math.max(most, value), 0) + 1 : size,
    );
    values.forEach((value, index) => {
      const place = before + index - firstBit;
      if (place >= 0 && place < FIELD_BITS && value < ofValues.length) ofValues[value] = 1 << (shift + place);
    });
    for (let number = 0; number < size; number += 1)
      (masks[number] as number) |= ofValues[numbers ? (numbers[number] ?? 0) : number] ?? 0; // both are of this size
    before += values.length;
  }
  return masks;
}
