/** The buckets of a series. Bucket i is [bounds[i], bounds[i + 1]). */
export class Buckets {
  readonly count: number;
  /** Ascending. */
  readonly bounds: Float64Array;

  constructor(bounds: readonly number[]) {
    this.bounds = Float64Array.from(bounds);
    this.count = Math.max(0, bounds.length - 1);
  }

  /** Returns the bucket of an instant: −1 before the first bound, the count after the last. */
  find(atMs: number): number {
    let low = 0;
    let high = this.bounds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.bounds[middle] as number) <= atMs) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  has(bucket: number): boolean {
    return bucket >= 0 && bucket < this.count;
  }

  /** Returns the bucket that holds all of [fromMs, toMs), or undefined. */
  findWhole(fromMs: number, toMs: number): number | undefined {
    const bucket = this.find(fromMs);
    return this.has(bucket) && toMs <= (this.bounds[bucket + 1] as number) ? bucket : undefined;
  }
}
