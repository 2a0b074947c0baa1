import type { RetentionAnswer, RetentionRequest } from '../analytics.ts';
import { eachFirstVisits } from '../query/first-visits.ts';
import { Scan } from '../query/scan.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';

/** Of the visitors who were there for the first time in a bucket, how many came again in each of the later ones. */
export function answerRetention(request: RetentionRequest, source: Source): RetentionAnswer {
  const scan = new Scan(request, source);
  const firstMs = findFirst(request.toMs, scan.classMask, source);
  const returns = new Returns(request.bounds, firstMs, source);
  scan.run((vector) => returns.add(vector));
  return { cohorts: returns.cohorts };
}

/** By code of the visitor: when the first visit of these classes began, whatever the range and the filter. */
function findFirst(toMs: number, classMask: number, source: Source): Float64Array {
  const firstMs = source.arena
    .f64(source.website.dictionaries.visitors.count + 1)
    .fill(Number.POSITIVE_INFINITY);
  eachFirstVisits(source, toMs, (segment, visits) => {
    const visitor = segment.column('visitor');
    const classes = segment.column('class');
    const startMs = segment.column('startMs');
    for (const visit of visits)
      if (((classMask >> (classes[visit] as number)) & 1) === 1)
        firstMs[visitor[visit] as number] = segment.dayMs + (startMs[visit] as number); // within the columns
  });
  return firstMs;
}

/** Visits of one class come in the order of time, so somebody's first bucket is met before the others. */
class Returns {
  /** By bucket of the first visit: how many were there in it, in the next one, and so on. */
  readonly cohorts: number[][];
  readonly #bounds: readonly number[];
  readonly #firstMs: Float64Array;
  /** By code: the last bucket that was counted, plus 1. */
  readonly #last: Uint32Array;
  /** By code: 1 for who was there in the bucket of the first visit. */
  readonly #isIn: Uint8Array;

  constructor(bounds: readonly number[], firstMs: Float64Array, { arena }: Source) {
    this.#bounds = bounds;
    this.#firstMs = firstMs;
    this.#last = arena.u32(firstMs.length);
    this.#isIn = arena.u8(firstMs.length);
    const count = Math.max(0, bounds.length - 1);
    this.cohorts = Array.from({ length: count }, (_, bucket) => new Array<number>(count - bucket).fill(0));
  }

  add({ segment, count, visits, hits }: SelectionVector): void {
    const visitor = segment.column('visitor');
    const startMs = segment.column('startMs');
    const durationMs = segment.column('durationMs');
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number; // within the columns, as below
      const code = visitor[visit] as number;
      const start = segment.dayMs + (startMs[visit] as number);
      const bucket = this.#find(start);
      if (start + (durationMs[visit] as number) < (this.#bounds[bucket + 1] ?? Number.NEGATIVE_INFINITY)) {
        this.#meet(code, bucket);
        continue;
      }
      const first = segment.column('first');
      const atMs = segment.column('atMs');
      const end = first[visit + 1] as number;
      for (let event = first[visit] as number; event < end; event += 1)
        if (hits === undefined || hits[event] === 1)
          this.#meet(code, this.#find(segment.dayMs + (atMs[event] as number)));
    }
  }

  #meet(code: number, bucket: number): void {
    if (bucket < 0 || this.#last[code] === bucket + 1) return;
    this.#last[code] = bucket + 1;
    const cohort = this.#find(this.#firstMs[code] as number);
    if (cohort === bucket) this.#isIn[code] = 1;
    const counts = this.cohorts[cohort];
    if (counts && this.#isIn[code] === 1) (counts[bucket - cohort] as number) += 1;
  }

  /** -1: before all of them, or after. */
  #find(atMs: number): number {
    const bounds = this.#bounds;
    if (atMs >= (bounds.at(-1) ?? Number.NEGATIVE_INFINITY)) return -1;
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((bounds[middle] as number) <= atMs) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
