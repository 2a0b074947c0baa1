import { BitCounts } from './popcount.ts';

/** Approximate bytes of a Set entry. */
const ENTRY_BYTES = 32;

/** A set of codes: a Set while there are few, then one bit per possible code. */
export class CodeSet {
  readonly #words: number;
  readonly #few = new Set<number>();
  #bits: Uint32Array | undefined;

  /** @param codeMax greatest possible code */
  constructor(codeMax: number) {
    this.#words = (codeMax >>> 5) + 1;
  }

  /** @returns a function that adds a code, to be called at most `count` times */
  adder(count: number): (code: number) => void {
    const isMany = (this.#few.size + count) * ENTRY_BYTES > this.#words * Uint32Array.BYTES_PER_ELEMENT;
    if (!this.#bits && !isMany) return (code) => void this.#few.add(code);
    this.#bits ??= new Uint32Array(this.#words);
    const bits = this.#bits;
    const add = (code: number) => {
      bits[code >>> 5] = (bits[code >>> 5] as number) | (1 << (code & 31));
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
