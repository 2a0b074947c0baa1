import { isDatabaseRefusal } from './busy.ts';

const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 100;
/** A server that is silent has used up the patience of those who wait by then. */
const RETRIED_MS_MAX = 5_000;

/**
 * Sends a request to a server again when its outcome is unknown: it must be idempotent.
 *
 * @throws what the last attempt throws
 */
export async function sendPatiently<Result>(send: () => Promise<Result>): Promise<Result> {
  const deadlineMs = performance.now() + RETRIED_MS_MAX;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const isOver = attempt === ATTEMPTS || performance.now() > deadlineMs;
      if (isOver || !isDatabaseRefusal(error)) throw error;
      await Bun.sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}
