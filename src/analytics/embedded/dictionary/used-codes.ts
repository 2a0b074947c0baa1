/** Codes of a dictionary that are in use. Codes assigned after construction always are. */
export class UsedCodes {
  readonly #bits: Uint8Array;

  /** @param count greatest code at present */
  constructor(count: number) {
    this.#bits = new Uint8Array(count + 1);
  }

  add(code: number): void {
    if (code < this.#bits.length) this.#bits[code] = 1;
  }

  addAll(codes: Iterable<number>): void {
    for (const code of codes) this.add(code);
  }

  has(code: number): boolean {
    return code >= this.#bits.length || this.#bits[code] === 1;
  }
}
