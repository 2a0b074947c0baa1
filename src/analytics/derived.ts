import type { LocalDatabase } from '../db/local-database.ts';
import { packId } from '../db/packed-id.ts';
import type { ExportRequest, Moment } from './analytics.ts';
import type { KeysByDay } from './collect-selected.ts';
import { DAYS_MAX, type Day, dayOf } from './day.ts';
import type { DayStore } from './day-store.ts';
import type { DayWrite } from './day-write.ts';
import type { Days } from './days.ts';
import { createRestOfDay } from './rest-of-day.ts';
import { createSweep } from './sweep.ts';
import type { Tail } from './tail.ts';
import { termsRange } from './terms.ts';
import { transact, transactEach, transactInSteps, writeDay } from './transact.ts';
import { visitorsState } from './visitor-numbers.ts';
import type { WebsiteTerms } from './website-terms.ts';
import type { ReadRows } from './without-events.ts';

export type DerivedParts = {
  database: LocalDatabase;
  store: DayStore;
  tail: Tail;
  termsOf: (websiteKey: number) => WebsiteTerms;
  daysOf: (websiteKey: number) => Days;
  /** What is in memory of a website is out of date. */
  forgetInMemory: (websiteKey: number) => void;
};
export type Derived = ReturnType<typeof createDerived>;

const REMOVED_ROWS_A_STEP = 1_000;

type Removal = {
  websiteKey: number;
  visitorId: string;
  readRows: ReadRows;
};

type EventsRemoval = {
  websiteKey: number;
  keysByDay: ReadonlyMap<number, ReadonlySet<number>>;
  readRows: ReadRows;
};

