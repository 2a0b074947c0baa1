import type { Client, InStatement, Row, Value } from '@libsql/client/sqlite3';
import { packId, unpackId } from '../db/packed-id.ts';
import type { Derived, DerivedParts } from './derived.ts';
import type { FollowedLog } from './followed-log.ts';
import { createLogReader, KEYED_COLUMNS, type KeyedRow } from './log-reader.ts';
import { LOG_COLUMNS, type LogRow } from './read-event.ts';
import { eraseStatements } from './remote-erase.ts';
import { transact } from './transact.ts';

type Parts = DerivedParts & {
  derived: Derived;
  client: Client;
  /** Nothing that is in memory holds any longer. */
  forgetEverything: () => void;
};

/** Rows of the log in one answer; fewer when they are so long that the server refuses to send them. */
const ROWS_MAX = 2_000;
const ROWS_MIN = 50;
const REMOVALS_MAX = 1_000;
/** Events that one transaction removes from the log. */
const ERASED_A_STEP = 10_000;
/** A log that ends before what was read of it: a replica that is behind another one, or for longer a backup. */
const BEHIND_MS_MAX = 60_000;
const SOURCE = 'followed log';
const REMOVALS = 'removals';

type Removal = { key: number; websiteKey: number; visitorId: string | undefined; beforeDay: number | null };
type Page = {
  /** The number of the log, and the greatest keys ever given out in it. */
  source: number;
  newestEvent: number;
  newestRemoval: number;
  removals: Removal[];
  rows: LogRow[];
  /** No row came after these. */
  isLast: boolean;
};

/**
 * The log on a server, which other processes write to and remove from as well. What is derived is this process's own.
 *
 * The server has one writer at a time, so keys are committed in their order, and a reader that has seen a key has seen
 * all before it. Whoever removes events says so in `removals`, in the same transaction; removals and rows are read in
 * one transaction. So all that was taken in before a removal is first seen was in the log before it, and whatever of it
 * the removal names has to go; and of what comes after it nothing.
 */
