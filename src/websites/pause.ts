import { setTimeout as sleep } from 'node:timers/promises';

/** Ends early with the signal. Does not keep the process from ending. */
export function pauseInBackground(ms: number, signal: AbortSignal): Promise<unknown> {
  return sleep(ms, undefined, { ref: false, signal }).catch(() => {}); // it rejects only for the signal
}
