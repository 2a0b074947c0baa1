import { freeBuffer, grow } from '../../../process/garbage.ts';

const FIRST_SIZE = 1_024;

/** Records of the units (visits or visitors) that entered a funnel, by number: 0, 1, … */
export class Entered {
  count = 0;
  /** Index of the last step reached. */
  depth = new Uint8Array(FIRST_SIZE);
  /** Bucket of the series, as `Buckets.find` returns it. */
  bucket = new Int32Array(FIRST_SIZE);
  /** Code of the dimension's value. */
  group = new Uint32Array(FIRST_SIZE);
  /** The page after the event that reached the last step; 0 means none. */
  nextPage = new Uint32Array(FIRST_SIZE);

  /** @returns the unit's number */
  add(bucket: number, group: number): number {
    const number = this.count;
    if (number === this.depth.length) this.#grow(2 * number);
    this.bucket[number] = bucket;
    this.group[number] = group;
    this.count += 1;
    return number;
  }

  /** Frees its memory. */
  free(): void {
    for (const column of [this.depth, this.bucket, this.group, this.nextPage]) freeBuffer(column);
  }

  #grow(size: number): void {
    this.depth = grow(this.depth, size);
    this.bucket = grow(this.bucket, size);
    this.group = grow(this.group, size);
    this.nextPage = grow(this.nextPage, size);
  }
}
