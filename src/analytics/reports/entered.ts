const FIRST_SIZE = 1_024;

/** What is known of those who entered a funnel, by their number: 0, 1, … */
export class Entered {
  count = 0;
  /** The index of the last step that was reached. */
  depth = new Uint8Array(FIRST_SIZE);
  /** Of a series; -1 is none. */
  bucket = new Int32Array(FIRST_SIZE);
  /** Code of the value of a dimension. */
  group = new Uint32Array(FIRST_SIZE);
  /** The page after the event that reached the last step; 0 is none. */
  nextPage = new Uint32Array(FIRST_SIZE);

  /** @returns the number */
  add(bucket: number, group: number): number {
    const number = this.count;
    if (number === this.depth.length) this.#grow(2 * number);
    this.bucket[number] = bucket;
    this.group[number] = group;
    this.count += 1;
    return number;
  }

  #grow(size: number): void {
    const { depth, bucket, group, nextPage } = this;
    this.depth = new Uint8Array(size);
    this.bucket = new Int32Array(size);
    this.group = new Uint32Array(size);
    this.nextPage = new Uint32Array(size);
    this.depth.set(depth);
    this.bucket.set(bucket);
    this.group.set(group);
    this.nextPage.set(nextPage);
  }
}
