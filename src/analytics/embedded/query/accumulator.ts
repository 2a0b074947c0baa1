import type { Figures } from '../../interface/query.ts';
import type { Arena } from '../memory/arena.ts';

/** Additive counts of numbered groups: one group for totals, or one per bucket of a series or value of a dimension. */
export class Accumulator {
  readonly events: Uint32Array;
  readonly pageviews: Uint32Array;
  readonly visits: Uint32Array;
  readonly bounces: Uint32Array;
  readonly durationMs: Float64Array;

  constructor(
    readonly size: number,
    arena: Arena,
  ) {
    this.events = arena.u32(size);
    this.pageviews = arena.u32(size);
    this.visits = arena.u32(size);
    this.bounces = arena.u32(size);
    this.durationMs = arena.f64(size);
  }

  /** @param codes group i of the other accumulator is group codes[i] of this one */
  merge(
    { groups, events, pageviews, visits, bounces, durationMs }: PartialAggregate,
    codes: Uint32Array,
  ): void {
    for (let index = 0; index < groups.length; index += 1) {
      const into = codes[groups[index] as number] as number;
      (this.events[into] as number) += events[index] as number;
      (this.pageviews[into] as number) += pageviews[index] as number;
      (this.visits[into] as number) += visits[index] as number;
      (this.bounces[into] as number) += bounces[index] as number;
      (this.durationMs[into] as number) += durationMs[index] as number;
    }
  }
}

/** The counts of a whole segment, cached with it. Holds only groups that have any, by local code, 16 bits each. */
export class PartialAggregate {
  readonly groups: Uint16Array;
  readonly events: Uint16Array;
  readonly pageviews: Uint16Array;
  readonly visits: Uint16Array;
  readonly bounces: Uint16Array;
  readonly durationMs: Float64Array;

  constructor(counts: Accumulator) {
    const groups: number[] = [];
    counts.events.forEach((count, group) => {
      if (count > 0) groups.push(group);
    });
    const of = (column: Uint32Array) => Uint16Array.from(groups, (group) => column[group] as number);
    this.groups = Uint16Array.from(groups);
    this.events = of(counts.events);
    this.pageviews = of(counts.pageviews);
    this.visits = of(counts.visits);
    this.bounces = of(counts.bounces);
    this.durationMs = Float64Array.from(groups, (group) => counts.durationMs[group] as number);
  }

  get bytes(): number {
    return 5 * this.groups.byteLength + this.durationMs.byteLength;
  }
}

/** Sums from which the quotients of a group are computed. */
export type Means = { visits: number; bounces: number; durationMs: number; ofDuration: number };

/** Returns the metrics of a group. @param means those of the group itself by default */
export function figuresOf(
  counts: Accumulator,
  group: number,
  visitors: number,
  means: Means = meansOf(counts, group),
  withWeights = false,
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
    ...(withWeights && { weights: { bounceRate: means.visits, visitDuration: means.ofDuration } }),
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
