import { LIMIT_NAMES, type LimitName } from '../limits/limits.ts';
import type { Outcome } from '../log/event.ts';
import { EVENT_FLAGS } from '../vocabulary/contract.ts';

export const ROUTE_GROUPS = [
  'collection',
  'accounts',
  'websites',
  'events',
  'statistics',
  'operations',
  'pages',
  'unknown',
] as const;
export type RouteGroup = (typeof ROUTE_GROUPS)[number];

export const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Seconds; from one fsync of an SSD to the patience with a locked database. */
export const COMMIT_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;

type Histogram = { counts: number[]; sum: number; count: number };

/** Counters since the start: plain numbers, incremented where things happen and read by /metrics. */
export type Counters = ReturnType<typeof createCounters>;

export function createCounters() {
  return {
    /** Requests by route group and status class. */
    requests: fromNames(ROUTE_GROUPS, () => STATUS_CLASSES.map(() => 0)),
    /** `refused` by what they are, `unavailable` by the disk or the server: answered 503. */
    events: { stored: 0, refused: 0, unavailable: 0, bots: 0 },
    /** Seconds from the head of a request to that of its answer. */
    answers: { counts: COMMIT_BOUNDS_S.map(() => 0), sum: 0, count: 0 } satisfies Histogram,
    commits: { counts: COMMIT_BOUNDS_S.map(() => 0), sum: 0, count: 0 } satisfies Histogram,
    limitsHit: fromNames<LimitName, number>(LIMIT_NAMES, () => 0),
    loginFailures: 0,
  };
}

export function countAnswer({ answers }: Counters, durationMs: number): void {
  observe(answers, durationMs / 1_000);
}

export function countCommit(
  { commits, events }: Counters,
  durationMs: number,
  outcomes: readonly Outcome[],
): void {
  observe(commits, durationMs / 1_000);
  for (const outcome of outcomes) {
    if (outcome.kind !== 'stored') events.refused += 1;
    else {
      events.stored += 1;
      if ((outcome.event.flags & EVENT_FLAGS.bot) !== 0) events.bots += 1;
    }
  }
}

/** `counts` are of one bucket each, not cumulative. */
function observe(histogram: Histogram, seconds: number): void {
  histogram.sum += seconds;
  histogram.count += 1;
  const index = COMMIT_BOUNDS_S.findIndex((bound) => seconds <= bound);
  if (index !== -1) histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
}

function fromNames<Name extends string, Value>(names: readonly Name[], make: () => Value) {
  // An entry for each of the names.
  return Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, Value>;
}
