/** What an entry of a Set takes, about. */
const ENTRY_BYTES = 32;

/** Different codes: a set of those that come while they are few, then a bit for each that there may be. */
export class CodeSet {
  size = 0;
  readonly #words: number;
  readonly #few = new Set<number>();
  #bits: Uint32Array | undefined;

  /** @param codeMax the greatest code that there may be */
  constructor(codeMax: number) {
    this.#words = (codeMax >>> 5) + 1;
  }

  add(code: number): void {
    if (this.#bits) this.#set(this.#bits, code);
    else {
      this.#few.add(code);
      this.size = this.#few.size;
      if (this.size * ENTRY_BYTES > this.#words * Uint32Array.BYTES_PER_ELEMENT) this.#widen();
    }
  }

  #widen(): void {
    this.#bits = new Uint32Array(this.#words);
    this.size = 0;
    for (const code of this.#few) this.#set(this.#bits, code);
    this.#few.clear();
  }

  #set(bits: Uint32Array, code: number): void {
    const word = bits[code >>> 5] as number; // within the words
    const bit = 1 << (code & 31);
    bits[code >>> 5] = word | bit;
    this.size += (word & bit) === 0 ? 1 : 0;
  }
}
