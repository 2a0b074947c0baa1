import type { LocalDatabase } from '../db/local-database.ts';
import { packId } from '../db/packed-id.ts';
import type { ExportRequest } from './analytics.ts';
import { EXTRA_COLUMNS, WIDE_COLUMNS } from './day.ts';
import type { DayProperty } from './day-properties.ts';
import type { DayStore } from './day-store.ts';
import type { Days } from './days.ts';
import { keepOrdinals, withoutVisits } from './keep-events.ts';
import { openDay } from './open-day.ts';
import { createEventReader, type LogRow } from './read-event.ts';
import { createSweep } from './sweep.ts';
import type { Tail } from './tail.ts';
import { termsRange } from './terms.ts';
import { transact, transactInSteps } from './transact.ts';
import { visitorsState } from './visitor-numbers.ts';
import { PROPERTY_KEYS_A_DAY_MAX } from './vocabulary.ts';
import type { WebsiteTerms } from './website-terms.ts';

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

export const ALL_DAYS = 100_000_001;
const REMOVED_ROWS_A_STEP = 1_000;
const READ_ROWS_A_STEP = 1_000;

type Removal = {
  websiteKey: number;
  visitorId: string;
  /** The rows of the log with these keys, ascending like them. */
  readRows: (keys: readonly number[]) => LogRow[] | Promise<LogRow[]>;
  /** Run in the transaction of each day, with the keys of the events that go; so that neither outlives the other. */
  alongside?: (keys: readonly number[]) => void;
};

/** What was derived of a website: a visitor's events in it, and its removal. To be called after the tail has caught up. */
export function createDerived(parts: DerivedParts) {
  const { database, store, tail, termsOf, daysOf, forgetInMemory } = parts;
  const sweep = createSweep(parts);
  const deleteVisitor = database.prepare('DELETE FROM visitors WHERE website_key = ? AND visitor_id = ?');
  const deleteTerms = database.prepare(
    `DELETE FROM terms WHERE key IN (SELECT key FROM terms WHERE key >= ? AND key < ? LIMIT ${REMOVED_ROWS_A_STEP})`,
  );
  const deleteVisitors = database.prepare(
    `DELETE FROM visitors WHERE website_key = ? AND visitor_id IN (SELECT visitor_id FROM visitors WHERE website_key = ? LIMIT ${REMOVED_ROWS_A_STEP})`,
  );
  const clearState = database.prepare('DELETE FROM analytics_state WHERE name = ?');

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
      days.release(day);
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

  /** A day's block is replaced in one transaction. */
  async function removeVisitor({ websiteKey, visitorId, readRows, alongside }: Removal): Promise<void> {
    await tail.save();
    const terms = termsOf(websiteKey);
    const visitor = terms.visitors.find(packId(visitorId));
    if (visitor === 0) return;
    for (const [number, keys] of keysOf(websiteKey, visitor)) {
      const replace = isFullOfKeys(websiteKey, number)
        ? await prepareFromLog(websiteKey, number, { removed: new Set(keys), readRows })
        : prepareWithout(websiteKey, number, visitor);
      await transact(database, () => {
        alongside?.(keys);
        store.remove(websiteKey, number);
        replace();
      });
    }
    await transact(database, () => void deleteVisitor.run([websiteKey, packId(visitorId)]));
    forgetInMemory(websiteKey);
    await sweep(websiteKey);
  }

  /** Keys of properties that found no place on the day come in for those that go; only the log knows them. */
  function isFullOfKeys(websiteKey: number, day: number): boolean {
    return store.propertyKeys(websiteKey, day).length >= PROPERTY_KEYS_A_DAY_MAX;
  }

  async function prepareFromLog(
    websiteKey: number,
    number: number,
    { removed, readRows }: { removed: ReadonlySet<number>; readRows: Removal['readRows'] },
  ): Promise<() => void> {
    const days = daysOf(websiteKey);
    const day = days.get(number);
    if (!day) return () => {};
    const keys = days
      .wide(day, 'key')
      .filter((key) => !removed.has(key))
      .sort();
    const terms = termsOf(websiteKey);
    const read = createEventReader(terms);
    const open = openDay(store, websiteKey, number, true);
    for (let start = 0; start < keys.length; start += READ_ROWS_A_STEP)
      for (const row of await readRows([...keys.subarray(start, start + READ_ROWS_A_STEP)]))
        open.add(read(row));
    await transactInSteps(database, terms.unsaved());
    terms.saved();
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

  /**
   * The days up to `lastDay`, with it.
   *
   * @param replace writes what comes in place of the last one, in the transaction that removes it
   */
  async function removeDays(websiteKey: number, lastDay: number, replace?: () => void): Promise<void> {
    await tail.save();
    const days = store.days(websiteKey, -ALL_DAYS, lastDay);
    await transactInSteps(
      database,
      days.map((day) => () => {
        store.remove(websiteKey, day);
        if (day === lastDay) replace?.();
      }),
    );
    forgetInMemory(websiteKey);
    await sweep(websiteKey);
  }

  async function removeAll(websiteKey: number): Promise<void> {
    tail.drop(websiteKey);
    const days = store.days(websiteKey, -ALL_DAYS, ALL_DAYS);
    await transactInSteps(
      database,
      days.map((day) => () => store.remove(websiteKey, day)),
    );
    const { fromKey, toKey } = termsRange(websiteKey);
    await repeat(() => deleteTerms.run([fromKey, toKey]).changes);
    await repeat(() => deleteVisitors.run([websiteKey, websiteKey]).changes);
    await transact(database, () => void clearState.run([visitorsState(websiteKey)]));
    forgetInMemory(websiteKey);
  }

  /** Runs a step until it removes fewer rows than it could. */
  async function repeat(removeSome: () => number): Promise<void> {
    let removed = REMOVED_ROWS_A_STEP;
    while (removed === REMOVED_ROWS_A_STEP)
      await transact(database, () => {
        removed = removeSome();
      });
  }

  return { exportKeys, removeVisitor, removeDays, removeAll, sweep };
}
