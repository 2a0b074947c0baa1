import { expect, test } from 'bun:test';
import { DICTIONARIES, DIMENSION_RECORDS } from '../../src/analytics/dimensions.ts';
import type { Engine } from '../../src/analytics/embedded/engine.ts';
import { encodeArrays, openArrays } from '../../src/analytics/embedded/segment/codec.ts';
import {
  COLUMN_TYPES,
  LOCAL_DICTIONARIES,
  PART_NAMES,
  PARTS,
  RULES,
  type StoredPart,
} from '../../src/analytics/embedded/segment/schema.ts';
import { followLocal } from '../../src/log/follower.ts';
import { DIMENSIONS, type Dimension } from '../../src/vocabulary/analytics.ts';
import { all, createTestLog, DAY_MS, type Given, MINUTE_MS, type TestLog, WEBSITE } from './support.ts';

/** Columns and local dictionaries of the first segments that could be refreshed. */
const FIRST_FACTS = 9;
const FIRST_DICTIONARIES = 17;

/** Makes the segments on disk look as if an earlier version had derived them: fewer columns, and another source. */
function makeOutdated({ database }: TestLog): void {
  shorten(database, 'facts', FIRST_FACTS);
  shorten(database, 'dictionaries', FIRST_DICTIONARIES);
  database.exec(
    "UPDATE segments SET rules = 0; UPDATE terms SET text = 'Of earlier rules' WHERE text = 'Google'",
  );
}

function shorten(database: TestLog['database'], part: StoredPart, count: number): void {
  const rows = database
    .prepare('SELECT key, data FROM segment_parts WHERE key % 8 = ?')
    .raw()
    .all([PART_NAMES.indexOf(part)]) as [number, Uint8Array][];
  for (const [key, data] of rows) {
    const stored = openArrays(new Uint8Array(data));
    const arrays = Array.from({ length: count }, (_, index) => new Uint8Array(stored.bytes(index)));
    database.prepare('UPDATE segment_parts SET data = ? WHERE key = ?').run([encodeArrays(arrays), key]);
  }
}

async function valuesOf(engine: Engine, dimension: Dimension) {
  const { breakdowns } = await engine.query(all({ breakdowns: [{ dimension, limit: 10 }] } as never));
  return (breakdowns?.[0]?.rows ?? []).map(({ value, visits }) => [value, visits]);
}

/** Three days of two visitors, in segments on disk. */
async function createLog(): Promise<TestLog> {
  const log = await createTestLog();
  const visits: Given[] = [0, 1, 2].flatMap((day) => [
    { at: day * DAY_MS, referrer: 'https://www.google.com/', browserVersion: '140' },
    { at: day * DAY_MS + MINUTE_MS, path: '/next' },
    { at: day * DAY_MS + 5 * MINUTE_MS, visitorId: 'v2', sessionId: 's2', browserVersion: '139' },
  ]);
  log.add(...visits);
  const engine = log.engine();
  await engine.query(all());
  await engine.close();
  return log;
}

async function refreshAll(engine: Engine): Promise<void> {
  for (let steps = 0; !(await engine.follow()); steps += 1)
    if (steps > 100) throw new Error('It never ends.');
}

test('segments of earlier rules answer at once, and by the rules of today when they are refreshed', async () => {
  const log = await createLog();
  makeOutdated(log);
  const engine = log.engine();
  expect(await valuesOf(engine, 'source')).toEqual([['Of earlier rules', 3]]);
  expect(await valuesOf(engine, 'browserVersion')).toEqual([]);
  await refreshAll(engine);
  const answered = async (of: Engine) => [await valuesOf(of, 'source'), await valuesOf(of, 'browserVersion')];
  const today = [
    [['Google', 3]],
    [
      ['139', 3],
      ['140', 3],
    ],
  ];
  expect(await answered(engine)).toEqual(today);
  await engine.close();
  expect(await answered(log.engine())).toEqual(today); // from the disk
  expect(log.database.prepare('SELECT DISTINCT rules FROM segments').raw().all([])).toEqual([[RULES]]);
  log.close();
});

test('a refresh is continued after a start, and misses nothing that arrives meanwhile', async () => {
  const log = await createLog();
  makeOutdated(log);
  const first = log.engine();
  await first.query(all());
  await first.follow(); // one of three days
  await first.close();
  log.add(
    { at: 90 * MINUTE_MS, visitorId: 'v3', browserVersion: '141' },
    { at: DAY_MS + 6 * MINUTE_MS, visitorId: 'v2' },
  );
  const second = log.engine();
  await refreshAll(second);
  expect(await valuesOf(second, 'browserVersion')).toEqual([
    ['139', 3],
    ['140', 3],
    ['141', 1],
  ]);
  const { totals } = await second.query(all());
  expect(totals).toMatchObject({ events: 11, visits: 7, visitors: 3 });
  await second.close();
  log.close();
});

test('an event that is erased during a refresh does not come back', async () => {
  const log = await createLog();
  makeOutdated(log);
  const engine = log.engine();
  await engine.query(all());
  const [, erased] = await Promise.all([
    refreshAll(engine),
    engine.eraseVisitor({ websiteKey: WEBSITE, visitorId: 'v2' }),
  ]);
  await refreshAll(engine);
  expect(erased).toEqual({ eventsRemoved: 3 });
  expect(await valuesOf(engine, 'browserVersion')).toEqual([['140', 3]]);
  expect(await followLocal(log.database).readKeys([3, 6, 9])).toEqual([]);
  await engine.close();
  log.close();
});

test('the rules are increased with every column and dictionary', () => {
  const columns = Object.values(PARTS).flat();
  expect(columns.toSorted()).toEqual(Object.keys(COLUMN_TYPES).toSorted() as typeof columns);
  const own = DIMENSIONS.filter((name) => DIMENSION_RECORDS[name].dictionary === name);
  expect<string[]>(DICTIONARIES.toSorted()).toEqual([...own, 'propertyKey'].toSorted());
  expect({ rules: RULES, columns: columns.length, dictionaries: LOCAL_DICTIONARIES.length }).toEqual({
    rules: 1,
    columns: 39,
    dictionaries: 24,
  });
});
