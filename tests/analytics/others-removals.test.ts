import { afterEach, beforeEach, expect, test } from 'bun:test';
import { followLocal } from '../../src/log/follower.ts';
import { createTestLog, type TestLog, totalsOf } from './support.ts';

const OTHER = 2;

let log: TestLog;
beforeEach(async () => {
  log = await createTestLog();
  log.add({ at: 0 }, { at: 1_000 }, { at: 2_000, website: OTHER });
});
afterEach(() => log.close());

const count = (table: 'erasures' | 'removals') =>
  (log.database.prepare(`SELECT count(*) FROM ${table}`).raw().all([]) as number[][])[0]?.[0];
const applied = () =>
  log.database.prepare("SELECT value FROM analytics_state WHERE name = 'removals'").raw().all([]);
const eventsOf = async (engine: ReturnType<TestLog['engine']>, websiteKey: number) =>
  (await totalsOf(engine, { websiteKey }))?.events;

test('a question neither carries out nor follows what is erased of other websites', async () => {
  const engine = log.engine();
  expect(await eventsOf(engine, 1)).toBe(2);
  const before = applied();
  await followLocal(log.database).orderErasure(1, [1]);
  expect(await eventsOf(engine, OTHER)).toBe(1);
  expect([count('erasures'), count('removals')]).toEqual([1, 0]);

  await followLocal(log.database).carryOutErasures(Number.POSITIVE_INFINITY);
  expect(await eventsOf(engine, OTHER)).toBe(1);
  expect(applied()).toEqual(before);
  expect(await eventsOf(engine, 1)).toBe(1);
  expect(applied()).not.toEqual(before);
});

test('an erasure that was ordered and cut off is carried out by the next question about its website', async () => {
  await followLocal(log.database).orderErasure(1, [1]);
  const engine = log.engine();
  expect(await eventsOf(engine, OTHER)).toBe(1);
  expect(count('erasures')).toBe(1);
  expect(await eventsOf(engine, 1)).toBe(1);
  expect([count('erasures'), count('removals')]).toEqual([0, 1]);
});
