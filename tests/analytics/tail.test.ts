import { heapStats } from 'bun:jsc';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  all,
  createTestLog,
  DAY_MS,
  type Given,
  HOUR_MS,
  MINUTE_MS,
  START_MS,
  type TestLog,
  totalsOf,
} from './support.ts';

let log: TestLog;
beforeEach(async () => {
  log = await createTestLog();
});
afterEach(() => log.close());

const EVERYTHING = all({
  breakdowns: [
    { dimension: 'page', limit: 100 },
    { dimension: 'entryPage', limit: 100 },
    { dimension: 'source', limit: 100, withAbsent: true },
    { dimension: 'country', limit: 100 },
    { dimension: 'property:plan', limit: 100 },
    { dimension: 'event', limit: 100 },
  ],
});

describe('the tail', () => {
  test('answers with what was committed just before', async () => {
    const engine = log.engine();
    expect(await totalsOf(engine)).toMatchObject({ events: 0 });
    log.add({ at: 0 });
    expect(await totalsOf(engine)).toMatchObject({ events: 1 });
    log.add({ at: MINUTE_MS });
    expect(await totalsOf(engine)).toMatchObject({ events: 2, visits: 1 });
  });

  test('a late event joins two visits that are on disk, and takes over as the first', async () => {
    log.add({ at: HOUR_MS, path: '/b' }, { at: 2 * HOUR_MS - 5 * MINUTE_MS, path: '/c' });
    const engine = log.engine();
    expect(await totalsOf(engine)).toMatchObject({ visits: 2 });
    await engine.close();
    const later = log.engine();
    log.add(
      { at: HOUR_MS + 28 * MINUTE_MS, path: '/x' },
      { at: HOUR_MS - MINUTE_MS, path: '/a?utm_source=News' },
    );
    const { totals, breakdowns } = await later.query(EVERYTHING);
    expect(totals).toMatchObject({ visits: 1, pageviews: 4, visitDuration: 56 * 60 });
    expect(breakdowns?.[1]?.rows[0]).toMatchObject({ value: '/a', visits: 1 });
    expect(breakdowns?.[2]?.rows).toMatchObject([{ value: 'News', visits: 1 }]);
  });

  test('gives the same answers before and after a restart, and after a rebuild, byte for byte', async () => {
    const engine = log.engine();
    log.add(...traffic(0, 200));
    await engine.query(EVERYTHING);
    log.add(...traffic(200, 400));
    const answer = JSON.stringify(await engine.query(EVERYTHING));
    await engine.close();
    const restarted = log.engine();
    expect(JSON.stringify(await restarted.query(EVERYTHING))).toBe(answer);
    expect(await restarted.rebuild({})).toEqual({ events: 400 });
    expect(JSON.stringify(await restarted.query(EVERYTHING))).toBe(answer);
    await restarted.close();
    expect(JSON.stringify(await log.engine().query(EVERYTHING))).toBe(answer);
  });

  test('reads on after a crash between a block and the checkpoint, without counting twice', async () => {
    log.add(...traffic(0, 100));
    const engine = log.engine();
    const before = JSON.stringify(await engine.query(EVERYTHING));
    await engine.close();
    log.database.exec("DELETE FROM analytics_state WHERE name = 'checkpoint'");
    expect(JSON.stringify(await log.engine().query(EVERYTHING))).toBe(before);
  });

  test('begins a rebuild again that was cut off', async () => {
    log.add(...traffic(0, 100));
    const engine = log.engine();
    const before = JSON.stringify(await engine.query(EVERYTHING));
    await engine.close();
    log.database.exec("DELETE FROM day_blocks; INSERT INTO analytics_state VALUES ('rebuild 1', 1)");
    expect(JSON.stringify(await log.engine().query(EVERYTHING))).toBe(before);
  });

  test('keeps the memory of decoded days within its bound', async () => {
    log.add(...traffic(0, 2_000));
    const engine = log.engine(20_000);
    const answer = JSON.stringify(await engine.query(EVERYTHING));
    await engine.close();
    const small = log.engine(20_000);
    expect(JSON.stringify(await small.query(EVERYTHING))).toBe(answer);
    expect(JSON.stringify(await small.query(EVERYTHING))).toBe(answer);
    expect((await small.freshness()).cachedBytes).toBeLessThanOrEqual(20_000);
  });

  test('lets go of days whose visits go on into days that it keeps', async () => {
    const DAYS = 200;
    for (let day = 0; day < DAYS; day += 1)
      log.add({ at: (day + 1) * DAY_MS - 1 }, { at: (day + 1) * DAY_MS });
    const first = log.engine();
    await first.query(all());
    await first.close(); // puts them on disk
    const engine = log.engine(20_000);
    const ranges = Array.from({ length: DAYS / 10 }, (_, index) => START_MS + index * 10 * DAY_MS);
    await engine.query(all());
    const before = liveArrays();
    for (const fromMs of ranges) await engine.query(all({ fromMs, toMs: fromMs + 10 * DAY_MS }));
    // A day has ten and more.
    expect(liveArrays() - before).toBeLessThan(DAYS * 5);
  });
});

function liveArrays(): number {
  Bun.gc(true);
  return heapStats().objectTypeCounts.Uint32Array ?? 0;
}

/** Events of several visitors over nine days, in no order of time. */
function traffic(from: number, to: number): Given[] {
  return Array.from({ length: to - from }, (_, index): Given => {
    const n = from + index;
    const isCustom = n % 5 === 0;
    return {
      at: ((n * 7_919) % 9_000) * (DAY_MS / 1_000),
      visitorId: `v${n % 7}`,
      sessionId: `s${n % 11}`,
      path: `/p${n % 13}${n % 3 === 0 ? `?utm_source=u${n % 4}` : ''}`,
      location: ['DE', 'FR', null][n % 3] ?? null,
      ...(isCustom && {
        eventType: 'custom' as const,
        properties: JSON.stringify({ name: `e${n % 3}`, plan: `plan ${n % 6}`, order: n }),
      }),
    };
  });
}
