import { BitCounts } from '../collections/popcount.ts';
import type { Arena } from '../memory/arena.ts';
import type { CodedColumn } from './coded-column.ts';
import type { GroupBy } from './group-by.ts';
import type { Matches } from './matches.ts';
import type { VisitorIds } from './people.ts';

/** Values of a dimension whose distinct visitors are wanted. */
export type WantedValues = { group: GroupBy; codes: readonly number[] };

/** `bits` maps a code to its number among the wanted values, plus 1. */
type ValueBits = { column: CodedColumn; bits: Uint8Array; firstBit: number; bitCount: number };

const WORD_BITS = 32;
/** Maximum wanted values of one dimension; beyond it, all of its values are counted. */
export const SOME_VALUES_MAX = 64;

/**
 * Counts the distinct visitors of some values: the visits of a value, minus those of visitors already counted for it. Only
 * visits of visitors with several visits are looked at. Each value is a bit, and repeated bits are counted: a branch per
 * visit on whether it is new would be mispredicted.
 */
export class DistinctSome {
  readonly #values: ValueBits[] = [];
  /** The bits of each visitor, 32 in each array. */
  readonly #seen: Uint32Array[];
  readonly #repeated: BitCounts[];
  /** The bits of each visit of a segment. */
  readonly #words: Uint32Array;
  readonly #arena: Arena;
  readonly #wanted: readonly WantedValues[];

  constructor(wanted: readonly WantedValues[], peopleCount: number, arena: Arena) {
    this.#arena = arena;
    this.#wanted = wanted;
    let bit = 0;
    for (const { group, codes } of wanted) {
      const { column } = group;
      const left = WORD_BITS - (bit % WORD_BITS);
      // A dimension split over two words would be looked at twice.
      if (codes.length > left && codes.length <= WORD_BITS) bit += left;
      const bits = arena.u8(column.count + 1);
      codes.forEach((code, index) => {
        bits[code] = index + 1; // SOME_VALUES_MAX fits
      });
      this.#values.push({ column, bits, firstBit: bit, bitCount: codes.length });
      bit += codes.length;
    }
    this.#seen = Array.from({ length: Math.ceil(bit / WORD_BITS) }, () => arena.u32(peopleCount + 1));
    this.#repeated = this.#seen.map(() => new BitCounts());
    this.#words = arena.u32(2 ** 16);
  }

  add(matches: Matches, people: VisitorIds): void {
    const returning = people.lookupReturning(matches);
    const { count } = returning;
    const { ofVisits } = people;
    const words = this.#words;
    this.#seen.forEach((seen, word) => {
      words.fill(0, 0, count);
      for (const part of this.#values) {
        const isOfWord =
          part.firstBit < (word + 1) * WORD_BITS && part.firstBit + part.bitCount > word * WORD_BITS;
        if (isOfWord) this.#addPart(returning, part.column, this.#masks(returning, part, word));
      }
      for (let index = 0; index < count; index += 1) {
        const person = ofVisits[index] as number;
        const own = words[index] as number;
        const before = seen[person] as number;
        words[index] = before & own;
        seen[person] = before | own;
      }
      this.#repeated[word]?.add(words, count);
    });
  }

  /** Returns by local code the bit of its value in a word. */
  #masks({ segment }: Matches, { column, bits, firstBit }: ValueBits, word: number): Uint32Array {
    const codes = column.codes(segment);
    const masks = this.#arena.u32(codes.length);
    const shift = firstBit - word * WORD_BITS - 1;
    for (let local = 0; local < codes.length; local += 1) {
      const bit = bits[codes[local] as number] as number;
      const place = bit + shift;
      if (bit > 0 && place >= 0 && place < WORD_BITS) masks[local] = 1 << place;
    }
    return masks;
  }

  #addPart(matches: Matches, column: CodedColumn, masks: Uint32Array): void {
    const { segment, count, visits, hits } = matches;
    const words = this.#words;
    const local = column.local(segment, matches);
    if (column.scope === 'visit') {
      for (let index = 0; index < count; index += 1)
        (words[index] as number) |= masks[local[visits[index] as number] as number] as number;
      return;
    }
    const first = segment.column('first');
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const end = first[visit + 1] as number;
      let mask = 0;
      for (let event = first[visit] as number; event < end; event += 1)
        if (hits === undefined || hits[event] === 1) mask |= masks[local[event] as number] as number;
      (words[index] as number) |= mask;
    }
  }

  /** Returns counts by code, for each wanted dimension. */
  finish(): Map<number, number>[] {
    const repeated = this.#repeated.map((counts) => counts.finish());
    return this.#wanted.map(({ group, codes }, index) => {
      const { visits } = group.counts;
      const firstBit = this.#values[index]?.firstBit ?? 0;
      const repeatsOf = (bit: number) => repeated[Math.floor(bit / WORD_BITS)]?.[bit % WORD_BITS] ?? 0;
      return new Map(
        codes.map((code, place) => [code, (visits[code] as number) - repeatsOf(firstBit + place)]),
      );
    });
  }
}

/**
 * Counts the distinct visitors of all values of a dimension. Visitor ids are sorted by value as they arrive: a value has
 * room for as many as it has visits.
 */
export class DistinctAll {
  readonly #group: GroupBy;
  /** The next free position of each code. */
  readonly #next: Uint32Array;
  readonly #people: Uint32Array;
  readonly #arena: Arena;

  /** @param group a counter that has counted everything that is added */
  constructor(group: GroupBy, arena: Arena) {
    const { visits } = group.counts;
    this.#group = group;
    this.#arena = arena;
    this.#next = arena.u32(visits.length);
    let room = 0;
    visits.forEach((count, code) => {
      this.#next[code] = room + 1; // after an unused 0, so that the first visitor differs from the entry before it
      room += count + 1;
    });
    this.#people = arena.u32(room);
  }

  add(matches: Matches, people: VisitorIds): void {
    people.lookup(matches);
    const { segment, count, visits, hits } = matches;
    const { column } = this.#group;
    const codes = column.codes(segment);
    const local = column.local(segment, matches);
    const isOfVisits = column.scope === 'visit';
    const first = segment.column('first');
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const person = people.ofVisits[index] as number;
      if (isOfVisits) {
        this.#note(codes[local[visit] as number] as number, person);
        continue;
      }
      const end = first[visit + 1] as number;
      for (let event = first[visit] as number; event < end; event += 1)
        if (hits === undefined || hits[event] === 1)
          this.#note(codes[local[event] as number] as number, person);
    }
  }

  /** Records a visitor once per segment: the visits of a visitor are adjacent. */
  #note(code: number, person: number): void {
    const place = this.#next[code] as number;
    if (this.#people[place - 1] === person) return;
    this.#people[place] = person;
    this.#next[code] = place + 1;
  }

  /** Returns counts by code. */
  finish(peopleCount: number): Uint32Array {
    const { visits } = this.#group.counts;
    const visitors = this.#arena.u32(visits.length);
    const lastCode = this.#arena.u32(peopleCount + 1);
    let from = 1;
    for (let code = 0; code < visits.length; code += 1) {
      const end = this.#next[code] as number;
      for (let place = from; place < end; place += 1) {
        const person = this.#people[place] as number;
        if (lastCode[person] === code + 1) continue;
        lastCode[person] = code + 1;
        (visitors[code] as number) += 1;
      }
      from += (visits[code] as number) + 1;
    }
    return visitors;
  }
}
