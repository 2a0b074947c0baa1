import type { Figures } from '../analytics.ts';
import type { Arena } from '../memory/arena.ts';

/**
 * The additive counts of numbered groups: one for totals, the buckets of a series, the values of a dimension. Those of a
 * whole segment are kept with it, by local code.
 */
export class Accumulator {
  readonly events: Uint32Array;
  readonly pageviews: Uint32Array;
  readonly visits: Uint32Array;
  readonly bounces: Uint32Array;
  readonly durationMs: Float64Array;

  /** @param arena where the memory is from; undefined: it is kept */
  constructor(
    readonly size: number,
    arena?: Arena,
  ) {
    const u32 = () => arena?.u32(size) ?? new Uint32Array(size);
    this.events = u32();
    this.pageviews = u32();
    this.visits = u32();
    this.bounces = u32();
    this.durationMs = arena?.f64(size) ?? new Float64Array(size);
  }

  get bytes(): number {
    return this.size * (4 * Uint32Array.BYTES_PER_ELEMENT + Float64Array.BYTES_PER_ELEMENT);
  }

  /** @param codes group i of the other one is group codes[i] of this one */
  merge(other: Accumulator, codes: ArrayLike<number>): void {
    const { events, pageviews, visits, bounces, durationMs } = other;
    for (let group = 0; group < other.size; group += 1) {
      if (events[group] === 0) continue;
      const into = codes[group] as number; // groups are within both
      (this.events[into] as number) += events[group] as number;
      (this.pageviews[into] as number) += pageviews[group] as number;
      (this.visits[into] as number) += visits[group] as number;
      (this.bounces[into] as number) += bounces[group] as number;
      (this.durationMs[into] as number) += durationMs[group] as number;
    }
  }
}

/** What the quotients of a group are made of. */
export type Means = { visits: number; bounces: number; durationMs: number; ofDuration: number };

/** The figures of a group. @param means by default those of the group itself */
export function figuresOf(
  counts: Accumulator,
  group: number,
  visitors: number,
  means: Means = meansOf(counts, group),
): Figures {
  const visits = counts.visits[group] ?? 0;
  const pageviews = counts.pageviews[group] ?? 0;
  return {
    visitors,
    visits,
    pageviews,
    events: counts.events[group] ?? 0,
    viewsPerVisit: visits === 0 ? 0 : pageviews / visits,
    bounceRate: means.visits === 0 ? 0 : means.bounces / means.visits,
    visitDuration: means.ofDuration === 0 ? 0 : means.durationMs / means.ofDuration / 1_000,
  };
}

export function meansOf({ visits, bounces, durationMs }: Accumulator, group: number): Means {
  const count = visits[group] ?? 0;
  return {
    visits: count,
    bounces: bounces[group] ?? 0,
    durationMs: durationMs[group] ?? 0,
    ofDuration: count,
  };
}
