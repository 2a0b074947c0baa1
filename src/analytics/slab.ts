import { giveBack } from '../garbage.ts';

/**
 * Where the columns of a day are put. A day that is kept gets memory of its own. Days that are only passed through are
 * decoded into the same memory again and again: fresh memory has to be mapped page by page, and is garbage afterwards.
 */
export type Allocate = {
  u8(length: number): Uint8Array;
  u32(length: number): Uint32Array;
};

/** Memory of its own for each column. */
export const OWN: Allocate = {
  u8: (length) => new Uint8Array(length),
  u32: (length) => new Uint32Array(length),
};

/** A stretch of memory of more is for one day alone, and given back after it. */
export const SLAB_KEPT_BYTES_MAX = 4 * 1024 * 1024;
/** The next days may be a little larger; up to the bound above. */
const SPARE_ROOM = 1.25;

/** One stretch of memory, as long as anybody uses it. Columns are filled with 0 or not: whoever takes one writes all of it. */
export class Slab implements Allocate {
  #memory = new ArrayBuffer(0);
  #used = 0;

  /** What was taken before may be overwritten from now on. */
  begin(bytes: number): void {
    if (this.#memory.byteLength < bytes) {
      this.free();
      const spacious = Math.min(Math.ceil(bytes * SPARE_ROOM), SLAB_KEPT_BYTES_MAX);
      this.#memory = new ArrayBuffer(Math.max(bytes, spacious));
    }
    this.#used = 0;
  }

  bytes(): number {
    return this.#memory.byteLength;
  }

  /** What was taken before is gone. */
  free(): void {
    giveBack(new Uint8Array(this.#memory));
    this.#memory = new ArrayBuffer(0);
  }

  u8(length: number): Uint8Array {
    return new Uint8Array(this.#memory, this.#take(length), length);
  }
  u32(length: number): Uint32Array {
    return new Uint32Array(this.#memory, this.#take(length * 4), length);
  }

  #take(bytes: number): number {
    const start = this.#used;
    this.#used = (start + bytes + 7) & ~7;
    return start;
  }
}
