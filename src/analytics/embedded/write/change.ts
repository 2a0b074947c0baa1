import type { LogFollower } from '../../../log/follower.ts';
import { VISIT_GAP_MS } from '../../../vocabulary/analytics.ts';
import type { Pool } from '../memory/pool.ts';
import { FACT_DIMENSIONS } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import { type Limits, type Revision, revise } from './revise.ts';
import type { Change } from './touched.ts';
import type { Website } from './website.ts';

/** Facts of an event that is gone from the log as well: its removal is on record, and is applied next. */
const NO_FACTS: readonly number[] = FACT_DIMENSIONS.map(() => 0);

/** Revises the segments of a website, reading from the log what only the log knows of an event. */
export type ApplyChange = (website: Website, what: Change) => Promise<void>;

export function createChange(log: LogFollower, pool: Pool, limits: Limits): ApplyChange {
  return async (website, what) => {
    const { missing } = tryChange(website, what, pool, limits);
    if (missing.length === 0) return;
    const events = website.readAgain(await log.readKeys(missing));
    const facts = new Map(events.map((event) => [event.key, event.facts]));
    for (const key of missing) if (!facts.has(key)) facts.set(key, NO_FACTS);
    tryChange(website, { ...what, facts }, pool, limits);
  };
}

/** Keeps the segments that are read in memory during the change. */
function tryChange(website: Website, what: Change, pool: Pool, limits: Limits): Revision {
  const pinned = segmentsNear(website, what);
  for (const segment of pinned) pool.pin(segment);
  let revision: Revision;
  try {
    revision = revise(website.key, website.segments, what, limits);
  } finally {
    for (const segment of pinned) pool.unpin(segment);
  }
  if (revision.missing.length > 0) return revision;
  for (const segment of website.replace(revision)) pool.forget(segment);
  // Set at once, whatever a flush in between recorded: the next flush writes the change and the mark together.
  if (what.isRemoved) website.hasRemoved = true;
  if (what.add) website.clearWaiting();
  for (const segment of revision.added) pool.use(segment, () => undefined); // counts their bytes
  return revision;
}

function segmentsNear({ segments }: Website, { add = [], removedFrom = [] }: Change): Segment[] {
  const near = new Set(removedFrom);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { atMs } of add) {
    least = Math.min(least, atMs);
    most = Math.max(most, atMs);
  }
  for (const segment of segments)
    if (segment.header.endMs > least - VISIT_GAP_MS && segment.header.startMs <= most + VISIT_GAP_MS)
      near.add(segment);
  return [...near];
}
