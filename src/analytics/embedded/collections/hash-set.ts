import { freeBuffer } from '../../../process/garbage.ts';

const SLOTS_MIN = 1_024;

/** A set of widely spread numbers (session hashes). Open addressing, at most two thirds full. */
export class HashSet {
  #slots: Float64Array;
  size = 0;

  /** @param expected approximate final size; the table grows beyond it */
  constructor(expected = 0) {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(SLOTS_MIN, expected * 1.5)));
    this.#slots = new Float64Array(slots).fill(-1);
  }

  /** @param number not negative */
  add(number: number): void {
    const slot = this.#find(number);
    if (this.#slots[slot] === number) return;
    this.#slots[slot] = number;
    this.size += 1;
    if (this.size * 3 > this.#slots.length * 2) this.#grow();
  }

  /** Frees its memory at once. The set must not be used afterwards. */
  free(): void {
    freeBuffer(this.#slots);
  }

  #find(number: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (Math.imul((number | 0) ^ (number / 4_294_967_296), 0x9e3779b1) >>> 8) & mask;
    while (slots[slot] !== -1 && slots[slot] !== number) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Float64Array(old.length * 2).fill(-1);
    for (const number of old) if (number !== -1) this.#slots[this.#find(number)] = number;
    freeBuffer(old);
  }
}
