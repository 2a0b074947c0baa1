import { expect, test } from 'bun:test';
import { createExportSchedule } from '../../src/exports/schedule.ts';
import { createClock } from '../support/clock.ts';

const MINUTE_MS = 60_000;

function createSchedule(isOn = true) {
  const clock = createClock(); // noon
  const finished: unknown[] = [];
  let runs = 0;
  let fault: Error | undefined;
  const schedule = createExportSchedule({
    isOn,
    now: clock.now,
    async run() {
      runs += 1;
      if (fault) throw fault;
    },
    onFinished: (error) => finished.push(error),
  });
  const runsAfter = async (minutes: number) => {
    const before = runs;
    clock.advance(minutes * MINUTE_MS);
    await schedule.turn();
    return runs > before;
  };
  return {
    ...schedule,
    runsAfter,
    finished,
    failWith(error: Error | undefined) {
      fault = error;
    },
  };
}

test('the daily export runs ten minutes after a start, and ten minutes after each midnight', async () => {
  const { runsAfter, finished } = createSchedule();
  expect(await runsAfter(9)).toBe(false);
  expect(await runsAfter(1)).toBe(true); // 12:10
  expect(await runsAfter(11 * 60 + 59)).toBe(false); // 00:09
  expect(await runsAfter(1)).toBe(true);
  expect(await runsAfter(24 * 60 - 1)).toBe(false);
  expect(await runsAfter(1)).toBe(true);
  expect(finished).toEqual([undefined, undefined, undefined]);
});

test('a daily export that fails is tried again after an hour', async () => {
  const { runsAfter, failWith, finished } = createSchedule();
  const error = new Error('the bucket is away');
  failWith(error);
  expect(await runsAfter(10)).toBe(true);
  expect(await runsAfter(59)).toBe(false);
  failWith(undefined);
  expect(await runsAfter(1)).toBe(true);
  expect(finished).toEqual([error, undefined]);
});

test('without EXPORT_TO, and after a stop, no daily export runs', async () => {
  expect(await createSchedule(false).runsAfter(60)).toBe(false);
  const { runsAfter, close } = createSchedule();
  await close();
  expect(await runsAfter(60)).toBe(false);
});
