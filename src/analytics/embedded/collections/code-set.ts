import { BitCounts } from './popcount.ts';

/** What an entry of a Set takes, about. */
const ENTRY_BYTES = 32;

/** Different codes: in a set while they are few, then a bit for each that there may be. */
export class CodeSet {
  readonly #words: number;
  readonly #few = new Set<number>();
  #bits: Uint32Array | undefined;

  /** @param codeMax the greatest code that there may be */
  constructor(codeMax: number) {
    this.#words = (codeMax >>> 5) + 1;
  }

  /** @returns what adds a code, so many times at most */
  adder(count: number): (code: number) => void {
    const isMany = (this.#few.size + count) * ENTRY_BYTES > this.#words * Uint32Array.BYTES_PER_ELEMENT;
    if (!this.#bits && !isMany) return (code) => void this.#few.add(code);
    this.#bits ??= new Uint32Array(this.#words);
    const bits = this.#bits;
    const add = (code: number) => {
      bits[code >>> 5] = (bits[code >>> 5] as number) | (1 << (code & 31)); // within the words
    };
    this.#few.forEach(add);
    this.#few.clear();
    return add;
  }

  get size(): number {
    if (!this.#bits) return this.#few.size;
    const counts = new BitCounts();
    counts.add(this.#bits);
    return counts.finish().reduce((sum, count) => sum + count, 0);
  }
}