export function followRemoteLog(parts: Parts): FollowedLog {
  const { client, database, tail, derived, forgetEverything } = parts;
  const readState = database.prepare('SELECT value FROM analytics_state WHERE name = ?');
  const writeState = database.prepare('INSERT OR REPLACE INTO analytics_state (name, value) VALUES (?, ?)');
  let rowsMax = ROWS_MAX;
  let taken = 0;
  let behindSinceMs: number | undefined;

  async function catchUp(patienceMs: number): Promise<boolean> {
    for (const deadlineMs = performance.now() + patienceMs; ; ) {
      const removed = state(REMOVALS) ?? 0;
      const page = await readPage(removed);
      const isBehind = page.newestEvent < tail.readUntilKey() || page.newestRemoval < removed;
      behindSinceMs = isBehind ? (behindSinceMs ?? performance.now()) : undefined;
      const isRestored = performance.now() - (behindSinceMs ?? performance.now()) > BEHIND_MS_MAX;
      if (isRestored || isOther(page, removed)) {
        await startAnew(page);
        continue;
      }
      if (isBehind) return true;
      for (const removal of onlyLast(page.removals)) await apply(removal);
      const lastRemoval = page.removals.at(-1);
      if (lastRemoval) await transact(database, () => void writeState.run([REMOVALS, lastRemoval.key]));
      // There may be more: what is in the log after them must not be taken in before them.
      if (page.removals.length === REMOVALS_MAX) continue;
      await tail.take(page.rows);
      taken += page.rows.length;
      if (page.isLast) return true;
      if (performance.now() > deadlineMs) return false;
    }
  }

  function state(name: string): number | undefined {
    return (readState.get([name]) as { value: number } | undefined)?.value; // the column of the query
  }

  /** What was derived is of another log, or from before removals that are no longer on record. */
  function isOther({ source, newestRemoval, removals }: Page, removed: number): boolean {
    return source !== state(SOURCE) || (newestRemoval > removed && removals[0]?.key !== removed + 1);
  }

  async function startAnew({ source, newestRemoval }: Page): Promise<void> {
    await transact(database, () => {
      for (const table of ['day_blocks', 'day_columns', 'terms', 'visitors', 'analytics_state'])
        database.exec(`DELETE FROM ${table}`);
      writeState.run([SOURCE, source]);
      writeState.run([REMOVALS, newestRemoval]);
    });
    tail.restart();
    forgetEverything();
  }

  async function apply({ websiteKey, visitorId, beforeDay }: Removal): Promise<void> {
    if (visitorId !== undefined) await derived.removeVisitor({ websiteKey, visitorId, readRows });
    else if (beforeDay !== null) await derived.removeDays(websiteKey, beforeDay - 1);
    else await derived.removeAll(websiteKey);
  }

  async function readPage(removed: number): Promise<Page> {
    for (;;) {
      try {
        const [found, removals, rows] = await client.batch(pageStatements(removed), 'read');
        const source = found?.rows[0]?.source;
        if (typeof source !== 'number') throw new Error('The log on the server has no number.');
        return {
          source,
          newestEvent: Number(found?.rows[0]?.event ?? 0),
          newestRemoval: Number(found?.rows[0]?.removal ?? 0),
          removals: removals?.rows.map(toRemoval) ?? [],
          rows: rows?.rows.map(toLogRow) ?? [],
          isLast: (rows?.rows.length ?? 0) < rowsMax,
        };
      } catch (error) {
        if (!isTooLarge(error) || rowsMax <= ROWS_MIN) throw error;
        rowsMax = Math.max(ROWS_MIN, Math.floor(rowsMax / 4));
      }
    }
  }

  function pageStatements(removed: number): InStatement[] {
    return [
      {
        sql: `SELECT (SELECT value FROM analytics_state WHERE name = 'log') AS source,
                (SELECT seq FROM sqlite_sequence WHERE name = 'events') AS event,
                (SELECT seq FROM sqlite_sequence WHERE name = 'removals') AS removal`,
        args: [],
      },
      {
        sql: `SELECT key, website_key, visitor_id, before_day FROM removals WHERE key > ? ORDER BY key LIMIT ${REMOVALS_MAX}`,
        args: [removed],
      },
      {
        sql: `SELECT ${LOG_COLUMNS} FROM events WHERE key > ? ORDER BY key LIMIT ?`,
        args: [tail.readUntilKey(), rowsMax],
      },
    ];
  }

  async function findRows(keys: readonly number[]): Promise<KeyedRow[]> {
    const { rows } = await client.execute({
      sql: `SELECT ${KEYED_COLUMNS} FROM events WHERE key IN (SELECT value FROM json_each(?))`,
      args: [JSON.stringify(keys)],
    });
    return rows.map((row) => toCells(row) as KeyedRow); // the columns of KEYED_COLUMNS
  }

  async function readRows(keys: readonly number[]): Promise<LogRow[]> {
    const { rows } = await client.execute({
      sql: `SELECT ${LOG_COLUMNS} FROM events WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key`,
      args: [JSON.stringify(keys)],
    });
    return rows.map(toLogRow);
  }

  /** The last step says that the visitor is gone: cut off before it, the request can be sent again. */
  async function erase(websiteKey: number, visitorId: string): Promise<number> {
    const keys = derived.exportKeys({ websiteKey, visitorId, after: 0, limit: Number.POSITIVE_INFINITY });
    if (keys.length === 0) return 0;
    for (let start = 0; start < keys.length; start += ERASED_A_STEP) {
      const step = keys.slice(start, start + ERASED_A_STEP);
      const isLast = start + ERASED_A_STEP >= keys.length;
      const newer = isLast ? { visitorId: packId(visitorId), afterKey: tail.readUntilKey() } : undefined;
      await client.batch(eraseStatements(websiteKey, step, newer), 'write');
    }
    await catchUp(Number.POSITIVE_INFINITY);
    return keys.length;
  }

  return {
    ...createLogReader(findRows),
    catchUp,
    erase,
    // Other processes could not learn of it: `removals` tells of visitors, days and websites.
    eraseSelected: () => Promise.reject(new Error('Erasing by a selection needs the embedded database.')),
    resume: () => Promise.resolve(), // to start anew is one transaction
    forget: () => Promise.resolve(), // whoever removes the events has said so in `removals`
    /** Of all websites: there is one log, and one place up to which it was read. */
    async rebuild() {
      taken = 0;
      await startAnew(await readPage(state(REMOVALS) ?? 0));
      await catchUp(Number.POSITIVE_INFINITY);
      return taken;
    },
  };
}

/** The same removal told several times, of the steps in which a website goes, is done once. */
function onlyLast(removals: readonly Removal[]): Removal[] {
  const byWhat = new Map<string, Removal>();
  for (const removal of removals) {
    const what = `${removal.websiteKey} ${removal.beforeDay} ${removal.visitorId}`;
    byWhat.delete(what);
    byWhat.set(what, removal);
  }
  return [...byWhat.values()];
}

function toRemoval({ key, website_key, visitor_id, before_day }: Row): Removal {
  return {
    key: Number(key),
    websiteKey: Number(website_key),
    visitorId: visitor_id === null ? undefined : unpackId(visitor_id as string | ArrayBuffer), // a packed id
    beforeDay: before_day === null ? null : Number(before_day),
  };
}

function toLogRow(row: Row): LogRow {
  return toCells(row) as LogRow; // the columns of LOG_COLUMNS
}

/** As the embedded database gives them. */
function toCells(row: Row): (Value | Buffer)[] {
  return Array.from({ length: row.length }, (_, index) => {
    const value = row[index] ?? null;
    return value instanceof ArrayBuffer ? Buffer.from(value) : value;
  });
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'RESPONSE_TOO_LARGE';
}
