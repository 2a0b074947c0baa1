import { giveBack } from '../../garbage.ts';

const SLOTS_MIN = 1_024;

/** Gives numbers (session hashes) the places 0, 1, 2, … in the order in which they come. Open addressing, at most two thirds full. */
export class HashIndex {
  #keys: Float64Array;
  #places: Uint32Array;
  size = 0;

  /** @param expected about how many keys will come; it grows when there are more */
  constructor(expected = 0) {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(SLOTS_MIN, expected * 1.5)));
    this.#keys = new Float64Array(slots).fill(-1);
    this.#places = new Uint32Array(slots);
  }

  /** @param key not negative */
  place(key: number): number {
    const slot = this.#find(key);
    if (this.#keys[slot] === key) return this.#places[slot] as number; // the slot is within the table
    this.#keys[slot] = key;
    this.#places[slot] = this.size;
    this.size += 1;
    if (this.size * 3 > this.#keys.length * 2) this.#grow();
    return this.size - 1;
  }

  /** Frees its memory at once; it is not to be used any more. */
  free(): void {
    giveBack(this.#keys);
    giveBack(this.#places);
  }

  #find(key: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    let slot = (Math.imul((key | 0) ^ (key / 4_294_967_296), 0x9e3779b1) >>> 8) & mask;
    while (keys[slot] !== -1 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const keys = this.#keys;
    const places = this.#places;
    this.#keys = new Float64Array(keys.length * 2).fill(-1);
    this.#places = new Uint32Array(keys.length * 2);
    for (let old = 0; old < keys.length; old += 1) {
      const key = keys[old] as number; // within the table
      if (key === -1) continue;
      const slot = this.#find(key);
      this.#keys[slot] = key;
      this.#places[slot] = places[old] as number;
    }
    giveBack(keys);
    giveBack(places);
  }
}
