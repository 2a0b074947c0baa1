import { giveBack } from '../garbage.ts';

/** Gives numbers (session hashes, visitors) the places 0, 1, 2, … in the order in which they come. Open addressing. */
export class NumberTable {
  #keys = new Float64Array(1_024).fill(-1);
  #places = new Uint32Array(1_024);
  #inOrder = new Float64Array(1_024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param key not negative */
  place(key: number): number {
    if (this.#size * 2 >= this.#keys.length) this.#grow();
    const slot = this.#find(key);
    if (this.#keys[slot] !== key) {
      this.#keys[slot] = key;
      this.#places[slot] = this.#size;
      this.#inOrder[this.#size] = key;
      this.#size += 1;
    }
    return this.#places[slot] as number; // the slot is within the table
  }

  keyAt(place: number): number {
    return this.#inOrder[place] as number; // below size
  }

  /** Gives its memory back at once; it is not to be used any more. */
  free(): void {
    for (const array of [this.#keys, this.#places, this.#inOrder]) giveBack(array);
  }

  #find(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = (Math.imul((key | 0) ^ (key / 4_294_967_296), 0x9e3779b1) >>> 8) & mask;
    while (this.#keys[slot] !== -1 && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const keys = this.#keys;
    const places = this.#places;
    const inOrder = this.#inOrder;
    this.#keys = new Float64Array(keys.length * 4).fill(-1);
    this.#places = new Uint32Array(keys.length * 4);
    this.#inOrder = new Float64Array(keys.length * 4);
    this.#inOrder.set(inOrder);
    keys.forEach((key, old) => {
      if (key === -1) return;
      const slot = this.#find(key);
      this.#keys[slot] = key;
      this.#places[slot] = places[old] as number; // the arrays have one length
    });
    for (const array of [keys, places, inOrder]) giveBack(array);
  }
}
