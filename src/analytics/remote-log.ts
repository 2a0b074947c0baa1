import type { Client } from '@libsql/client/sqlite3';
import { discardYoung } from '../garbage.ts';
import type { Selection } from './analytics.ts';
import { collectSelected, type KeysByDay } from './collect-selected.ts';
import type { Derived, DerivedParts } from './derived.ts';
import type { FollowedLog } from './followed-log.ts';
import { createLogReader, KEYED_COLUMNS, type KeyedRow } from './log-reader.ts';
import { LOG_COLUMNS, type LogRow, ROW_GARBAGE_BYTES } from './read-event.ts';
import { createRemoteErasures, createStallWatch } from './remote-erasures.ts';
import { createPageReader, type Page, toCells, toLogRow } from './remote-page.ts';
import { eventsOf, onlyLast, type Removal } from './removals.ts';
import { transact } from './transact.ts';

type Parts = DerivedParts & {
  derived: Derived;
  client: Client;
  /** Nothing that is in memory holds any longer. */
  forgetEverything: () => void;
};

/** A log that ends before what was read of it: a replica that is behind another one, or for longer a backup. */
const BEHIND_MS_MAX = 60_000;
/** An erasure that goes on for this long without a step forward is taken over from whoever ordered it. */
const STALLED_MS_MAX = 30_000;
const SOURCE = 'followed log';
const REMOVALS = 'removals';

/**
 * The log on a server, which other processes write to and remove from as well. What is derived is this process's own.
 *
 * The server has one writer at a time, so keys are committed in their order, and a reader that has seen a key has seen
 * all before it. Whoever removes events says so in `removals`, in the same transaction; removals and rows are read in
 * one transaction. So all that was taken in before a removal is first seen was in the log before it, and whatever of it
 * the removal names has to go; and of what comes after it nothing. (A removal that names single events may even be told
 * at any time: their keys are never given out again.)
 */
export function followRemoteLog(parts: Parts): FollowedLog {
  const { client, database, tail, derived, termsOf, daysOf, forgetEverything } = parts;
  const erasures = createRemoteErasures(client);
  const isStalled = createStallWatch(STALLED_MS_MAX);
  const readPage = createPageReader(client);
  const readState = database.prepare('SELECT value FROM analytics_state WHERE name = ?');
  const writeState = database.prepare('INSERT OR REPLACE INTO analytics_state (name, value) VALUES (?, ?)');
  let taken = 0;
  let behindSinceMs: number | undefined;
  /** Whether an erasure that is found may be one that this process, or the one before it, has not finished. */
  let mayBeOwn = true;

  async function catchUp(patienceMs: number): Promise<boolean> {
    for (const deadlineMs = performance.now() + patienceMs; ; ) {
      const removed = state(REMOVALS) ?? 0;
      const page = await readPage({ readUntilKey: tail.readUntilKey(), removed });
      const isBehind = page.newestEvent < tail.readUntilKey() || page.newestRemoval < removed;
      behindSinceMs = isBehind ? (behindSinceMs ?? performance.now()) : undefined;
      const isRestored = performance.now() - (behindSinceMs ?? performance.now()) > BEHIND_MS_MAX;
      if (isRestored || isOther(page, removed)) {
        await startAnew(page);
        continue;
      }
      if (isBehind) return true;
      const isLeft = isStalled(page.erasure) || mayBeOwn;
      if (page.erasure !== undefined && isLeft) {
        if (!(await erasures.carryOut(deadlineMs))) return false;
        continue;
      }
      mayBeOwn = false;
      await applyAll(page.removals);
      // What is in the log must not be taken in before the removals of before.
      if (page.hasAllRemovals) {
        await tail.take(page.rows);
        taken += page.rows.length;
        discardYoung(page.rows.length * ROW_GARBAGE_BYTES);
        if (page.isLast) return true;
      }
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

  async function applyAll(removals: readonly Removal[]): Promise<void> {
    const lastRemoval = removals.at(-1);
    if (!lastRemoval) return;
    for (const removal of onlyLast(removals)) await apply(removal);
    for (const [websiteKey, keysByDay] of eventsOf(removals))
      await derived.removeEvents({ websiteKey, keysByDay, readRows });
    await transact(database, () => void writeState.run([REMOVALS, lastRemoval.key]));
  }

  async function apply({ websiteKey, visitorId, beforeDay }: Removal): Promise<void> {
    if (visitorId !== undefined) await derived.removeVisitor({ websiteKey, visitorId, readRows });
    else if (beforeDay !== null) await derived.removeDays(websiteKey, beforeDay - 1);
    else await derived.removeAll(websiteKey);
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

  async function eraseVisitor(websiteKey: number, visitorId: string): Promise<number> {
    const byDay = derived.keysOfVisitor(websiteKey, visitorId);
    if (byDay.size > 0) await erase(websiteKey, byDay);
    return [...byDay.values()].reduce((sum, keys) => sum + keys.length, 0);
  }

  async function eraseSelected(request: Selection & { eventsMax: number }): Promise<number> {
    const { websiteKey, eventsMax } = request;
    const source = { terms: termsOf(websiteKey), days: daysOf(websiteKey) };
    const { events, byDay } = collectSelected(request, source);
    if (events > 0 && events <= eventsMax) await erase(websiteKey, byDay);
    return events;
  }

  async function erase(websiteKey: number, byDay: KeysByDay): Promise<void> {
    mayBeOwn = true;
    await erasures.order(websiteKey, byDay);
    await erasures.carryOut(Number.POSITIVE_INFINITY);
    await catchUp(Number.POSITIVE_INFINITY);
  }

  return {
    ...createLogReader(findRows),
    catchUp,
    erase: eraseVisitor,
    eraseSelected,
    resume: () => Promise.resolve(), // whatever was cut off is found by catching up
    forget: () => Promise.resolve(), // whoever removes the events has said so in `removals`
    /** Of all websites: there is one log, and one place up to which it was read. */
    async rebuild() {
      taken = 0;
      await startAnew(await readPage({ readUntilKey: tail.readUntilKey(), removed: state(REMOVALS) ?? 0 }));
      await catchUp(Number.POSITIVE_INFINITY);
      return taken;
    },
  };
}
