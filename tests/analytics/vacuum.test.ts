import { expect, test } from 'bun:test';
import { followLocal, type LogPage } from '../../src/log/follower.ts';
import { createTestFollower, onCommit } from './follower.ts';
import { all, createTestLog, type TestLog, WEBSITE } from './support.ts';

async function erase(log: TestLog, ...keys: number[]): Promise<void> {
  const follower = followLocal(log.database);
  await follower.orderErasure(WEBSITE, keys);
  await follower.carryOutErasures(Number.POSITIVE_INFINITY);
}

async function pagesOf(log: TestLog): Promise<string[]> {
  const { rows } = await log.engine().pages({ ...all(), limit: 10, offset: 0 });
  return rows.map(({ value }) => value);
}

function textsOf(log: TestLog): string[] {
  const rows = log.database
    .prepare("SELECT text FROM terms WHERE text LIKE '/%' ORDER BY text")
    .raw()
    .all([]);
  return (rows as [string][]).map(([text]) => text);
}

test('a vacuum leaves nothing of what was erased, and what waits for its segment', async () => {
  const log = await createTestLog();
  const { read } = followLocal(log.database);
  let isCutShort = false;
  const follower = createTestFollower(log.database, {
    async read(position): Promise<LogPage> {
      const page = await read(position);
      return { ...page, isLast: page.isLast && !isCutShort };
    },
  });
  log.add({ at: 0, path: '/back', visitorId: 'v2' }, { at: 0, path: '/gone' }, { at: 1, path: '/kept' });
  await follower.catchUp(1_000);
  await erase(log, 1, 2);
  await follower.catchUp(1_000);
  log.add({ at: 2, path: '/back', visitorId: 'v2' });
  isCutShort = true;
  expect(await follower.catchUp(-1)).toBe(false);
  expect(follower.website(WEBSITE).waiting).toHaveLength(1);
  await follower.vacuum();
  isCutShort = false;
  await follower.catchUp(1_000);
  await follower.flush();
  expect(textsOf(log)).toEqual(['/back', '/kept']);
  expect(await pagesOf(log)).toEqual(['/back', '/kept']);
  const { events } = await log.engine().exportVisitor({ websiteKey: WEBSITE, visitorId: 'v2', limit: 10 });
  expect(events).toHaveLength(1);
  log.close();
});

test('a vacuum is due again when something is removed while it is at work', async () => {
  const log = await createTestLog();
  let meanwhile = '';
  const database = onCommit(log.database, () => {
    if (meanwhile) log.database.exec(meanwhile);
    meanwhile = '';
  });
  const follower = createTestFollower(database);
  log.add({ at: 0, path: '/gone' }, { at: 1 });
  await follower.catchUp(1_000);
  await erase(log, 1);
  await follower.catchUp(1_000);
  meanwhile = `INSERT OR REPLACE INTO analytics_state (name, value) VALUES ('vacuum ${WEBSITE}', 1000)`;
  await follower.vacuum();
  const marks = log.database.prepare("SELECT count(*) FROM analytics_state WHERE name LIKE 'vacuum%'").raw();
  expect(marks.get([])).toEqual([1]);
  await follower.vacuum();
  expect(marks.get([])).toEqual([0]);
  log.close();
});

test('a website stays in memory while a vacuum is at work on it', async () => {
  const log = await createTestLog();
  const follower = createTestFollower(log.database);
  log.add({ at: 0, path: '/gone' }, { at: 1 });
  await follower.catchUp(1_000);
  await erase(log, 1);
  await follower.catchUp(1_000);
  await follower.flush();
  const website = follower.website(WEBSITE);
  const vacuumed = follower.vacuum();
  await Promise.resolve();
  for (let other = 100; other < 160; other += 1) follower.website(other);
  follower.websites.forgetIdle();
  expect(follower.website(WEBSITE)).toBe(website);
  await vacuumed;
  for (let other = 100; other < 160; other += 1) follower.website(other);
  follower.websites.forgetIdle();
  expect(follower.website(WEBSITE)).not.toBe(website);
  log.close();
});

test('everything may be derived again during a vacuum', async () => {
  const log = await createTestLog();
  const follower = createTestFollower(log.database);
  log.add({ at: 0, path: '/gone' }, { at: 1, path: '/a' }, { at: 2, path: '/b' });
  await follower.catchUp(1_000);
  await erase(log, 1);
  await follower.catchUp(1_000);
  const vacuumed = follower.vacuum();
  await follower.reset();
  await Promise.all([vacuumed, follower.catchUp(1_000).then(() => follower.flush())]);
  expect(textsOf(log)).toEqual(['/a', '/b']);
  expect(await pagesOf(log)).toEqual(['/a', '/b']);
  log.close();
});
