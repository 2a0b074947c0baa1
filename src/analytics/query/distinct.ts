import { addBits } from '../collections/popcount.ts';
import type { Arena } from '../memory/arena.ts';
import type { CodedColumn } from './coded-column.ts';
import type { People } from './people.ts';
import type { SelectionVector } from './select.ts';

/** Values of a dimension whose distinct visitors are wanted. */
export type WantedValues = { column: CodedColumn; codes: readonly number[] };

/** `bits`: by code, the value's number among the wanted ones, plus 1. */
type Part = { column: CodedColumn; bits: Uint8Array; firstBit: number; bitCount: number };

const WORD_BITS = 32;
/** Above this many values of one dimension, all of its values are counted together. */
export const SOME_VALUES_MAX = 64;

/**
 * The distinct visitors of some values. Each value is a bit; somebody's visits come together in words of bits, which are
 * counted at the end. Asking for each visit whether it brings something new is a guess that the processor gets wrong.
 */
export class DistinctSome {
  readonly #parts: Part[] = [];
  /** Of each person, 32 bits in each array. */
  readonly #seen: Uint32Array[];
  /** The bits of each visit of a segment. */
  readonly #words: Uint32Array;
  readonly #arena: Arena;
  readonly #wanted: readonly WantedValues[];

  constructor(wanted: readonly WantedValues[], peopleCount: number, arena: Arena) {
    this.#arena = arena;
    this.#wanted = wanted;
    let bit = 0;
    for (const { column, codes } of wanted) {
      const bits = arena.u8(column.count + 1);
      codes.forEach((code, index) => {
        bits[code] = index + 1; // SOME_VALUES_MAX fits
      });
      this.#parts.push({ column, bits, firstBit: bit, bitCount: codes.length });
      bit += codes.length;
    }
    this.#seen = Array.from({ length: Math.ceil(bit / WORD_BITS) }, () => arena.u32(peopleCount + 1));
    this.#words = arena.u32(2 ** 16);
  }

  add(vector: SelectionVector, people: People): void {
    const { ofVisits } = people;
    const words = this.#words;
    this.#seen.forEach((seen, word) => {
      words.fill(0, 0, vector.count);
      for (const part of this.#parts) {
        const isOfWord =
          part.firstBit < (word + 1) * WORD_BITS && part.firstBit + part.bitCount > word * WORD_BITS;
        if (isOfWord) this.#addPart(vector, part.column, this.#masks(vector, part, word));
      }
      for (let index = 0; index < vector.count; index += 1)
        (seen[ofVisits[index] as number] as number) |= words[index] as number; // within the vector
    });
  }

  /** By local code: the bits of a value in a word. */
  #masks({ segment }: SelectionVector, { column, bits, firstBit }: Part, word: number): Uint32Array {
    const codes = column.codes(segment);
    const masks = this.#arena.u32(codes.length);
    const shift = firstBit - word * WORD_BITS - 1;
    for (let local = 0; local < codes.length; local += 1) {
      const bit = bits[codes[local] as number] as number; // codes are not above the count
      const place = bit + shift;
      if (bit > 0 && place >= 0 && place < WORD_BITS) masks[local] = 1 << place;
    }
    return masks;
  }

  #addPart({ segment, count, visits, hits }: SelectionVector, column: CodedColumn, masks: Uint32Array): void {
    const words = this.#words;
    const local = column.local(segment);
    // Visits, events and local codes are within their columns.
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

  /** By code, for each of the wanted dimensions. */
  finish(): Map<number, number>[] {
    const counts = this.#seen.map((seen) => addBits(new Uint32Array(WORD_BITS), seen));
    let bit = 0;
    return this.#wanted.map(({ codes }) => {
      const found = new Map<number, number>();
      for (const code of codes) {
        found.set(code, counts[Math.floor(bit / WORD_BITS)]?.[bit % WORD_BITS] ?? 0);
        bit += 1;
      }
      return found;
    });
  }
}

/** The distinct visitors of all values of a dimension: gathers pairs (value, person), and sorts them by value. */
export class DistinctAll {
  readonly #segments: { codes: Uint32Array; people: Uint32Array }[] = [];

  constructor(
    readonly column: CodedColumn,
    readonly peopleCount: number,
  ) {}

  add(vector: SelectionVector, people: People): void {
    const { segment, count, visits, hits } = vector;
    const codesOf = this.column.codes(segment);
    const local = this.column.local(segment);
    const isOfVisits = this.column.scope === 'visit';
    const first = segment.column('first');
    const most = isOfVisits ? count : segment.eventCount;
    const codes = new Uint32Array(most);
    const persons = new Uint32Array(most);
    let pairs = 0;
    const keep = (code: number, person: number) => {
      codes[pairs] = code;
      persons[pairs] = person;
      pairs += 1;
    };
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number; // visits, events and local codes are within their columns
      const person = people.ofVisits[index] as number;
      if (isOfVisits) {
        keep(codesOf[local[visit] as number] as number, person);
        continue;
      }
      let before = -1;
      for (let event = first[visit] as number; event < (first[visit + 1] as number); event += 1) {
        if (hits !== undefined && hits[event] === 0) continue;
        const code = local[event] as number;
        if (code === before) continue; // often the same page again
        before = code;
        keep(codesOf[code] as number, person);
      }
    }
    this.#segments.push({ codes: codes.subarray(0, pairs), people: persons.subarray(0, pairs) });
  }

  /** By code. */
  finish(): Uint32Array {
    const size = this.column.count + 1;
    const next = new Uint32Array(size + 1);
    for (const { codes } of this.#segments) for (const code of codes) (next[code + 1] as number) += 1;
    for (let code = 0; code < size; code += 1) (next[code + 1] as number) += next[code] as number;
    const sorted = new Uint32Array(next[size] as number);
    for (const { codes, people } of this.#segments)
      for (let pair = 0; pair < codes.length; pair += 1) {
        const code = codes[pair] as number; // within the pairs
        sorted[next[code] as number] = people[pair] as number;
        (next[code] as number) += 1;
      }
    // next[code] is now where the pairs of that value end.
    const visitors = new Uint32Array(size);
    const stamp = new Uint32Array(this.peopleCount + 1);
    let pair = 0;
    for (let code = 0; code < size; code += 1)
      for (; pair < (next[code] as number); pair += 1) {
        const person = sorted[pair] as number;
        if (stamp[person] === code + 1) continue;
        stamp[person] = code + 1;
        (visitors[code] as number) += 1;
      }
    return visitors;
  }
}
