import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalDatabase } from '../db/local-database.ts';
import type { Selection } from './analytics.ts';
import { collectSelected, type KeysByDay } from './collect-selected.ts';
import type { Derived, DerivedParts } from './derived.ts';
import { syncCommits, transact, transactInSteps, writeDay } from './transact.ts';
import type { ReadRows } from './without-events.ts';

type Parts = DerivedParts & { derived: Derived; readRows: ReadRows };

const ROWS_A_STEP_MIN = 100;
const ROWS_A_STEP_MAX = 2_000;
/** A step holds the lock that ingest needs. One that takes longer is followed by a smaller one. */
const STEP_MS = 25;
const PAUSE_MS_MAX = 1_000;
const MARK = 'erase ';

/** Whether an erasure was cut off. The next answer finishes it. */
export function hasUnfinishedErasure(database: LocalDatabase): boolean {
  return database.prepare(`SELECT 1 FROM analytics_state WHERE name LIKE '${MARK}%'`).all([]).length > 0;
}

/**
 * Removes the events of a visitor, or those that a selection counts, from the log and from what is derived. To be called
 * after the tail has caught up; nothing else may run.
 *
 * Which ones they are is decided once and written down, a list of keys for each day, before the first one goes: whoever
 * finds the mark goes on, and half of a visit would no longer match what the whole of it did. Events that arrive
 * meanwhile are on no list.
 */
export function createEraser(parts: Parts) {
  const { database, store, tail, termsOf, daysOf, forgetInMemory, derived, readRows } = parts;
  const readRow = database.prepare('SELECT type FROM events WHERE key = ? AND website_key = ?').raw();
  const deleteRow = database.prepare('DELETE FROM events WHERE key = ?');
  const countDown = database.prepare(
    'UPDATE event_counts SET count = count - 1 WHERE website_key = ? AND type = ?',
  );
  const setMark = database.prepare('INSERT OR REPLACE INTO analytics_state (name, value) VALUES (?, 1)');
  const clearMark = database.prepare('DELETE FROM analytics_state WHERE name = ?');
  const readMarks = database.prepare('SELECT name FROM analytics_state WHERE name LIKE ? ORDER BY name');
  let rowsAStep = ROWS_A_STEP_MAX;

  /** @returns how many events are gone */
  async function eraseVisitor(websiteKey: number, visitorId: string): Promise<number> {
    await tail.save();
    const byDay = derived.keysOfVisitor(websiteKey, visitorId);
    if (byDay.size > 0) await erase(websiteKey, byDay);
    return [...byDay.values()].reduce((sum, keys) => sum + keys.length, 0);
  }

  /** @returns how many events are selected; they are gone unless there are more than the bound */
  async function eraseSelected(request: Selection & { eventsMax: number }): Promise<number> {
    const { websiteKey, eventsMax } = request;
    await tail.save();
    const source = { terms: termsOf(websiteKey), days: daysOf(websiteKey) };
    const { events, byDay } = collectSelected(request, source);
    if (events > 0 && events <= eventsMax) await erase(websiteKey, byDay);
    return events;
  }

  async function erase(websiteKey: number, byDay: KeysByDay): Promise<void> {
    await transactInSteps(
      database,
      store.erasingDays(websiteKey).map((day) => store.prepareErasing(websiteKey, day, [])),
    ); // lists without a mark, of a process that ended while it wrote them
    await transactInSteps(
      database,
      [...byDay].map(([day, keys]) => store.prepareErasing(websiteKey, day, keys.sort(ascending))),
    );
    await transact(database, () => void setMark.run([MARK + websiteKey]));
    await finish(websiteKey);
    await syncCommits(database);
  }

  /** Carries out what is on the lists. */
  async function finish(websiteKey: number): Promise<void> {
    await tail.save();
    tail.drop(websiteKey); // an open day goes on from its block, which is replaced
    try {
      for (const day of store.erasingDays(websiteKey)) await finishDay(websiteKey, day);
    } finally {
      forgetInMemory(websiteKey);
    }
    await derived.sweep(websiteKey);
    await transact(database, () => void clearMark.run([MARK + websiteKey]));
  }

  async function finishDay(websiteKey: number, day: number): Promise<void> {
    const keys = store.readErasing(websiteKey, day);
    for (let done = 0; done < keys.length; ) {
      const step = keys.subarray(done, done + rowsAStep);
      done += step.length;
      await removeStep(websiteKey, step);
    }
    // With the block of before goes the list; until then a crash leads back here.
    const left = await derived.withoutEvents(websiteKey, day, { removed: new Set(keys), readRows });
    if (left) await writeDay(database, left);
    else await transact(database, store.prepareErasing(websiteKey, day, [])); // the block went with the retention
  }

  async function removeStep(websiteKey: number, keys: Float64Array): Promise<void> {
    const startedMs = performance.now();
    await transact(database, () => {
      for (const key of keys) {
        const row = readRow.get([key, websiteKey]) as [type: number] | undefined; // the column that it names
        if (!row) continue; // removed by this before a crash, or by the retention
        deleteRow.run([key]);
        countDown.run([websiteKey, row[0]]);
      }
    });
    const tookMs = performance.now() - startedMs;
    const fitting = Math.floor((keys.length * STEP_MS) / tookMs);
    rowsAStep = Math.min(Math.max(fitting, ROWS_A_STEP_MIN), ROWS_A_STEP_MAX);
    await sleep(Math.min(tookMs, PAUSE_MS_MAX)); // ingest gets half of the time
  }

  /** The websites whose removal was cut off. */
  function unfinished(): number[] {
    const rows = readMarks.all([`${MARK}%`]) as { name: string }[];
    return rows.map(({ name }) => Number(name.slice(MARK.length)));
  }

  return { eraseVisitor, eraseSelected, finish, unfinished };
}

function ascending(a: number, b: number): number {
  return a - b;
}
