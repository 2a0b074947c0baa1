import { HOUR_MS, MINUTE_MS } from '../vocabulary/durations.ts';
import { type LastBackup, readLastBackup, writeLastBackup } from './last-backup.ts';

type Options = {
  /** 0: never. */
  everyMs: number;
  dataDir: string;
  now: () => number;
  /** Makes a backup in a process of its own. Ends early with the signal. Rejects with a sentence. */
  run: (signal: AbortSignal) => Promise<void>;
  /** Called with the outcome of each backup. */
  onFinished: (last: LastBackup) => void;
};

export type BackupSchedule = {
  /** Makes a backup if one is due and none is being made. Resolves when it is done, well or not. */
  turn(): Promise<void>;
  last(): LastBackup | undefined;
  /** Stops one that is being made. */
  close(): Promise<void>;
};

/** A start is busy, and one that ends soon again should not begin with a copy of everything. */
const AFTER_START_MS = 10 * MINUTE_MS;
/** A backup that failed is tried again sooner than the next one is due. */
const RETRY_MS = HOUR_MS;

/** Schedules automatic backups. It uses the system clock, so they are daily across restarts, too. */
export function createBackupSchedule({ everyMs, dataDir, now, run, onFinished }: Options): BackupSchedule {
  const startedAtMs = now();
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let last = readLastBackup(dataDir);

  function isDue(nowMs: number): boolean {
    if (everyMs === 0 || stopping.signal.aborted) return false;
    if (isWithin(nowMs - startedAtMs, AFTER_START_MS)) return false;
    if (!last) return true;
    return !isWithin(nowMs - last.finishedAtMs, last.ok ? everyMs : Math.min(everyMs, RETRY_MS));
  }

  async function work(): Promise<void> {
    const beganAtMs = now();
    const error = await run(stopping.signal).then(
      () => undefined,
      (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
    );
    if (stopping.signal.aborted) return; // repeated after the next start
    const finishedAtMs = now();
    last = error === undefined ? { finishedAtMs, ok: true } : { finishedAtMs, ok: false, error };
    onFinished(last);
    // The process reports its own outcome, unless it was killed.
    if (!isNewer(readLastBackup(dataDir), beganAtMs)) writeLastBackup(dataDir, last);
  }

  return {
    turn() {
      const other = readLastBackup(dataDir); // one may have been made from the command line
      if (!running && isNewer(other, last?.finishedAtMs ?? 0)) last = other;
      if (!running && isDue(now()))
        running = work().finally(() => {
          running = undefined;
        });
      return running ?? Promise.resolve();
    },
    last: () => last,
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** A negative span means that the clock was set back: then nothing is waited for. */
function isWithin(spanMs: number, boundMs: number): boolean {
  return spanMs >= 0 && spanMs < boundMs;
}

function isNewer(last: LastBackup | undefined, thanMs: number): boolean {
  return last !== undefined && last.finishedAtMs >= thanMs;
}
