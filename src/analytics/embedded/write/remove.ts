import type { Removal } from '../../../log/follower.ts';
import { DAY_MS } from '../../../vocabulary/durations.ts';
import { lowerBound } from '../collections/lower-bound.ts';
import type { Pool } from '../memory/pool.ts';
import type { Segment } from '../segment/segment.ts';
import type { ApplyChange } from './change.ts';
import type { Website } from './website.ts';

/** Removes events from a website's segments that were removed from its log. Requires that no events are waiting. */
export async function removeEvents(
  website: Website,
  removals: readonly Removal[],
  pool: Pool,
  change: ApplyChange,
): Promise<void> {
  const keys = new Set(removals.flatMap((removal) => removal.keys ?? []));
  const beforeMs = removals.reduce((ms, removal) => Math.max(ms, endOf(removal)), Number.NEGATIVE_INFINITY);
  const old = website.segments.filter(({ header }) => header.endMs <= beforeMs);
  if (old.length > 0) {
    for (const segment of website.replace({ replaced: old, added: [], missing: [] })) pool.forget(segment);
    website.hasRemoved = true;
  }
  const { removedFrom, gone } = findRemoved(website, keys, beforeMs, pool);
  if (removedFrom.length === 0) return;
  website.hasRemoved = true;
  await change(website, { isRemoved: (key) => gone.has(key), removedFrom });
}

/** Segments rebuilt between questions, at some 20 ms each. */
const SEGMENTS_A_STEP = 3;

/** Returns the first of the removals, to be applied together: those of one website in few segments. */
export function firstStep({ key, segments }: Website, removals: readonly Removal[]): Removal[] {
  const touched = new Set<Segment>();
  const next = removals.findIndex((removal) => {
    if (removal.websiteKey !== key) return true;
    const keys = Float64Array.from(removal.keys ?? []).sort();
    for (const segment of segments) if (mayHave(segment, keys)) touched.add(segment);
    return touched.size > SEGMENTS_A_STEP;
  });
  return removals.slice(0, next < 0 ? removals.length : Math.max(1, next));
}

/** @param keys ascending */
function mayHave({ header }: Segment, keys: Float64Array): boolean {
  return (keys[lowerBound(keys, header.firstKey)] ?? Number.POSITIVE_INFINITY) <= header.lastKey;
}

/** Returns the instant before which all events go. */
function endOf({ keys, beforeDay }: Removal): number {
  if (keys) return Number.NEGATIVE_INFINITY;
  return beforeDay === undefined ? Number.POSITIVE_INFINITY : beforeDay * DAY_MS;
}

/** Returns the events that go, and the segments that have them. */
function findRemoved(
  { segments }: Website,
  keys: ReadonlySet<number>,
  beforeMs: number,
  pool: Pool,
): { removedFrom: Segment[]; gone: Set<number> } {
  const removedFrom: Segment[] = [];
  const gone = new Set<number>();
  const sorted = Float64Array.from(keys).sort();
  for (const segment of segments) {
    const isCut = segment.header.startMs < beforeMs;
    if (!isCut && !mayHave(segment, sorted)) continue;
    pool.use(segment, () => {
      const before = gone.size;
      const own = segment.column('key');
      const atMs = segment.column('atMs');
      own.forEach((key, event) => {
        if (keys.has(key) || (isCut && segment.dayMs + (atMs[event] as number) < beforeMs)) gone.add(key);
      });
      if (gone.size > before) removedFrom.push(segment);
    });
  }
  return { removedFrom, gone };
}
