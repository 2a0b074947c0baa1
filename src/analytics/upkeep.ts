import type { LocalDatabase } from '../db/local-database.ts';
import { packId } from '../db/packed-id.ts';
import type { ExportRequest } from './analytics.ts';
import { DAY_MS, dayOf, EXTRA_COLUMNS, WIDE_COLUMNS } from './day.ts';
import type { DayProperty } from './day-properties.ts';
import type { DayStore } from './day-store.ts';
import type { Days } from './days.ts';
import { keepOrdinals, withoutVisits } from './keep-events.ts';
import { type OpenDay, openDay } from './open-day.ts';
import { createEventReader, LOG_COLUMNS, type LogRow } from './read-event.ts';
import type { Tail } from './tail.ts';
import { termsRange } from './terms.ts';
import { transact, transactInSteps } from './transact.ts';
import { visitorsState } from './visitor-numbers.ts';
import { PROPERTY_KEYS_A_DAY_MAX } from './vocabulary.ts';
import type { WebsiteTerms } from './website-terms.ts';

type Parts = {
  database: LocalDatabase;
  store: DayStore;
  tail: Tail;
  termsOf: (websiteKey: number) => WebsiteTerms;
  daysOf: (websiteKey: number) => Days;
  /** What is in memory of a website is out of date. */
  forgetInMemory: (websiteKey: number) => void;
};

const ALL_DAYS = 100_000_001;
const REMOVED_ROWS_A_STEP = 1_000;
/** Events that are turned into columns at once while a day is built from the log. */
const BUILT_EVENTS_A_STEP = 20_000;
const REBUILD = 'rebuild ';

