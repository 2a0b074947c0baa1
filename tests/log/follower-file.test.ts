import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { copyDatabase } from '../../src/backup/copy.ts';
import { openLocalDatabase } from '../../src/db/local-database.ts';
import { truncateLog } from '../../src/db/truncate-log.ts';
import { followLocal } from '../../src/log/follower.ts';
import { onFullDisk } from '../support/full-disk.ts';
import { newEvent } from './events.ts';
import {
  ascending,
  erase,
  expectRightCounts,
  fill,
  keysOf,
  LIST,
  range,
  removedIn,
  START,
} from './following.ts';
import { openFileStage } from './stages.ts';

setDefaultTimeout(30_000);

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

async function start() {
  const stage = await openFileStage();
  closes.push(stage.close);
  return stage;
}

test('an erasure is all or nothing when the disk is full at any commit, and resumes at the next start', async () => {
  const all = range(1, 3 * LIST);
  const erased = all.slice(10);
  const outcomes: ('nothing' | 'finished later' | 'done')[] = [];
  for (let commit = 1; outcomes.at(-1) !== 'done'; commit += 1) {
    const { db, local, follow } = await start();
    await fill(db, all.length);
    const disk = onFullDisk(local);
    disk.fillAt(commit);
    const follower = followLocal(disk.database);
    const isDone = await follower
      .orderErasure(1, erased)
      .then(() => follower.carryOutErasures(Number.POSITIVE_INFINITY))
      .catch(() => false);
    expect(isDone).toBe(!disk.empty());

    const next = await follow();
    const { firstErasure } = await next.read(START);
    const removed = removedIn(await next.read(START));
    await expectRightCounts(db);
    expect(await next.carryOutErasures(Number.POSITIVE_INFINITY)).toBe(true);
    const page = await next.read(START);
    expect(ascending([...removedIn(page), ...keysOf(page)])).toEqual(
      all.slice(0, page.events.length + removedIn(page).length),
    );
    await expectRightCounts(db);
    if (isDone) outcomes.push('done');
    else if (firstErasure === undefined) outcomes.push('nothing');
    else outcomes.push('finished later');
    expect(removed.length).toBe(isDone ? erased.length : Math.max(0, commit - 2) * LIST);
  }
  expect(outcomes).toEqual(['nothing', 'finished later', 'finished later', 'finished later', 'done']);
});

test('a log that was restored is the same one, with newest keys of before', async () => {
  const { log, path, follow } = await start();
  const follower = await follow();
  await log.append([newEvent(), newEvent()]);
  const copy = `${path}.copy`;
  copyDatabase(path, copy);
  await log.append([newEvent()]);
  await erase(follower, 1, [1]);
  const { logId } = await follower.read(START);
  const restored = openLocalDatabase(copy, 'full');
  closes.push(() => restored.close());
  expect(await followLocal(restored).read({ eventKey: 3, removalKey: 1 })).toMatchObject({
    logId,
    newestEventKey: 2,
    newestRemovalKey: 0,
    events: [],
    removals: [],
  });
});

test('what was erased is gone from the bytes of the file', async () => {
  const { log, local, path, follow } = await start();
  const follower = await follow();
  const url = 'https://example.com/a-secret-page';
  await log.append([...Array.from({ length: 300 }, () => newEvent({ url })), newEvent()]);
  await truncateLog(local);
  expect(readFileSync(path).includes('a-secret-page')).toBe(true);
  await erase(follower, 1, range(1, 301));
  expect(await truncateLog(local)).toBe(true);
  for (const file of [path, `${path}-wal`]) expect(readFileSync(file).includes('a-secret-page')).toBe(false);
});
