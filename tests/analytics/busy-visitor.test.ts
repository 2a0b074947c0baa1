import { expect, test } from 'bun:test';
import { completeDay, dayOf, EXTRA_COLUMNS, furtherColumnsOf } from '../../src/analytics/day.ts';
import { createDayStore } from '../../src/analytics/day-store.ts';
import { createTestLog, DAY_MS, START_MS, WEBSITE, writeNow } from './support.ts';

/** More than a call takes as arguments. */
const EVENTS = 1_000_000;
/** As if all of them had been in the log. */
const UNTIL_KEY = 1;

test('finds the events of a visit of a million in one day', async () => {
  const { add, engine, database, close } = await createTestLog();
  add({ at: 0, visitorId: 'machine' });
  const before = engine();
  await before.freshness();
  await before.close();
  const store = createDayStore(database);
  const numbers = Float64Array.from({ length: EVENTS }, (_, index) => index + 1);
  const day = completeDay({
    day: dayOf(START_MS),
    visitor: Uint32Array.of(1),
    class: Uint8Array.of(0),
    client: Uint32Array.of(1),
    origin: Uint32Array.of(1),
    first: Uint32Array.of(0, EVENTS),
    atMs: Uint32Array.from(numbers, (number) => Math.floor((number * (DAY_MS - 1)) / EVENTS)),
    type: new Uint8Array(EVENTS),
    page: new Uint32Array(EVENTS).fill(1),
  });
  for (const name of EXTRA_COLUMNS) day.extra.set(name, new Uint32Array(EVENTS));
  day.wide.set('key', numbers);
  day.wide.set('session', new Float64Array(EVENTS));
  const [after, next] = [EVENTS - 4, EVENTS - 2].map((index) => ({
    atMs: day.startMs + (day.atMs[index] ?? 0),
    key: numbers[index] ?? 0,
  }));
  const further = furtherColumnsOf(day);
  writeNow(store.prepare({ websiteKey: WEBSITE, day, further, untilKey: UNTIL_KEY, properties: new Map() }));
  const request = { websiteKey: WEBSITE, visitorId: 'machine', after, limit: 2 };
  expect(await engine().exportVisitor(request)).toMatchObject({ next });
  close();
});