/** Removal and rebuilding of what was derived. To be called after the tail has caught up; nothing else may run. */
export function createUpkeep({ database, store, tail, termsOf, daysOf, forgetInMemory }: Parts) {
  const readKeys = database
    .prepare('SELECT key FROM events WHERE website_key = ? AND created_at_ms >= ? AND created_at_ms < ?')
    .raw();
  const readRow = database.prepare(`SELECT ${LOG_COLUMNS} FROM events WHERE key = ?`).raw();
  const nextInstant = database.prepare(
    'SELECT min(created_at_ms) AS atMs FROM events WHERE website_key = ? AND created_at_ms >= ?',
  );
  const nextWebsite = database.prepare('SELECT min(website_key) AS key FROM events WHERE website_key > ?');
  const nextDerived = database.prepare(
    'SELECT min(website_key) AS key FROM day_blocks WHERE website_key > ?',
  );
  const setState = database.prepare('INSERT OR REPLACE INTO analytics_state (name, value) VALUES (?, 1)');
  const clearState = database.prepare('DELETE FROM analytics_state WHERE name = ?');
  const readStates = database.prepare('SELECT name FROM analytics_state WHERE name LIKE ?');
  const deleteEvent = database.prepare('DELETE FROM events WHERE key = ? AND website_key = ?');
  const countDown = database.prepare(
    'UPDATE event_counts SET count = count - ? WHERE website_key = ? AND type = ?',
  );
  const deleteVisitor = database.prepare('DELETE FROM visitors WHERE website_key = ? AND visitor_id = ?');
  const deleteTerms = database.prepare(
    `DELETE FROM terms WHERE key IN (SELECT key FROM terms WHERE key >= ? AND key < ? LIMIT ${REMOVED_ROWS_A_STEP})`,
  );
  const deleteVisitors = database.prepare(
    `DELETE FROM visitors WHERE website_key = ? AND visitor_id IN (SELECT visitor_id FROM visitors WHERE website_key = ? LIMIT ${REMOVED_ROWS_A_STEP})`,
  );

  /** The keys of a visitor's events by day, ascending. */
  function keysOf(websiteKey: number, visitor: number): Map<number, number[]> {
    const days = daysOf(websiteKey);
    const found = new Map<number, number[]>();
    for (const number of days.numbers(-ALL_DAYS, ALL_DAYS)) {
      const day = days.get(number);
      if (!day?.visitor.includes(visitor)) continue;
      const key = days.wide(day, 'key');
      const keys: number[] = [];
      for (let visit = 0; visit < day.visitCount; visit += 1)
        if (day.visitor[visit] === visitor)
          keys.push(...key.subarray(day.first[visit], day.first[visit + 1]));
      found.set(number, keys);
    }
    return found;
  }

  function exportKeys({ websiteKey, visitorId, after, limit }: ExportRequest): number[] {
    const visitor = termsOf(websiteKey).visitors.find(packId(visitorId));
    if (visitor === 0) return [];
    const keys = [...keysOf(websiteKey, visitor).values()].flat();
    return keys
      .filter((key) => key > after)
      .sort((a, b) => a - b)
      .slice(0, limit);
  }

  /** A day's events go from the log and from its block in one transaction, so that neither outlives the other. */
  async function erase(websiteKey: number, visitorId: string): Promise<number> {
    await tail.save();
    const terms = termsOf(websiteKey);
    const visitor = terms.visitors.find(packId(visitorId));
    if (visitor === 0) return 0;
    let removed = 0;
    for (const [number, keys] of keysOf(websiteKey, visitor)) {
      const replace = isFullOfKeys(websiteKey, number)
        ? await prepareFromLog(websiteKey, number, new Set(keys))
        : prepareWithout(websiteKey, number, visitor);
      await transact(database, () => {
        for (const key of keys) {
          const row = readRow.get([key]) as LogRow | undefined; // the columns of LOG_COLUMNS
          if (!row) continue;
          deleteEvent.run([key, websiteKey]);
          countDown.run([1, websiteKey, row[3]]);
          removed += 1;
        }
        store.remove(websiteKey, number);
        replace();
      });
    }
    await transact(database, () => void deleteVisitor.run([websiteKey, packId(visitorId)]));
    forgetInMemory(websiteKey);
    return removed;
  }

  /** Keys of properties that found no place on the day come in for those that go; only the log knows them. */
  function isFullOfKeys(websiteKey: number, day: number): boolean {
    return store.propertyKeys(websiteKey, day).length >= PROPERTY_KEYS_A_DAY_MAX;
  }

  async function prepareFromLog(
    websiteKey: number,
    day: number,
    removed: ReadonlySet<number>,
  ): Promise<() => void> {
    const open = await readDay(websiteKey, day * DAY_MS, (day + 1) * DAY_MS, removed);
    return open.eventCount() === 0 ? () => {} : open.prepare(tail.readUntilKey());
  }

  function prepareWithout(websiteKey: number, number: number, visitor: number): () => void {
    const days = daysOf(websiteKey);
    const day = days.get(number);
    if (!day) return () => {};
    for (const name of EXTRA_COLUMNS) days.extra(day, name);
    for (const name of WIDE_COLUMNS) days.wide(day, name);
    const kept = withoutVisits(day, (visit) => day.visitor[visit] === visitor);
    if (kept.eventCount === 0) return () => {};
    const ordinals = new Set(kept.extra.get('ordinal'));
    const properties = new Map<string, DayProperty>();
    for (const key of store.propertyKeys(websiteKey, day.day)) {
      const property = store.readProperty(websiteKey, day.day, key);
      const rest = property && keepOrdinals(property, ordinals);
      if (rest && rest.ordinals.length > 0) properties.set(key, rest);
    }
    return store.prepare(websiteKey, kept, store.untilKey(websiteKey, day.day), properties);
  }

  /** Removes days that lie before an instant, and builds the day that it cuts from the rest of its events. */
  async function forget(websiteKey: number, beforeMs: number | undefined): Promise<void> {
    if (beforeMs === undefined) {
      tail.drop(websiteKey);
      await removeAll(websiteKey);
      return forgetInMemory(websiteKey);
    }
    await tail.save();
    const lastDay = dayOf(beforeMs);
    const days = store.days(websiteKey, -ALL_DAYS, lastDay);
    await transactInSteps(
      database,
      days.map((day) => () => store.remove(websiteKey, day)),
    );
    forgetInMemory(websiteKey);
    if (days.includes(lastDay)) await buildDay(websiteKey, beforeMs, (lastDay + 1) * DAY_MS);
  }

  async function removeAll(websiteKey: number): Promise<void> {
    const days = store.days(websiteKey, -ALL_DAYS, ALL_DAYS);
    await transactInSteps(
      database,
      days.map((day) => () => store.remove(websiteKey, day)),
    );
    const { fromKey, toKey } = termsRange(websiteKey);
    await repeat(() => deleteTerms.run([fromKey, toKey]).changes);
    await repeat(() => deleteVisitors.run([websiteKey, websiteKey]).changes);
    await transact(database, () => void clearState.run([visitorsState(websiteKey)]));
  }

  /** Runs a step until it removes fewer rows than it could. */
  async function repeat(removeSome: () => number): Promise<void> {
    let removed = REMOVED_ROWS_A_STEP;
    while (removed === REMOVED_ROWS_A_STEP)
      await transact(database, () => {
        removed = removeSome();
      });
  }

  /** The mark in the state makes a rebuild that was cut off begin again at the next start. */
  async function rebuild(websiteKey: number): Promise<number> {
    await tail.save();
    await transact(database, () => void setState.run([REBUILD + websiteKey]));
    await removeAll(websiteKey);
    forgetInMemory(websiteKey);
    let events = 0;
    let instantMs: number | null = -8.64e15;
    while (instantMs !== null) {
      const next = nextInstant.get([websiteKey, instantMs]) as { atMs: number | null };
      if (next.atMs === null) break;
      const startMs = dayOf(next.atMs) * DAY_MS;
      events += await buildDay(websiteKey, startMs, startMs + DAY_MS);
      instantMs = startMs + DAY_MS;
    }
    await transact(database, () => void clearState.run([REBUILD + websiteKey]));
    return events;
  }

  /** A day that has no block, or a part of it. @returns how many events it has */
  async function buildDay(websiteKey: number, fromMs: number, toMs: number): Promise<number> {
    const open = await readDay(websiteKey, fromMs, toMs);
    if (open.eventCount() === 0) return 0;
    await transact(database, open.prepare(tail.readUntilKey()));
    return open.eventCount();
  }

  /** From the log, as far as the tail has read it; the range lies within one day. Its terms are saved. */
  async function readDay(
    websiteKey: number,
    fromMs: number,
    toMs: number,
    removed?: ReadonlySet<number>,
  ): Promise<OpenDay> {
    const untilKey = tail.readUntilKey();
    const rows = readKeys.all([websiteKey, fromMs, toMs]) as [number][];
    const keys = Float64Array.from(rows, ([key]) => key)
      .filter((key) => key <= untilKey && !removed?.has(key))
      .sort();
    const terms = termsOf(websiteKey);
    const read = createEventReader(terms);
    const open = openDay(store, websiteKey, dayOf(fromMs), true);
    keys.forEach((key, index) => {
      const row = readRow.get([key]) as LogRow | undefined;
      if (row) open.add(read(row));
      if (index % BUILT_EVENTS_A_STEP === 0) open.current();
    });
    await transactInSteps(database, terms.unsaved());
    terms.saved();
    return open;
  }

  /** Every website that has events, or something derived from events that are gone. */
  function websiteKeys(): number[] {
    const keys = new Set<number>();
    for (const statement of [nextWebsite, nextDerived]) {
      let key: number | null = 0;
      while (key !== null) {
        key = (statement.get([key]) as { key: number | null }).key;
        if (key !== null) keys.add(key);
      }
    }
    return [...keys].sort((a, b) => a - b);
  }

  function unfinishedRebuilds(): number[] {
    const rows = readStates.all([`${REBUILD}%`]) as { name: string }[];
    return rows.map(({ name }) => Number(name.slice(REBUILD.length)));
  }

  return { exportKeys, erase, forget, rebuild, websiteKeys, unfinishedRebuilds };
}
