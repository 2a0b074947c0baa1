import { expect, test } from 'bun:test';
import type { LocalDatabase } from '../../src/db/local-database.ts';
import { followLocal } from '../../src/log/follower.ts';
import { createTestFollower, onCommit } from './follower.ts';
import { createTestLog, WEBSITE } from './support.ts';

/** Interruptions between two steps of writing: the disk is consistent at every commit. */

/** Events in segments on disk. */
function storedOf(database: LocalDatabase): number {
  return (database.prepare('SELECT total(events) FROM segments').raw().get([]) as [number])[0];
}

test('an event waits, or is in a segment, never both', async () => {
  const log = await createTestLog();
  const follower = createTestFollower(log.database);
  const { pool } = follower;
  const counted: number[] = [];
  const count = () => {
    const { segments, waiting } = follower.website(WEBSITE);
    counted.push(segments.reduce((sum, { eventCount }) => sum + eventCount, waiting.length));
  };
  const use = pool.use.bind(pool);
  pool.use = (segment, work) => {
    queueMicrotask(count); // as a flush that comes next
    return use(segment, work);
  };
  log.add({ at: 0 }, { at: 1 });
  await follower.catchUp(1_000);
  expect(counted).toEqual([2]);
  log.close();
});

test('a flush knows what it wrote before other work continues', async () => {
  const log = await createTestLog();
  let commits = 0;
  const database = onCommit(log.database, () => {
    commits += 1;
    if (commits === 2) queueMicrotask(replaceAll); // 1: texts, 2: segments
  });
  const follower = createTestFollower(database);
  function replaceAll(): void {
    const website = follower.website(WEBSITE);
    website.replace({ replaced: [...website.segments], added: [], missing: [] });
    website.hasRemoved = true;
  }
  log.add({ at: 0 });
  await follower.catchUp(1_000);
  commits = 0;
  await follower.flush();
  expect(storedOf(log.database)).toBe(1);
  await follower.flush();
  expect(storedOf(log.database)).toBe(0);
  log.close();
});

test('a removal that waits for the log is on disk when it is done, though a flush came in between', async () => {
  const log = await createTestLog();
  const real = followLocal(log.database);
  const follower = createTestFollower(log.database, {
    async readKeys(keys) {
      await follower.flush();
      return real.readKeys(keys);
    },
  });
  log.add({ at: 0 }, { at: 1 }, { at: 2 });
  await follower.catchUp(1_000);
  await follower.flush();
  await real.orderErasure(WEBSITE, [1]);
  await real.carryOutErasures(Number.POSITIVE_INFINITY);
  await follower.catchUp(1_000);
  expect(storedOf(log.database)).toBe(2);
  log.close();
});
