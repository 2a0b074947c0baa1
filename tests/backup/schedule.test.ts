import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { type LastBackup, readLastBackup, writeLastBackup } from '../../src/backup/last-backup.ts';
import { createBackupSchedule } from '../../src/backup/schedule.ts';
import { runCommandProcess } from '../../src/process/command-process.ts';
import { createClock } from '../support/clock.ts';
import { BACKUP_NAME, createInstallation, filesOf } from './support.ts';

setDefaultTimeout(60_000); // every test starts processes

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let installation: Awaited<ReturnType<typeof createInstallation>>;
beforeEach(async () => {
  installation = await createInstallation(10);
});
afterEach(() => installation.remove());

const BACKUP = ['backup', '--quiet'];

/** A schedule on a clock that is moved, which counts the runs and lets each end as told. */
function createSchedule(everyMs = DAY_MS) {
  const clock = createClock();
  const finished: LastBackup[] = [];
  let runs = 0;
  let end: () => Promise<void> = () => Promise.resolve();
  const schedule = createBackupSchedule({
    everyMs,
    dataDir: installation.path,
    now: clock.now,
    run: () => {
      runs += 1;
      return end();
    },
    onFinished: (last) => finished.push(last),
  });
  /** Moves the clock, gives a turn and says whether a backup was made. */
  async function runsAfter(ms: number): Promise<boolean> {
    clock.advance(ms);
    const before = runs;
    await schedule.turn();
    return runs > before;
  }
  return {
    ...schedule,
    clock,
    finished,
    runsAfter,
    runs: () => runs,
    endWith: (next: typeof end) => {
      end = next;
    },
  };
}

describe('backups that the service makes by itself', () => {
  test('the first comes ten minutes after the start, the next a day after it', async () => {
    const { runsAfter, last } = createSchedule();
    expect(await runsAfter(10 * MINUTE_MS - 1)).toBe(false);
    expect(last()).toBeUndefined();
    expect(await runsAfter(1)).toBe(true);
    expect(last()).toEqual({ finishedAtMs: expect.any(Number), ok: true });
    expect(await runsAfter(DAY_MS - 1)).toBe(false);
    expect(await runsAfter(1)).toBe(true);
  });

  test('are daily over restarts as well', async () => {
    const first = createSchedule();
    await first.runsAfter(HOUR_MS);
    const second = createSchedule();
    expect(second.last()).toEqual(first.last());
    expect(await second.runsAfter(HOUR_MS + DAY_MS - 1)).toBe(false);
    expect(await second.runsAfter(1)).toBe(true);
  });

  test('a failed backup is reported, and tried again after an hour', async () => {
    const { runsAfter, last, finished, endWith, clock } = createSchedule();
    endWith(() => Promise.reject(new Error('The disk is full.')));
    expect(await runsAfter(HOUR_MS)).toBe(true);
    const failure = { finishedAtMs: clock.now(), ok: false, error: 'The disk is full.' };
    expect(last()).toEqual(failure);
    expect(finished).toEqual([failure]);
    expect(readLastBackup(installation.path)).toEqual(failure);
    expect(await runsAfter(HOUR_MS - 1)).toBe(false);
    endWith(() => Promise.resolve());
    expect(await runsAfter(1)).toBe(true);
    expect(last()).toEqual({ finishedAtMs: clock.now(), ok: true });
  });

  test('are never two at once', async () => {
    const { clock, turn, endWith, runs } = createSchedule();
    const { promise, resolve } = Promise.withResolvers<void>();
    endWith(() => promise);
    clock.advance(HOUR_MS);
    const first = turn();
    clock.advance(2 * DAY_MS);
    const second = turn();
    expect(runs()).toBe(1);
    resolve();
    await Promise.all([first, second]);
    expect(runs()).toBe(1);
  });

  test('one from the command line counts', async () => {
    const { clock, runsAfter } = createSchedule();
    writeLastBackup(installation.path, { finishedAtMs: clock.now() + HOUR_MS, ok: true });
    expect(await runsAfter(DAY_MS)).toBe(false);
    expect(await runsAfter(HOUR_MS)).toBe(true);
  });

  test('do not wait for a time that a wrong clock made up', async () => {
    const { clock, runsAfter } = createSchedule();
    writeLastBackup(installation.path, { finishedAtMs: clock.now() + 400 * DAY_MS, ok: true });
    expect(await runsAfter(HOUR_MS)).toBe(true);
  });

  test('there are none with 0', async () => {
    expect(await createSchedule(0).runsAfter(400 * DAY_MS)).toBe(false);
  });

  test('an unreadable record of the last backup counts as no backup', async () => {
    await Bun.write(join(installation.path, 'last-backup.json'), '{"finishedAtMs":"soon"');
    expect(createSchedule().last()).toBeUndefined();
  });

  test('the real one makes a backup in a process of its own', async () => {
    const clock = createClock(Date.now() - HOUR_MS);
    const schedule = createBackupSchedule({
      everyMs: DAY_MS,
      dataDir: installation.path,
      now: clock.now,
      run: (signal) => runCommandProcess(BACKUP, { DATA_DIR: installation.path }, signal),
      onFinished: () => {},
    });
    clock.advance(HOUR_MS);
    await schedule.turn();
    expect(schedule.last()).toEqual({ finishedAtMs: clock.now(), ok: true });
    expect(filesOf(installation.backupsDir)).toEqual([
      expect.stringMatching(BACKUP_NAME),
      expect.stringMatching(/\.db\.sha256$/),
    ]);
  });

  test('the real one tells what the process said, and stops with the service', async () => {
    const environment = { DATA_DIR: join(installation.path, 'none') };
    const { signal } = new AbortController();
    await expect(runCommandProcess(BACKUP, environment, signal)).rejects.toThrow('There is no database at');
    const stopping = new AbortController();
    const running = runCommandProcess(BACKUP, { DATA_DIR: installation.path }, stopping.signal);
    stopping.abort();
    await expect(running).rejects.toThrow('the process ended with SIGTERM');
  });
});
