import type { CancelSignal } from '../../process/turns.ts';

/** Answers equal queries of anonymous callers once: while the answer is computed, and for a few seconds after. */
export type SharedAnswers = <Answer>(
  /** Equal for queries with equal answers. */
  key: string,
  asker: CancelSignal,
  /** @param signal aborted when all clients that share the answer have disconnected */
  ask: (signal: CancelSignal) => Promise<Answer>,
) => Promise<Answer>;

type Shared = { atMs: number; answer: Promise<unknown>; askers: CancelSignal[]; signal: CancelSignal };

/** Lifetime of a shared answer. It delays new events by that much; ingest itself lags by a second. */
const KEPT_MS = 3_000;
const SHARED_MAX = 100;
/**
 * Maximum rows and figures of an answer that is cached, about 100 kB. Larger ones are shared only while they are computed.
 */
const KEPT_VALUES_MAX = 5_000;

export function createSharedAnswers(monotonicMs: () => number): SharedAnswers {
  const shared = new Map<string, Shared>();

  function dropOld(): void {
    const nowMs = monotonicMs();
    for (const [key, { atMs }] of shared) {
      if (nowMs - atMs < KEPT_MS && shared.size < SHARED_MAX) return; // oldest first
      shared.delete(key);
    }
  }

  function forget(key: string, one: Shared): void {
    if (shared.get(key) === one) shared.delete(key);
  }

  return function share<Answer>(
    key: string,
    asker: CancelSignal,
    ask: (signal: CancelSignal) => Promise<Answer>,
  ) {
    dropOld();
    const known = shared.get(key);
    if (known && !known.signal.aborted) {
      known.askers.push(asker);
      return known.answer as Promise<Answer>; // the key identifies the question
    }
    const askers = [asker];
    const signal = {
      get aborted() {
        return askers.every(({ aborted }) => aborted);
      },
    };
    const answer = ask(signal);
    const one: Shared = { atMs: monotonicMs(), answer, askers, signal };
    shared.delete(key);
    shared.set(key, one);
    answer.then(
      (given) => {
        if (!isSmall(given)) forget(key, one);
      },
      () => forget(key, one),
    );
    return answer;
  };
}

function isSmall(answer: unknown): boolean {
  let left = KEPT_VALUES_MAX;
  const look = (value: unknown): boolean => {
    left -= 1;
    if (left < 0) return false;
    return typeof value !== 'object' || value === null || Object.values(value).every(look);
  };
  return look(answer);
}
