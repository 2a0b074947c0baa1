import { discardYoung, turn } from '../garbage.ts';
import { DAY_MS, dayOf } from './day.ts';
import type { Derived, DerivedParts } from './derived.ts';
import { createEraser } from './erase-selected.ts';
import type { FollowedLog } from './followed-log.ts';
import { createLocalLogReader } from './log-reader.ts';
import { type OpenDay, openDay } from './open-day.ts';
import { createEventReader, LOG_COLUMNS, type LogRow, ROW_GARBAGE_BYTES } from './read-event.ts';
import { transact, transactInSteps, writeDay } from './transact.ts';

type Parts = DerivedParts & { derived: Derived };

/** Rows of the log read at once. */
const READ_ROWS = 500;
/** Events that are turned into columns at once while a day is built from the log. */
const BUILT_EVENTS_A_STEP = 20_000;
const REBUILD = 'rebuild ';

/** The log in the database that also holds what is derived: what is removed leaves both in one transaction. */
export function followLocalLog(parts: Parts): FollowedLog {
  const { database, store, tail, termsOf, derived } = parts;
  const eraser = createEraser({ ...parts, readRows });
  const readLog = database
    .prepare(`SELECT ${LOG_COLUMNS} FROM events WHERE key > ? ORDER BY key LIMIT ${READ_ROWS}`)
    .raw();
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

  async function catchUp(patienceMs: number): Promise<boolean> {
    const deadlineMs = performance.now() + patienceMs;
    for (;;) {
      const count = await takeSome();
      discardYoung(count * ROW_GARBAGE_BYTES);
      if (count < READ_ROWS) return true;
      if (performance.now() > deadlineMs) return false;
      await turn();
    }
  }

  /** A function of its own: what still has the rows in hand when they are collected keeps them until they are old. */
  async function takeSome(): Promise<number> {
    const rows = readLog.all([tail.readUntilKey()]) as LogRow[]; // the columns of LOG_COLUMNS
    await tail.take(rows);
    return rows.length;
  }

  function readRows(keys: readonly number[]): LogRow[] {
    return keys.flatMap((key) => {
      const row = readRow.get([key]) as LogRow | undefined; // the columns of LOG_COLUMNS
      return row ? [row] : [];
    });
  }

  /** Removes days that lie before an instant; the day that it cuts is built from the rest of its events first. */
  async function forget(websiteKey: number, beforeMs: number | undefined): Promise<void> {
    if (beforeMs === undefined) return derived.removeAll(websiteKey);
    const lastDay = dayOf(beforeMs);
    const rest = await readDay(websiteKey, beforeMs, (lastDay + 1) * DAY_MS);
    const left = rest.eventCount() === 0 ? undefined : rest.prepare(tail.readUntilKey());
    await derived.removeDays(websiteKey, lastDay, left);
  }

  /** The mark in the state makes a rebuild that was cut off begin again at the next start. */
  async function rebuildOne(websiteKey: number): Promise<number> {
    await tail.save();
    await transact(database, () => void setState.run([REBUILD + websiteKey]));
    await derived.removeAll(websiteKey);
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

  /** A day that has no block. @returns how many events it has */
  async function buildDay(websiteKey: number, fromMs: number, toMs: number): Promise<number> {
    const open = await readDay(websiteKey, fromMs, toMs);
    if (open.eventCount() === 0) return 0;
    await writeDay(database, open.prepare(tail.readUntilKey()));
    const events = open.eventCount();
    open.free();
    return events;
  }

  /** From the log, as far as the tail has read it; the range lies within one day. Its terms are saved. */
  async function readDay(websiteKey: number, fromMs: number, toMs: number): Promise<OpenDay> {
    const untilKey = tail.readUntilKey();
    const rows = readKeys.all([websiteKey, fromMs, toMs]) as [number][];
    const keys = Float64Array.from(rows, ([key]) => key)
      .filter((key) => key <= untilKey)
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

  return {
    ...createLocalLogReader(database),
    catchUp,
    erase: eraser.eraseVisitor,
    eraseSelected: eraser.eraseSelected,
    forget,
    async resume() {
      for (const websiteKey of eraser.unfinished()) await eraser.finish(websiteKey);
      for (const websiteKey of unfinishedRebuilds()) await rebuildOne(websiteKey);
    },
    async rebuild(websiteKey) {
      await catchUp(Number.POSITIVE_INFINITY);
      let events = 0;
      for (const key of websiteKey === undefined ? websiteKeys() : [websiteKey])
        events += await rebuildOne(key);
      return events;
    },
  };
}
