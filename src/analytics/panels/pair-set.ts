/** A set of pairs of numbers, for the rare second value of a visitor. Open addressing; pairs below 2^53 together. */
export class PairSet {
  #slots = new Float64Array(1_024).fill(-1);
  #size = 0;

  /** @returns whether the pair is new; `width` is greater than every `second` and the same in every call */
  add(first: number, second: number, width: number): boolean {
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    const pair = first * width + second;
    const slot = this.#find(pair);
    if (this.#slots[slot] === pair) return false;
    this.#slots[slot] = pair;
    this.#size += 1;
    return true;
  }

  #find(pair: number): number {
    const mask = this.#slots.length - 1;
    const low = pair | 0;
    let slot = (Math.imul(low ^ (pair / 4_294_967_296), 0x9e3779b1) >>> 8) & mask;
    while (this.#slots[slot] !== -1 && this.#slots[slot] !== pair) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Float64Array(old.length * 4).fill(-1);
    for (const pair of old) if (pair !== -1) this.#slots[this.#find(pair)] = pair;
  }
}
