/** A clock that stands still until it is moved. */
type TestClock = {
  now: () => number;
  /** Never goes back, and does not notice when the clock is set. */
  monotonicMs: () => number;
  advance(byMs: number): void;
  set(atMs: number): void;
};

export const TEST_START_MS = Date.UTC(2026, 10, 20, 12, 0, 0);

export function createClock(startMs = TEST_START_MS): TestClock {
  let nowMs = startMs;
  let monotonicMs = 0;
  return {
    now: () => nowMs,
    monotonicMs: () => monotonicMs,
    advance: (byMs) => {
      nowMs += byMs;
      monotonicMs += Math.max(byMs, 0);
    },
    set: (atMs) => {
      nowMs = atMs;
    },
  };
}
