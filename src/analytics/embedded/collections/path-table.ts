import { freeBuffer, grow } from '../../../process/garbage.ts';

const FIRST_SIZE = 1_024;

/** Counts paths: lists of a fixed number of codes. Distinct paths are numbered in order of first appearance. */
export class PathTable {
  size = 0;
  /** Steps of all paths, one path after another. */
  steps: Uint32Array;
  /** Occurrences of each path. */
  counts = new Uint32Array(FIRST_SIZE);
  readonly #length: number;
  /** Path numbers plus 1. Open addressing, at most half full. */
  #slots = new Uint32Array(2 * FIRST_SIZE);

  constructor(length: number) {
    this.#length = length;
    this.steps = new Uint32Array(FIRST_SIZE * length);
  }

  add(path: Uint32Array): void {
    if (this.size === this.counts.length) this.#grow();
    const slot = this.#find(path, 0);
    const known = this.#slots[slot] as number;
    const number = known === 0 ? this.size : known - 1;
    if (known === 0) {
      this.#slots[slot] = number + 1;
      this.steps.set(path, number * this.#length);
      this.size += 1;
    }
    (this.counts[number] as number) += 1;
  }

  /** Frees its memory. */
  free(): void {
    for (const column of [this.steps, this.counts, this.#slots]) freeBuffer(column);
  }

  /** Returns the slot of the path that begins at `from`, or the free slot where it belongs. */
  #find(path: Uint32Array, from: number): number {
    const mask = this.#slots.length - 1;
    let hash = 0;
    for (let step = 0; step < this.#length; step += 1)
      hash = Math.imul(hash ^ (path[from + step] as number), 0x9e3779b1) ^ (hash >>> 15);
    let slot = (hash ^ (hash >>> 16)) & mask;
    while (this.#slots[slot] !== 0 && !this.#isAt((this.#slots[slot] as number) - 1, path, from))
      slot = (slot + 1) & mask;
    return slot;
  }

  #isAt(number: number, path: Uint32Array, from: number): boolean {
    const base = number * this.#length;
    for (let step = 0; step < this.#length; step += 1)
      if (this.steps[base + step] !== path[from + step]) return false;
    return true;
  }

  #grow(): void {
    const size = 2 * this.counts.length;
    this.counts = grow(this.counts, size);
    this.steps = grow(this.steps, size * this.#length);
    freeBuffer(this.#slots);
    this.#slots = new Uint32Array(2 * size);
    for (let number = 0; number < this.size; number += 1)
      this.#slots[this.#find(this.steps, number * this.#length)] = number + 1;
  }
}
