import type { Db } from '../db/open.ts';

export type StepOptions = {
  db: Db;
  /** How many events one step removes at most. */
  stepRows: number;
  /** Waits between steps; rejects when it is time to stop. */
  rest: (ms: number) => Promise<void>;
};

export const STEP_ROWS = 2_000;
const STEP_ROWS_MIN = 100;
/** A step holds the lock that ingest needs. One that takes longer than this is followed by a smaller one. */
const STEP_MS = 25;
/** A step is followed by a pause of its own length, within these: ingest gets half of the time or more. */
export const PAUSE_MS_MIN = 5;
const PAUSE_MS_MAX = 1_000;

/**
 * Repeats a removal in steps whose size follows the time that they take.
 *
 * @returns a function that takes the steps; the step is called with its number of rows and returns whether some are left
 */
export function createSteps({ stepRows, rest }: Omit<StepOptions, 'db'>) {
  let rows = stepRows;
  return async (removeStep: (rows: number) => Promise<boolean>): Promise<void> => {
    for (let isMore = true; isMore; ) {
      const startedMs = performance.now();
      isMore = await removeStep(rows);
      const tookMs = performance.now() - startedMs;
      rows = clamp(Math.floor((rows * STEP_MS) / tookMs), Math.min(STEP_ROWS_MIN, stepRows), stepRows);
      await rest(clamp(tookMs, PAUSE_MS_MIN, PAUSE_MS_MAX));
    }
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
