import type { createApp } from './app.ts';
import { logError } from './log.ts';

const HOUR_MS = 3_600_000;
const EXPIRED_LOGINS_A_STEP = 1_000;

type Service = Pick<ReturnType<typeof createApp>, 'accounts' | 'purger'>;

/**
 * Starts what runs by itself: the removal of deleted websites' events (resumed after a restart), and of expired
 * logins.
 *
 * @returns a function that stops the timers
 */
export function startTimers({ accounts, purger }: Service): () => void {
  purger.wake();
  const timer = setInterval(
    () => void accounts.removeExpired(EXPIRED_LOGINS_A_STEP).catch(logError),
    HOUR_MS,
  );
  timer.unref();
  return () => clearInterval(timer);
}
