import type { RetentionAnswer, RetentionRequest } from '../../analytics.ts';
import { Buckets } from '../query/buckets.ts';
import { eachFirstVisits } from '../query/first-visits.ts';
import { Scan } from '../query/scan.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';

/** Counts, of the visitors whose first visit was in a bucket, how many returned in each later bucket. */
export function answerRetention(request: RetentionRequest, source: Source): RetentionAnswer {
  const scan = new Scan(request, source);
  const buckets = new Buckets(request.bounds);
  const cohorts = findCohorts(request.toMs, scan.classMask, buckets, source);
  const returns = new Returns(buckets, cohorts, source);
  scan.run((vector) => returns.add(vector));
  return { cohorts: returns.counts };
}

/** Returns by visitor code the bucket in which the first visit of these classes began, plus 1, regardless of the filter. */
function findCohorts(toMs: number, classMask: number, buckets: Buckets, source: Source): Uint32Array {
  const cohorts = source.arena.u32(source.website.dictionaries.visitors.count + 1);
  eachFirstVisits(source, toMs, (segment, visits) => {
    const visitor = segment.column('visitor');
    const classes = segment.column('class');
    const startMs = segment.column('startMs');
    const only = buckets.findWhole(segment.header.startMs, segment.header.endMs);
    for (const visit of visits)
      if (((classMask >> (classes[visit] as number)) & 1) === 1)
        cohorts[visitor[visit] as number] =
          1 + (only ?? buckets.find(segment.dayMs + (startMs[visit] as number)));
  });
  return cohorts;
}

/** Counts returning visitors. Visits of one class are in order of time, so a visitor's first bucket precedes the others. */
class Returns {
  /** Visitors by bucket of the first visit: in that bucket, in the next one, and so on. */
  readonly counts: number[][];
  readonly #buckets: Buckets;
  readonly #cohorts: Uint32Array;
  /** Last bucket counted for each visitor code, plus 1. */
  readonly #last: Uint32Array;
  /** 1 for each visitor code with a matching visit in the bucket of the first visit. */
  readonly #isIn: Uint8Array;

  constructor(buckets: Buckets, cohorts: Uint32Array, { arena }: Source) {
    this.#buckets = buckets;
    this.#cohorts = cohorts;
    this.#last = arena.u32(cohorts.length);
    this.#isIn = arena.u8(cohorts.length);
    const { count } = buckets;
    this.counts = Array.from({ length: count }, (_, bucket) => new Array<number>(count - bucket).fill(0));
  }

  add(vector: SelectionVector): void {
    const { segment, count, visits } = vector;
    const only = this.#buckets.findWhole(segment.header.startMs, segment.header.endMs);
    const visitor = segment.column('visitor');
    if (only === undefined) this.#addVisits(vector);
    else
      for (let index = 0; index < count; index += 1)
        this.#meet(visitor[visits[index] as number] as number, only);
  }

  /** Looks at single events only where a visit crosses into the next bucket. */
  #addVisits({ segment, count, visits, hits }: SelectionVector): void {
    const visitor = segment.column('visitor');
    const startMs = segment.column('startMs');
    const durationMs = segment.column('durationMs');
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const code = visitor[visit] as number;
      const start = segment.dayMs + (startMs[visit] as number);
      const only = this.#buckets.findWhole(start, start + (durationMs[visit] as number) + 1);
      if (only !== undefined) {
        this.#meet(code, only);
        continue;
      }
      const first = segment.column('first');
      const atMs = segment.column('atMs');
      const end = first[visit + 1] as number;
      for (let event = first[visit] as number; event < end; event += 1)
        if (hits === undefined || hits[event] === 1)
          this.#meet(code, this.#buckets.find(segment.dayMs + (atMs[event] as number)));
    }
  }

  #meet(code: number, bucket: number): void {
    if (!this.#buckets.has(bucket) || this.#last[code] === bucket + 1) return;
    this.#last[code] = bucket + 1;
    const cohort = (this.#cohorts[code] as number) - 1;
    if (cohort === bucket) this.#isIn[code] = 1;
    const counts = this.counts[cohort];
    if (counts && this.#isIn[code] === 1) (counts[bucket - cohort] as number) += 1;
  }
}
