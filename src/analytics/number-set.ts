import { giveBack } from '../garbage.ts';

const SIZE_MIN = 4_096;
const GROWTH = 4;
/** 16 MiB of slots. */
const SLOTS_MAX = 2 ** 21;

/** Different numbers (session hashes), so many of them as fit. Open addressing, at most three quarters full. */
export class NumberSet {
  #slots = new Float64Array(SIZE_MIN).fill(-1);
  size = 0;
  /** Some number found no place. */
  isFull = false;

  /** @param number not negative */
  add(number: number): void {
    if (this.isFull) return;
    const slots = this.#slots;
    const slot = find(slots, number);
    if (slots[slot] === number) return;
    slots[slot] = number;
    this.size += 1;
    if (this.size * 4 >= slots.length * 3) this.#grow();
  }

  /** Gives its memory back at once; it takes no more numbers. */
  free(): void {
    this.isFull = true;
    giveBack(this.#slots);
  }

  #grow(): void {
    if (this.#slots.length >= SLOTS_MAX) {
      this.free();
      return;
    }
    const old = this.#slots;
    this.#slots = new Float64Array(Math.min(old.length * GROWTH, SLOTS_MAX)).fill(-1);
    for (const number of old) if (number !== -1) this.#slots[find(this.#slots, number)] = number;
    giveBack(old);
  }
}

function find(slots: Float64Array, number: number): number {
  const mask = slots.length - 1;
  let slot = (Math.imul((number | 0) ^ (number / 4_294_967_296), 0x9e3779b1) >>> 8) & mask;
  while (slots[slot] !== -1 && slots[slot] !== number) slot = (slot + 1) & mask;
  return slot;
}
