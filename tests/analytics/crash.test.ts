import { describe, expect, test } from 'bun:test';
import { until } from '../faults/stage/until.ts';
import { createTestFollower, onCommit } from './follower.ts';
import { all, createTestLog, totalsOf } from './support.ts';

class Killed extends Error {}

/** A process that ends at its nth commit. */
function killedAt(nth: number): () => void {
  let left = nth;
  return () => {
    left -= 1;
    if (left <= 0) throw new Killed();
  };
}

describe('after a process that ended', () => {
  test('between the visitors and the segments, no visitor gets a code in use', async () => {
    const log = await createTestLog();
    log.add({ at: 0, visitorId: 'a' }, { at: 1, visitorId: 'b' });
    // 1: what log is followed, 2: texts and visitors, 3: segments
    const follower = createTestFollower(onCommit(log.database, killedAt(3)));
    await follower.catchUp(1_000);
    await expect(follower.flush()).rejects.toThrow(Killed);
    log.add({ at: 2, visitorId: 'c' });
    expect(await totalsOf(log.engine())).toMatchObject({ visitors: 3, events: 3 });
    log.close();
  });

  test('after many visitors were written, and before their segments, all are counted once', async () => {
    const log = await createTestLog();
    const rowsOf = (table: string) =>
      (log.database.prepare(`SELECT count(*) AS rows FROM ${table}`).get([]) as { rows: number }).rows; // its column
    const count = 20_000;
    log.add(...Array.from({ length: count }, (_, at) => ({ at, visitorId: `v${at}` })));
    const follower = createTestFollower(log.database);
    expect(await follower.catchUp(60_000)).toBe(true);
    expect(await until(() => rowsOf('visitors') > count / 2 || undefined)).toBe(true);
    expect(rowsOf('segments')).toBe(0);
    expect(await totalsOf(log.engine())).toMatchObject({ visitors: count, events: count });
    log.close();
  });
});

describe('deriving everything again', () => {
  test('keeps what is only in memory when the disk is full', async () => {
    const log = await createTestLog();
    let isFull = false;
    const follower = createTestFollower(
      onCommit(log.database, () => {
        if (isFull) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      }),
    );
    log.add({ at: 0 }, { at: 1 });
    await follower.catchUp(1_000);
    isFull = true;
    await expect(follower.reset()).rejects.toThrow('full');
    isFull = false;
    await follower.catchUp(1_000);
    await follower.flush();
    expect(await totalsOf(log.engine())).toMatchObject({ events: 2 });
    log.close();
  });

  test('has nothing of what a flush was about to write', async () => {
    const log = await createTestLog();
    const follower = createTestFollower(log.database);
    // More texts than one step writes, of events that one page of the log has.
    const plans = Array.from({ length: 400 }, (_, plan) => `plan ${plan}`);
    const events = plans.map((plan, at) => ({ at, path: `/${at}`, properties: JSON.stringify({ plan }) }));
    log.add({ at: 0 }, ...events.map((event) => ({ ...event, website: 2 })));
    await follower.catchUp(1_000);
    log.database.exec('DELETE FROM events WHERE key IN (2, 202)');
    const flushed = follower.flush().catch(() => undefined);
    await follower.reset();
    await Promise.all([flushed, follower.catchUp(1_000)]);
    await follower.flush();
    const request = { ...all({ websiteKey: 2 }), key: 'plan', limit: 1_000, offset: 0 };
    const { rows } = await log.engine().propertyValues(request);
    const left = plans.filter((_, index) => index !== 0 && index !== 200);
    expect(rows.map(({ value }) => value).sort()).toEqual(left.sort());
    log.close();
  });
});
