import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createTestFollower } from './follower.ts';
import { createTestLog, type TestLog, WEBSITE } from './support.ts';

const NEIGHBOUR = WEBSITE + 1;

let log: TestLog;
beforeEach(async () => {
  log = await createTestLog();
});
afterEach(() => log.close());

test('a reader whose time is up puts the events of one website into segments, then lets questions in', async () => {
  const follower = createTestFollower(log.database);
  await follower.catchUp(1_000);
  log.add({ at: 0 }, { at: 1, website: NEIGHBOUR });
  const waiting = () => [WEBSITE, NEIGHBOUR].map((key) => follower.website(key).waiting.length);
  expect(await follower.catchUp(0)).toBe(false);
  expect(waiting()).toEqual([0, 1]);
  expect(await follower.catchUp(0)).toBe(true);
  expect(waiting()).toEqual([0, 0]);
});

test('a question about one website leaves the waiting events of others to the reader', async () => {
  const follower = createTestFollower(log.database);
  await follower.catchUp(1_000);
  log.add({ at: 0, website: NEIGHBOUR }, { at: 1 });
  await follower.catchUp(0);
  log.add({ at: 2, website: NEIGHBOUR });
  expect(await follower.catchUp(1_000, NEIGHBOUR)).toBe(true);
  expect(follower.website(NEIGHBOUR).segments[0]?.eventCount).toBe(2);
  expect(follower.website(WEBSITE).waiting).toHaveLength(1);
});

test('events with many properties wait in memory up to a number of bytes', async () => {
  const properties = Object.fromEntries(Array.from({ length: 90 }, (_, key) => [`k${key}`, key]));
  const given = Array.from({ length: 1_500 }, (_, at) => ({ at, properties: JSON.stringify(properties) }));
  log.add(...given);
  const follower = createTestFollower(log.database);
  let mostBytes = 0;
  while (!(await follower.catchUp(0)))
    mostBytes = Math.max(mostBytes, follower.website(WEBSITE).waitingBytes);
  expect(mostBytes).toBeLessThan(5 * 1024 * 1024);
  expect(follower.website(WEBSITE).segments.reduce((sum, { eventCount }) => sum + eventCount, 0)).toBe(1_500);
});

test('property values that are on disk leave memory and keep their codes', async () => {
  log.add({ at: 0, properties: '{"plan":"pro"}' });
  const follower = createTestFollower(log.database);
  while (!(await follower.catchUp(1_000)));
  const { dictionaries } = follower.website(WEBSITE);
  const key = dictionaries.get('propertyKey').find('plan');
  const unsaved = dictionaries.property(key);
  dictionaries.forgetProperties();
  expect(dictionaries.property(key)).toBe(unsaved);
  await follower.flush();
  dictionaries.forgetProperties();
  expect(dictionaries.property(key)).not.toBe(unsaved);
  expect(dictionaries.property(key).intern('pro', { key: 2, day: 0 })).toBe(unsaved.find('pro'));
});
