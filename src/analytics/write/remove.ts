import type { Removal } from '../../log/follower.ts';
import { lowerBound } from '../collections/lower-bound.ts';
import type { Pool } from '../memory/pool.ts';
import { DAY_MS } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import type { ApplyChange } from './change.ts';
import type { Website } from './website.ts';

/** Takes out of a website's segments what was removed from its log. Nothing waits: all its events are in segments. */
export async function removeEvents(
  website: Website,
  removals: readonly Removal[],
  pool: Pool,
  change: ApplyChange,
): Promise<void> {
  const keys = new Set(removals.flatMap((removal) => removal.keys ?? []));
  const beforeMs = removals.reduce((ms, removal) => Math.max(ms, endOf(removal)), Number.NEGATIVE_INFINITY);
  const old = website.segments.filter(({ facts }) => facts.endMs <= beforeMs);
  if (old.length > 0) {
    for (const segment of website.replace({ replaced: old, added: [], missing: [] })) pool.forget(segment);
    website.hasRemoved = true;
  }
  const { removedFrom, gone } = findRemoved(website, keys, beforeMs, pool);
  if (removedFrom.length === 0) return;
  website.hasRemoved = true;
  await change(website, { isRemoved: (key) => gone.has(key), removedFrom });
}

/** All events before this instant go. */
function endOf({ keys, beforeDay }: Removal): number {
  if (keys) return Number.NEGATIVE_INFINITY;
  return beforeDay === undefined ? Number.POSITIVE_INFINITY : beforeDay * DAY_MS;
}

/** The events that go, and the segments that have them. */
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
    const { startMs, firstKey, lastKey } = segment.facts;
    const isCut = startMs < beforeMs;
    const nextKey = sorted[lowerBound(sorted, firstKey)] ?? Number.POSITIVE_INFINITY;
    if (!isCut && nextKey > lastKey) continue;
    pool.use(segment, () => {
      const before = gone.size;
      const own = segment.column('key');
      const atMs = segment.column('atMs');
      own.forEach((key, event) => {
        if (keys.has(key) || (isCut && segment.dayMs + (atMs[event] as number) < beforeMs)) gone.add(key); // columns of one length
      });
      if (gone.size > before) removedFrom.push(segment);
    });
  }
  return { removedFrom, gone };
}
