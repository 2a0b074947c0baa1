import type { LocalDatabase } from '../../db/local-database.ts';
import { discardYoung, turn } from '../../garbage.ts';
import type { LogEvent, LogFollower, LogPage, Removal } from '../../log/follower.ts';
import type { Pool } from '../memory/pool.ts';
import { DAY_MS, FACT_DIMENSIONS } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import { VISIT_GAP_MS } from '../vocabulary.ts';
import { createFlush } from './flush.ts';
import type { NewEvent } from './new-event.ts';
import { createEventReader } from './read-event.ts';
import { type Change, LIMITS, type Limits, type Revision, revise } from './revise.ts';
import { createStates, STATES } from './state.ts';
import { transact } from './transact.ts';
import { createVacuum } from './vacuum.ts';
import type { Website } from './website.ts';
import type { Websites } from './websites.ts';

/** Events of all websites that wait to be put into segments. */
const WAITING_MAX = 8_192;
/** Segments in memory that are not on disk are written when they take so much. */
const UNSAVED_BYTES_MAX = 16 * 1024 * 1024;
/** What an event of the log leaves behind once it is in its segment: itself, its texts, the objects on the way. */
const EVENT_GARBAGE_BYTES = 2_000;
/** And for each character of its address, which is read into parts. */
const URL_GARBAGE = 16;
/** A log that ends before what was read of it: a replica that is behind another one, or for longer a backup. */
const BEHIND_MS_MAX = 60_000;
/** An erasure that goes on for this long without a step forward is taken over from whoever ordered it. */
const STALLED_MS_MAX = 30_000;

export type Follower = {
  /**
   * Takes in everything that was committed to the log before the call: events, and what was removed.
   *
   * @returns false when there was so much that it is not done within about the patience; what was read stays
   */
  catchUp(patienceMs: number): Promise<boolean>;
  /** A website with all that was taken in. */
  website(websiteKey: number): Website;
  /** Writes what is not on disk. */
  flush(): Promise<void>;
  /** Orders that events go, and carries it out. What fails half-way is finished when the log is followed next. */
  erase(websiteKey: number, keys: readonly number[]): Promise<void>;
  /** Throws away what was derived, so that catching up derives it again. */
  startAnew(): Promise<void>;
  /** Removes texts and visitors that no event refers to any more, of websites of which something was removed. */
  vacuum(): Promise<void>;
  /** Events that are in no segment on disk. */
  unsavedCount(): number;
  /** Events that were read since everything was thrown away, or since the start. */
  takenCount(): number;
};

type Parts = {
  database: LocalDatabase;
  log: LogFollower;
  websites: Websites;
  pool: Pool;
  limits?: Limits | undefined;
};

/**
 * Follows the log. Removals and events are read as of one moment, removals first: all that was taken in before a removal
 * is seen was in the log before it, so whatever of it the removal names goes, and nothing that comes after.
 */
