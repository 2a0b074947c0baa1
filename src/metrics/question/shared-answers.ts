import type { CancelSignal } from '../../process/turns.ts';

/** Answers equal questions of strangers once: while the answer is made, and for a few seconds after. */
export type SharedAnswers = <Answer>(
  /** Equal for questions with equal answers. */
  key: string,
  asker: CancelSignal,
  /** @param signal given once all who share the answer are gone */
  ask: (signal: CancelSignal) => Promise<Answer>,
) => Promise<Answer>;

type Shared = { atMs: number; answer: Promise<unknown>; askers: CancelSignal[]; signal: CancelSignal };

/** A page that is reloaded shows events that are so much younger: ingest itself is behind by a second. */
const KEPT_MS = 3_000;
const SHARED_MAX = 100;
/** Rows and figures of an answer that is kept after it was given: about 100 kB. Greater ones are shared while they are made. */
const KEPT_VALUES_MAX = 5_000;

export function createSharedAnswers(monotonicMs: () => number): SharedAnswers {
  const shared = new Map<string, Shared>();

  function dropOld(): void {
    const nowMs = monotonicMs();
    for (const [key, { atMs }] of shared) {
      if (nowMs - atMs < KEPT_MS && shared.size < SHARED_MAX) return; // the oldest come first
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
      return known.answer as Promise<Answer>; // the key says which question it is
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
