import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { EVENT_FLAGS } from '../../src/vocabulary/contract.ts';
import {
  all,
  createTestLog,
  DAY_MS,
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

describe('a visit', () => {
  test('a visit continues after a pause of exactly thirty minutes and ends after one more millisecond', async () => {
    log.add({ at: 0 }, { at: 30 * MINUTE_MS }, { at: 60 * MINUTE_MS + 1, path: '/later' });
    expect(await totalsOf(log.engine())).toEqual({
      visitors: 1,
      visits: 2,
      pageviews: 3,
      events: 3,
      viewsPerVisit: 1.5,
      bounceRate: 0.5,
      visitDuration: 900,
    });
  });

  test('goes across tabs', async () => {
    log.add({ at: 0, sessionId: 'a' }, { at: MINUTE_MS, sessionId: 'b' });
    expect(await totalsOf(log.engine())).toMatchObject({ visits: 1, bounceRate: 0, visitDuration: 60 });
  });

  test('across midnight is one visit, counts on both days and lasts on the first', async () => {
    log.add(
      { at: DAY_MS - MINUTE_MS, path: '/a' },
      { at: DAY_MS + MINUTE_MS, path: '/b' },
      { at: 2 * DAY_MS, path: '/c' },
    );
    const { totals, series, breakdowns } = await log.engine().query(
      all({
        series: { bounds: [0, 1, 2, 3].map((day) => START_MS + day * DAY_MS) },
        breakdowns: [{ dimension: 'exitPage', limit: 10 }],
      }),
    );
    expect(totals).toMatchObject({
      visitors: 1,
      visits: 2,
      pageviews: 3,
      bounceRate: 0.5,
      visitDuration: 60,
    });
    expect(series?.map(({ visits, pageviews, visitDuration }) => [visits, pageviews, visitDuration])).toEqual(
      [
        [1, 1, 120],
        [1, 1, 0],
        [1, 1, 0],
      ],
    );
    expect(breakdowns?.[0]?.rows.map(({ value, visits }) => [value, visits])).toEqual([
      ['/b', 1],
      ['/c', 1],
    ]);
  });

  test('continuous activity is one visit from the first day to the last', async () => {
    const steps = Array.from({ length: 150 }, (_, step) => ({ at: 23 * HOUR_MS + step * 20 * MINUTE_MS }));
    log.add(...steps);
    const engine = log.engine();
    expect(await totalsOf(engine)).toMatchObject({ visits: 1, visitDuration: 149 * 20 * 60 });
    const middle = { fromMs: START_MS + DAY_MS + HOUR_MS, toMs: START_MS + DAY_MS + 2 * HOUR_MS };
    expect(await totalsOf(engine, middle)).toMatchObject({
      visits: 1,
      pageviews: 3,
      visitDuration: 149 * 20 * 60,
    });
  });

  test('a visit of more than thirty days continues as another one', async () => {
    const steps = Array.from({ length: 60 * 50 }, (_, step) => ({ at: step * 29 * MINUTE_MS }));
    log.add(...steps);
    const bounds = Array.from({ length: 62 }, (_, day) => START_MS + day * DAY_MS);
    const last = START_MS + (steps.at(-1)?.at ?? 0);
    const whole = { toMs: last + 1 };
    const { totals, series } = await log.engine().query(all({ ...whole, series: { bounds } }));
    expect(totals).toMatchObject({ visits: 3, pageviews: steps.length });
    // 1,490 events are thirty days; the third visit has what is left.
    const durations: Record<number, number> = { 0: 1_489, 30: 1_489, 60: 19 };
    expect(series?.map(({ visits, visitDuration }) => [visits, visitDuration])).toEqual(
      bounds.slice(1).map((_, day) => [1, (durations[day] ?? 0) * 29 * 60]),
    );
    const { rows } = await log.engine().sessions({ ...all(whole), limit: 10, offset: 0 });
    expect(rows).toMatchObject([{ firstAtMs: START_MS, lastAtMs: last, events: steps.length }]);
  });

  test('of people for half a day and then of a bot is a visit of each', async () => {
    const steps = Array.from({ length: 5 * 72 }, (_, step) => ({
      at: step * 20 * MINUTE_MS,
      flags: step % 72 < 36 ? 0 : EVENT_FLAGS.bot,
    }));
    log.add(...steps);
    const engine = log.engine();
    const visitDuration = 35 * 20 * 60;
    expect(await totalsOf(engine, { traffic: 'all' })).toMatchObject({ visits: 10, visitDuration });
    for (const day of [0, 2, 4]) {
      const range = { fromMs: START_MS + day * DAY_MS, toMs: START_MS + (day + 1) * DAY_MS };
      expect(await totalsOf(engine, { traffic: 'all', ...range })).toMatchObject({
        visits: 2,
        visitDuration,
      });
    }
  });

  test('keeps its duration and its end when the range cuts it', async () => {
    log.add({ at: HOUR_MS, path: '/a' }, { at: HOUR_MS + 10 * MINUTE_MS, path: '/b' });
    const { totals, breakdowns } = await log.engine().query(
      all({
        toMs: START_MS + HOUR_MS + MINUTE_MS,
        breakdowns: [{ dimension: 'exitPage', limit: 10 }],
      }),
    );
    expect(totals).toMatchObject({ pageviews: 1, visits: 1, bounceRate: 0, visitDuration: 600 });
    expect(breakdowns?.[0]?.rows[0]).toMatchObject({ value: '/b', visits: 1 });
  });

  test('of a bot, and events of excluded addresses, count only where they are asked for', async () => {
    log.add(
      { at: 0 },
      { at: MINUTE_MS, flags: EVENT_FLAGS.bot },
      { at: 2 * MINUTE_MS, flags: EVENT_FLAGS.excluded },
    );
    const engine = log.engine();
    expect(await totalsOf(engine)).toMatchObject({ visitors: 1, visits: 1, events: 1, visitDuration: 0 });
    expect(await totalsOf(engine, { traffic: 'bots' })).toMatchObject({ visits: 1, events: 1 });
    expect(await totalsOf(engine, { traffic: 'all' })).toMatchObject({
      visitors: 1,
      visits: 3,
      events: 3,
      visitDuration: 0,
    });
  });
});
