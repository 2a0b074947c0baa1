import { describe, expect, test } from 'bun:test';
import type { Engine } from '../../src/analytics/embedded/engine.ts';
import { createTestLog, DAY_MS, type Given, HOUR_MS, MINUTE_MS, START_MS } from './support.ts';

const DAYS = 150;
/** Its digest is read by itself, those of the other days many at a time. */
const BUSY_DAY = 70;
const BUSY_VISITORS = 5_000;

describe('headlines of a range', () => {
  test('are its totals, whether its days are quiet or busy, written or not yet', async () => {
    const log = await createTestLog();
    log.add(...quietDays(), ...busyDay());
    const before = log.engine();
    await before.catchUp(); // takes in what was added
    await before.close(); // and writes it
    log.add(...late());

    for (const engine of [log.engine(), log.engine(0)])
      for (const [fromMs, toMs] of ranges())
        expect(await headline(engine, fromMs, toMs)).toEqual(await totals(engine, fromMs, toMs));
    log.close();
  });

  test('are its totals again after an event came late, was written, and a visitor was erased', async () => {
    const log = await createTestLog();
    log.add(...quietDays());
    const engine = log.engine();
    const [fromMs, toMs] = [START_MS, START_MS + DAYS * DAY_MS];
    const visitors: number[] = [];
    const changes = [
      () => {},
      () => log.add({ at: 20 * DAY_MS + HOUR_MS, visitorId: 'late' }),
      () => engine.rebuild(),
      () => log.add({ at: 21 * DAY_MS + HOUR_MS, visitorId: 'later' }),
      () => engine.eraseVisitor({ websiteKey: 1, visitorId: 'late' }),
    ];
    for (const change of changes) {
      await change();
      for (const _ of ['first', 'again']) {
        const found = await headline(engine, fromMs, toMs);
        expect(found).toEqual(await totals(engine, fromMs, toMs));
        visitors.push(found?.visitors ?? 0);
      }
    }
    const all = DAYS + 2;
    expect(visitors).toEqual([all, all + 1, all + 1, all + 2, all + 1].flatMap((count) => [count, count]));
    log.close();
  });
});

/** Two visitors a day, of whom one comes back, and a visit across every midnight. */
function quietDays(): Given[] {
  return Array.from({ length: DAYS }, (_, day) => day * DAY_MS).flatMap((at, day) => [
    { at: at + 9 * HOUR_MS, visitorId: 'regular' },
    { at: at + 9 * HOUR_MS + MINUTE_MS, visitorId: 'regular', eventType: 'click' as const },
    { at: at + 15 * HOUR_MS + 7 * MINUTE_MS, visitorId: `of-day-${day}` },
    { at: at + DAY_MS - MINUTE_MS, visitorId: 'at-night' },
    { at: at + DAY_MS + MINUTE_MS, visitorId: 'at-night' },
  ]);
}

function busyDay(): Given[] {
  return Array.from({ length: BUSY_VISITORS }, (_, number) => ({
    at: BUSY_DAY * DAY_MS + ((number * 7_919) % (DAY_MS / 1_000)) * 1_000,
    visitorId: `busy-${number}`,
  }));
}

/** On days that are written, and on one of its own. */
function late(): Given[] {
  return [3, 64, BUSY_DAY, DAYS + 2].map((day) => ({ at: day * DAY_MS + HOUR_MS, visitorId: 'late' }));
}

function ranges(): [fromMs: number, toMs: number][] {
  const at = (day: number, ms = 0) => START_MS + day * DAY_MS + ms;
  return [
    [at(-10), at(DAYS + 10)],
    [at(0), at(64)],
    [at(63), at(65)],
    [at(2, 8 * HOUR_MS), at(BUSY_DAY, 15 * HOUR_MS)],
    [at(BUSY_DAY, 15 * HOUR_MS), at(BUSY_DAY + 1)],
    [at(5, 12_345), at(BUSY_DAY, 54_321_000)],
    [at(DAYS + 1), at(DAYS + 2)],
    [at(4), at(4)],
  ];
}

async function headline(engine: Engine, fromMs: number, toMs: number) {
  const bounds = boundsOf(fromMs, toMs);
  const [own, other] = await engine.headlines({ websiteKeys: [1, 2], fromMs, toMs, bounds });
  expect(other).toEqual({
    websiteKey: 2,
    visitors: 0,
    visits: 0,
    pageviews: 0,
    points: bounds.slice(1).map(() => 0),
  });
  return own;
}

async function totals(engine: Engine, fromMs: number, toMs: number) {
  const bounds = boundsOf(fromMs, toMs);
  const answer = await engine.query({ websiteKey: 1, fromMs, toMs, totals: true, series: { bounds } });
  const { visitors = 0, visits = 0, pageviews = 0 } = answer.totals ?? {};
  return {
    websiteKey: 1,
    visitors,
    visits,
    pageviews,
    points: answer.series?.map((point) => point.visitors) ?? [],
  };
}

/** Nine days each, across the noons of UTC. */
function boundsOf(fromMs: number, toMs: number): number[] {
  const bounds = [fromMs];
  while ((bounds.at(-1) ?? toMs) < toMs) bounds.push((bounds.at(-1) ?? toMs) + 9 * DAY_MS + 12 * HOUR_MS);
  return bounds;
}
