import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { LocalDatabase } from '../../src/db/local-database.ts';
import { followLocal } from '../../src/log/follower.ts';
import { createTestFollower } from './follower.ts';
import { createTestLog, type TestLog } from './support.ts';

/** Another process holds the lock on the file, while something has to be removed. */

const OTHER = 2;

let log: TestLog;
let follower: ReturnType<typeof createTestFollower>;
let isLocked = false;
beforeEach(async () => {
  isLocked = false;
  log = await createTestLog();
  follower = createTestFollower(refuseWhileLocked(log.database));
  log.add({ at: 0 }, { at: 1_000 }, { at: 2_000, website: OTHER });
  await follower.catchUp(1_000);
  log.add({ at: 3_000, website: OTHER });
});
afterEach(() => log.close());

function refuseWhileLocked(real: LocalDatabase): LocalDatabase {
  return new Proxy(real, {
    get(target, name) {
      if (name === 'exec')
        return (sql: string) => {
          if (isLocked && sql === 'BEGIN IMMEDIATE')
            throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
          return target.exec(sql);
        };
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const eventsOf = (websiteKey: number) =>
  follower.website(websiteKey).segments.reduce((sum, { eventCount }) => sum + eventCount, 0);

/** No caller waits for the lock, and all is done once it is free. */
async function expectOthersGoOn(): Promise<void> {
  isLocked = true;
  expect(await follower.catchUp(20)).toBe(false);
  expect(await follower.catchUp(1_000, OTHER)).toBe(true);
  expect(eventsOf(OTHER)).toBe(2);
  expect(await follower.catchUp(20, 1)).toBe(false);
  isLocked = false;
  expect(await follower.catchUp(10_000)).toBe(true);
  expect(eventsOf(1)).toBe(1);
}

test('what was removed is followed without holding up questions about other websites', async () => {
  await followLocal(log.database).orderErasure(1, [1]);
  await followLocal(log.database).carryOutErasures(Number.POSITIVE_INFINITY);
  await expectOthersGoOn();
});

test('an erasure that was cut off is gone on with without holding them up', async () => {
  await followLocal(log.database).orderErasure(1, [1]);
  follower = createTestFollower(refuseWhileLocked(log.database));
  await expectOthersGoOn();
});