/** What was derived of a website: a visitor's events in it, and its removal. To be called after the tail has caught up. */
export function createDerived(parts: DerivedParts) {
  const { database, store, tail, termsOf, daysOf, forgetInMemory } = parts;
  const sweep = createSweep(parts);
  const rest = createRestOfDay(parts);
  const deleteTerms = database.prepare(
    `DELETE FROM terms WHERE key IN (SELECT key FROM terms WHERE key >= ? AND key < ? LIMIT ${REMOVED_ROWS_A_STEP})`,
  );
  const deleteVisitors = database.prepare(
    `DELETE FROM visitors WHERE website_key = ? AND visitor_id IN (SELECT visitor_id FROM visitors WHERE website_key = ? LIMIT ${REMOVED_ROWS_A_STEP})`,
  );
  const clearState = database.prepare('DELETE FROM analytics_state WHERE name = ?');

  /** The keys of a visitor's events by day, ascending. */
  function keysOf(websiteKey: number, visitor: number): KeysByDay {
    const days = daysOf(websiteKey);
    const found: KeysByDay = new Map();
    for (const number of days.numbers(-DAYS_MAX, DAYS_MAX)) {
      const day = days.get(number);
      if (!day?.visitor.includes(visitor)) continue;
      const key = days.wide(day, 'key');
      const keys: number[] = [];
      for (let visit = 0; visit < day.visitCount; visit += 1)
        if (day.visitor[visit] === visitor)
          // One by one: as arguments of one call, those of a visit of a million events are too many.
          for (const one of key.subarray(day.first[visit], day.first[visit + 1])) keys.push(one);
      found.set(number, keys);
      days.release(day);
    }
    return found;
  }

  function keysOfVisitor(websiteKey: number, visitorId: string): KeysByDay {
    const visitor = termsOf(websiteKey).visitors.find(packId(visitorId));
    return visitor === 0 ? new Map() : keysOf(websiteKey, visitor);
  }

  /** The next events of a visitor, in the order of time: a day after the other, until there are enough. */
  function exportMoments({ websiteKey, visitorId, after, limit }: ExportRequest): Moment[] {
    const visitor = termsOf(websiteKey).visitors.find(packId(visitorId));
    if (visitor === 0) return [];
    const days = daysOf(websiteKey);
    const found: Moment[] = [];
    for (const number of days.numbers(after ? dayOf(after.atMs) : -DAYS_MAX, DAYS_MAX)) {
      if (found.length >= limit) break;
      const day = days.get(number);
      if (!day?.visitor.includes(visitor)) continue;
      const moments = nextMoments(day, days.wide(day, 'key'), { visitor, after, limit });
      found.push(...moments.slice(0, limit - found.length));
      days.release(day);
    }
    return found;
  }

  /**
   * What is replaced on disk must not be open, because an open day goes on from its block; and of what was read meanwhile
   * nothing may be kept, also when the work is cut off.
   */
  async function replaceDays(websiteKey: number, work: () => Promise<void>): Promise<void> {
    await tail.save();
    tail.drop(websiteKey);
    try {
      await work();
    } finally {
      forgetInMemory(websiteKey);
    }
    await sweep(websiteKey);
  }

  /**
   * A day's block is replaced in one transaction. The visitor's number goes last, with the sweep: cut off before it, the
   * removal can be asked for again.
   */
  async function removeVisitor({ websiteKey, visitorId, readRows }: Removal): Promise<void> {
    const visitor = termsOf(websiteKey).visitors.find(packId(visitorId));
    if (visitor === 0) return;
    await replaceDays(websiteKey, async () => {
      for (const [number, keys] of keysOf(websiteKey, visitor)) {
        const left = await rest.withoutVisitor(websiteKey, number, visitor, {
          removed: new Set(keys),
          readRows,
        });
        await writeDay(database, left);
      }
    });
  }

  /** Single events, which are gone from the log. Those that are in no day are left alone. */
  async function removeEvents({ websiteKey, keysByDay, readRows }: EventsRemoval): Promise<void> {
    await replaceDays(websiteKey, async () => {
      for (const [number, removed] of keysByDay) {
        const left = await rest.withoutEvents(websiteKey, number, { removed, readRows });
        if (left) await writeDay(database, left);
      }
    });
  }

  /** The days up to `lastDay`, with it. @param left what comes in place of the last one */
  async function removeDays(websiteKey: number, lastDay: number, left?: DayWrite): Promise<void> {
    await replaceDays(websiteKey, async () => {
      const earlier = store.days(websiteKey, -DAYS_MAX, lastDay - 1);
      await transactInSteps(
        database,
        earlier.map((day) => () => store.remove(websiteKey, day)),
      );
      await writeDay(database, store.replace(websiteKey, lastDay, left));
    });
  }

  async function removeAll(websiteKey: number): Promise<void> {
    tail.drop(websiteKey);
    try {
      await transactEach(database, store.strayPieces(websiteKey));
      const days = store.days(websiteKey, -DAYS_MAX, DAYS_MAX);
      await transactInSteps(
        database,
        days.map((day) => () => store.remove(websiteKey, day)),
      );
      const { fromKey, toKey } = termsRange(websiteKey);
      await repeat(() => deleteTerms.run([fromKey, toKey]).changes);
      await repeat(() => deleteVisitors.run([websiteKey, websiteKey]).changes);
      await transact(database, () => void clearState.run([visitorsState(websiteKey)]));
    } finally {
      forgetInMemory(websiteKey);
    }
  }

  /** Runs a step until it removes fewer rows than it could. */
  async function repeat(removeSome: () => number): Promise<void> {
    let removed = REMOVED_ROWS_A_STEP;
    while (removed === REMOVED_ROWS_A_STEP)
      await transact(database, () => {
        removed = removeSome();
      });
  }

  const { withoutEvents } = rest;
  return {
    keysOfVisitor,
    exportMoments,
    withoutEvents,
    removeVisitor,
    removeEvents,
    removeDays,
    removeAll,
    sweep,
  };
}

/** Of each visit as many as are asked for, because visits of people and of bots may lie over one another. */
function nextMoments(
  day: Day,
  keys: Float64Array,
  { visitor, after, limit }: { visitor: number; after: Moment | undefined; limit: number },
): Moment[] {
  const moments: Moment[] = [];
  for (let visit = 0; visit < day.visitCount; visit += 1) {
    if (day.visitor[visit] !== visitor) continue;
    const end = day.first[visit + 1] ?? 0;
    let taken = 0;
    for (let event = day.first[visit] ?? 0; event < end && taken < limit; event += 1) {
      const moment = { atMs: day.startMs + (day.atMs[event] ?? 0), key: keys[event] ?? 0 };
      if (after && compareMoments(moment, after) <= 0) continue;
      moments.push(moment);
      taken += 1;
    }
  }
  return moments.sort(compareMoments);
}

function compareMoments(a: Moment, b: Moment): number {
  return a.atMs - b.atMs || a.key - b.key;
}
