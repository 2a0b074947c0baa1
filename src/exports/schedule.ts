import { DAY_MS, HOUR_MS, MINUTE_MS } from '../vocabulary/durations.ts';

type Options = {
  /** False: never. */
  isOn: boolean;
  now: () => number;
  /** Writes the days that are missing or have changed, in a process of its own. Ends early with the signal. */
  run: (signal: AbortSignal) => Promise<void>;
  /** Called with the outcome of each export. */
  onFinished: (error: unknown) => void;
};

export type ExportSchedule = {
  /** Exports if it is due and no export is running. Resolves when it is done, well or not. */
  turn(): Promise<void>;
  /** Stops one that is running. */
  close(): Promise<void>;
};

const AFTER_START_MS = 10 * MINUTE_MS;
const RETRY_MS = HOUR_MS;

/**
 * Schedules the daily export: after a start, and after each midnight (UTC). Repeating it writes nothing, so there is no
 * record of the last one.
 */
export function createExportSchedule({ isOn, now, run, onFinished }: Options): ExportSchedule {
  const stopping = new AbortController();
  let dueAtMs = now() + AFTER_START_MS;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    const startedAtMs = now();
    const error = await run(stopping.signal).then(
      () => undefined,
      (reason: unknown) => reason ?? new Error('unknown'),
    );
    if (stopping.signal.aborted) return;
    const nextDayMs = (Math.floor(startedAtMs / DAY_MS) + 1) * DAY_MS + AFTER_START_MS;
    dueAtMs = error === undefined ? nextDayMs : now() + RETRY_MS;
    onFinished(error);
  }

  return {
    turn() {
      if (!running && isOn && !stopping.signal.aborted && now() >= dueAtMs)
        running = work().finally(() => {
          running = undefined;
        });
      return running ?? Promise.resolve();
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}