export function createFollower({ database, log, websites, pool, limits = LIMITS }: Parts): Follower {
  const states = createStates(database);
  const flushWebsite = createFlush(database, websites.segments);
  const vacuum = createVacuum(database, pool);
  const readers = new WeakMap<Website, (event: LogEvent) => NewEvent>();
  let readUntil = states.read(STATES.checkpoint) ?? 0;
  let waiting = 0;
  let unsavedEvents = 0;
  let taken = 0;
  let behindSinceMs: number | undefined;
  let stalled = { list: undefined as number | undefined, sinceMs: 0 };
  /** Whether an erasure that is found may be one that this process, or the one before it, has not finished. */
  let mayBeOwn = true;
  let flushing: Promise<void> = Promise.resolve();
  let isFlushing = false;
  let vacuuming: Promise<void> = Promise.resolve();

  async function catchUp(patienceMs: number): Promise<boolean> {
    for (const deadlineMs = performance.now() + patienceMs; ; ) {
      const isDone = await takePage(deadlineMs);
      if (isDone !== undefined) return isDone;
      if (performance.now() > deadlineMs) return false;
      await turn();
    }
  }

  /** A function of its own: whatever still has the page in hand keeps it from being collected. @returns undefined when there is more */
  async function takePage(deadlineMs: number): Promise<boolean | undefined> {
    const removed = states.read(STATES.removals) ?? 0;
    const page = await log.read({ eventKey: readUntil, removalKey: removed });
    const isBehind = page.newestEventKey < readUntil || page.newestRemovalKey < removed;
    behindSinceMs = isBehind ? (behindSinceMs ?? performance.now()) : undefined;
    const isRestored = performance.now() - (behindSinceMs ?? performance.now()) > BEHIND_MS_MAX;
    if (isRestored || isOther(page, removed)) {
      await reset(page);
      return undefined;
    }
    if (isBehind) return true;
    if (page.firstErasure !== undefined && (mayBeOwn || isStalled(page.firstErasure)))
      return (await log.carryOutErasures(deadlineMs)) ? undefined : false;
    mayBeOwn = false;
    await applyRemovals(page.removals);
    if (!page.hasAllRemovals) return undefined;
    take(page.events);
    discardYoung(
      page.events.reduce((bytes, { url }) => bytes + EVENT_GARBAGE_BYTES + URL_GARBAGE * url.length, 0),
    );
    if (page.isLast || waiting >= WAITING_MAX) await applyAll();
    const unsaved = unsavedBytes();
    if (unsaved > 2 * UNSAVED_BYTES_MAX) await flush();
    else if (unsaved > UNSAVED_BYTES_MAX) flushInBackground();
    return page.isLast ? true : undefined;
  }

  /** What was derived is of another log, or from before removals that are no longer on record. */
  function isOther({ logId, newestRemovalKey, oldestRemovalKey }: LogPage, removed: number): boolean {
    return (
      states.read(STATES.log) !== logId ||
      (newestRemovalKey > removed && (oldestRemovalKey ?? Number.POSITIVE_INFINITY) > removed + 1)
    );
  }

  function isStalled(list: number): boolean {
    if (list !== stalled.list) stalled = { list, sinceMs: performance.now() };
    return performance.now() - stalled.sinceMs > STALLED_MS_MAX;
  }

  async function reset(page: Pick<LogPage, 'logId' | 'newestRemovalKey'>): Promise<void> {
    const empty = () => {
      for (const table of ['segments', 'segment_parts', 'terms', 'visitors', 'website_states'])
        database.exec(`DELETE FROM ${table}`);
      states.write(STATES.checkpoint, 0);
      states.write(STATES.removals, page.newestRemovalKey);
      states.write(STATES.log, page.logId);
    };
    const forget = () => {
      websites.forget();
      readUntil = 0;
      waiting = 0;
      unsavedEvents = 0;
      taken = 0;
    };
    await alone(() => transact(database, empty, forget)); // until it is committed, nothing is forgotten
  }

  /** Not while a flush is at work. */
  function alone(work: () => Promise<void>): Promise<void> {
    const done = flushing.then(work);
    flushing = done.catch(() => undefined); // told to the one who asked
    return done;
  }

  function take(events: readonly LogEvent[]): void {
    for (const [websiteKey, own] of Map.groupBy(events, (event) => event.websiteKey)) {
      const website = websites.get(websiteKey);
      const read = readerOf(website);
      const { takenUntil } = website;
      const fresh = own.filter(({ key }) => key > takenUntil); // a crash may have left a website ahead of the checkpoint
      website.dictionaries.visitors.expect(fresh.map(({ visitorId }) => visitorId));
      for (const event of fresh) website.take(read(event));
      waiting += fresh.length;
      unsavedEvents += fresh.length;
      taken += fresh.length;
    }
    readUntil = events.at(-1)?.key ?? readUntil;
  }

  function readerOf(website: Website): (event: LogEvent) => NewEvent {
    const known = readers.get(website);
    if (known) return known;
    const reader = createEventReader(website.dictionaries);
    readers.set(website, reader);
    return reader;
  }

  async function applyAll(): Promise<void> {
    for (const website of websites.unsaved()) await applyWaiting(website);
  }

  async function applyWaiting(website: Website): Promise<void> {
    const add = website.waiting;
    if (add.length === 0) return;
    await change(website, { add });
  }

  /** Revises the segments of a website; what only the log knows of an event is read from it. */
  async function change(website: Website, what: Change): Promise<void> {
    const { missing } = tryChange(website, what);
    if (missing.length === 0) return;
    const events = await log.readKeys(missing);
    const read = readerOf(website); // the one of before may keep codes that a vacuum has removed
    const facts = new Map(events.map((event) => [event.key, read(event).facts]));
    // Gone from the log as well: their removal is on record, and comes next.
    for (const key of missing) if (!facts.has(key)) facts.set(key, NO_FACTS);
    tryChange(website, { ...what, facts });
  }

  /** The segments that are read stay in memory meanwhile. */
  function tryChange(website: Website, what: Change): Revision {
    const pinned = nearOf(website, what);
    for (const segment of pinned) pool.pin(segment);
    let revision: Revision;
    try {
      revision = revise(website.key, website.segments, what, limits);
    } finally {
      for (const segment of pinned) pool.unpin(segment);
    }
    if (revision.missing.length > 0) return revision;
    for (const segment of website.replace(revision)) pool.forget(segment);
    // At once, and whatever a flush that came in between has noted: the next one writes what belongs together.
    if (what.isRemoved) website.hasRemoved = true;
    if (what.add) {
      waiting -= what.add.length;
      website.clearWaiting();
    }
    for (const segment of revision.added) pool.use(segment, () => undefined); // counted from now on
    return revision;
  }

  function nearOf({ segments }: Website, { add = [], removedFrom = [] }: Change): Segment[] {
    const near = new Set(removedFrom);
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (const { atMs } of add) {
      least = Math.min(least, atMs);
      most = Math.max(most, atMs);
    }
    for (const segment of segments)
      if (segment.facts.endMs > least - VISIT_GAP_MS && segment.facts.startMs <= most + VISIT_GAP_MS)
        near.add(segment);
    return [...near];
  }

  async function applyRemovals(removals: readonly Removal[]): Promise<void> {
    const last = removals.at(-1);
    if (!last) return;
    for (const [websiteKey, own] of Map.groupBy(removals, (removal) => removal.websiteKey))
      await removeEvents(websites.get(websiteKey), own);
    await transact(database, () => {
      states.write(STATES.removals, last.key);
      for (const { websiteKey } of removals) states.markVacuum(websiteKey, last.key);
    });
  }

  async function removeEvents(website: Website, removals: readonly Removal[]): Promise<void> {
    await applyWaiting(website);
    const keys = new Set(removals.flatMap((removal) => removal.keys ?? []));
    const beforeMs = removals.reduce((ms, removal) => Math.max(ms, endOf(removal)), Number.NEGATIVE_INFINITY);
    const old = website.segments.filter(({ facts }) => facts.endMs <= beforeMs);
    if (old.length > 0) {
      for (const segment of website.replace({ replaced: old, added: [], missing: [] })) pool.forget(segment);
      website.hasRemoved = true;
    }
    await removeSome(website, keys, beforeMs);
    if (website.hasRemoved) await flushOne(website);
  }

  async function removeSome(website: Website, keys: ReadonlySet<number>, beforeMs: number): Promise<void> {
    const removedFrom: Segment[] = [];
    const old = new Set<number>();
    const all = [...keys];
    for (const segment of website.segments)
      pool.use(segment, () => {
        const { startMs, firstKey, lastKey } = segment.facts;
        const isCut = startMs < beforeMs;
        const mayHaveKey = all.some((key) => key >= firstKey && key <= lastKey);
        if (!isCut && !mayHaveKey) return;
        const own = segment.column('key');
        const hasKey = own.some((key) => keys.has(key));
        if (isCut) {
          const atMs = segment.column('atMs');
          own.forEach((key, event) => {
            if (segment.dayMs + (atMs[event] as number) < beforeMs) old.add(key); // columns of one length
          });
        }
        if (isCut || hasKey) removedFrom.push(segment);
      });
    if (removedFrom.length === 0) return;
    website.hasRemoved = true;
    const isRemoved = (key: number) => keys.has(key) || old.has(key);
    await change(website, { isRemoved, removedFrom });
  }

  function unsavedBytes(): number {
    let bytes = 0;
    for (const website of websites.unsaved()) {
      bytes += website.dictionaries.unsavedBytes;
      for (const segment of website.unsavedSegments()) bytes += segment.bytes;
    }
    return bytes;
  }

  /** One after the other; questions come in between. */
  function flushOne(website: Website): Promise<void> {
    return alone(async () => {
      if (!website.isForgotten) await flushWebsite(website);
    });
  }

  async function vacuumMarked(): Promise<void> {
    for (const { websiteKey, mark } of states.vacuums()) {
      const website = websites.get(websiteKey);
      readers.delete(website); // it keeps codes
      website.isHeld = true;
      try {
        await vacuum(website);
        await flushOne(website);
      } finally {
        website.isHeld = false;
      }
      // Unless something was removed meanwhile.
      await transact(database, () => states.clearVacuum(websiteKey, mark));
    }
  }

  async function flush(): Promise<void> {
    for (const { key } of websites.unsaved()) {
      const website = websites.unsaved().find((unsaved) => unsaved.key === key); // it may have gone meanwhile
      if (website) await flushOne(website);
    }
    await transact(database, () => {
      const least = websites
        .unsaved()
        .reduce((key, { firstUnsavedKey }) => Math.min(key, firstUnsavedKey ?? key), readUntil + 1);
      states.write(STATES.checkpoint, least - 1);
    });
    unsavedEvents = waiting;
    websites.forgetIdle();
  }

  /** Questions do not wait for it. Where it fails, the flush that is waited for tells. */
  function flushInBackground(): void {
    if (isFlushing) return;
    isFlushing = true;
    flush()
      .catch(() => undefined)
      .finally(() => {
        isFlushing = false;
      });
  }

  return {
    catchUp,
    website: (websiteKey) => websites.get(websiteKey),
    flush,
    async erase(websiteKey, keys) {
      mayBeOwn = true; // until the log was followed without finding one
      await log.orderErasure(websiteKey, keys);
      await log.carryOutErasures(Number.POSITIVE_INFINITY);
    },
    async startAnew() {
      const page = await log.read({ eventKey: Number.MAX_SAFE_INTEGER, removalKey: Number.MAX_SAFE_INTEGER });
      await reset(page);
    },
    vacuum() {
      vacuuming = vacuuming.then(vacuumMarked, vacuumMarked);
      return vacuuming;
    },
    unsavedCount: () => unsavedEvents,
    takenCount: () => taken,
  };
}

/** All events before this instant go. */
function endOf({ keys, beforeDay }: Removal): number {
  if (keys) return Number.NEGATIVE_INFINITY;
  return beforeDay === undefined ? Number.POSITIVE_INFINITY : beforeDay * DAY_MS;
}

/** Of an event that is gone from the log as well. */
const NO_FACTS: readonly number[] = FACT_DIMENSIONS.map(() => 0);
