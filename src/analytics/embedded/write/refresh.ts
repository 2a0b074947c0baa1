import type { LocalDatabase } from '../../../db/local-database.ts';
import type { LogFollower } from '../../../log/follower.ts';
import { turn } from '../../../process/garbage.ts';
import type { Queue } from '../../../process/queue.ts';
import type { Pool } from '../memory/pool.ts';
import { RULES, SEGMENT_EVENTS_MAX } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import type { ApplyChange } from './change.ts';
import type { NewEvent } from './new-event.ts';
import type { Saver } from './save.ts';
import { createFindOutdated, STATES, type States } from './state.ts';
import { transact } from './transact.ts';
import type { Website } from './website.ts';
import type { Websites } from './websites.ts';

/** Events derived between two questions, within some 30 ms. */
const EVENTS_A_STEP = 2_000;

type Parts = {
  database: LocalDatabase;
  log: LogFollower;
  websites: Websites;
  pool: Pool;
  states: States;
  saver: Saver;
  change: ApplyChange;
  /** Puts waiting events of a website into segments. */
  applyWaiting: (website: Website) => Promise<unknown>;
};

/**
 * Derives segments of earlier rules again in the background, the newest first. They answer questions until replaced.
 *
 * @returns a function that refreshes some segments; `inTurn` runs work between questions; false when there are more
 */
export function createRefresh(parts: Parts): (inTurn: Queue) => Promise<boolean> {
  const { database, log, websites, pool, states, saver, change, applyWaiting } = parts;
  const findOutdated = createFindOutdated(database);

  async function refresh(website: Website, inTurn: Queue): Promise<void> {
    const segments = newestOutdated(website.segments);
    if (segments.length === 0) return finish(website); // the disk still has the replaced ones
    const keys = segments.flatMap((segment) => pool.use(segment, () => [...segment.column('key')]));
    const events = await deriveAgain(
      website,
      keys.sort((a, b) => a - b),
    );
    await inTurn(async () => {
      pool.begin();
      await applyWaiting(website);
      const isUnchanged = segments.every((segment) => website.segments.includes(segment));
      if (website.isForgotten || !isUnchanged) return; // the next step begins again
      const known = new Set(keys);
      await change(website, { add: events, isRemoved: (key) => known.has(key), removedFrom: segments });
    });
    if (website.unsavedSegments().length >= UNSAVED_MAX) await saver.flush(website);
  }

  /** Returns the events as today's rules derive them, without those that the log no longer has. Questions run in between. */
  async function deriveAgain(website: Website, keys: readonly number[]): Promise<NewEvent[]> {
    const read = website.openReader();
    const events: NewEvent[] = [];
    for (let from = 0; from < keys.length && !website.isForgotten; from += EVENTS_A_STEP) {
      const logged = await log.readKeys(keys.slice(from, from + EVENTS_A_STEP));
      website.dictionaries.visitors.expect(logged.map(({ visitorId }) => visitorId));
      for (const event of logged) events.push(read(event));
      await turn();
    }
    return events;
  }

  async function finish(website: Website): Promise<void> {
    await saver.flush(website);
    const removed = states.read(STATES.removals) ?? 0;
    await transact(database, () => states.markVacuum(website.key, removed)); // texts of earlier rules may be unused now
  }

  return (inTurn) =>
    saver.keepingTexts(async () => {
      const websiteKey = findOutdated();
      if (websiteKey === undefined) return true;
      const website = websites.get(websiteKey);
      website.isHeld = true;
      try {
        await refresh(website, inTurn);
      } finally {
        website.isHeld = false;
      }
      return false;
    });
}

/** Segments that are refreshed before they are written. */
const UNSAVED_MAX = 8;

/** Returns outdated segments of the newest such day: no more than one segment holds, but at least one. */
function newestOutdated(segments: readonly Segment[]): Segment[] {
  const outdated = segments.filter(({ header }) => header.rules < RULES);
  const day = outdated.at(-1)?.header.day;
  let events = 0;
  return outdated
    .filter(({ header }) => header.day === day)
    .filter(({ eventCount }, index) => {
      events += eventCount;
      return index === 0 || events <= SEGMENT_EVENTS_MAX;
    });
}
