/** A clock that stands still until it is moved. */
export type TestClock = { now: () => number; advance(byMs: number): void; set(atMs: number): void };

export const TEST_START_MS = Date.UTC(2026, 10, 20, 12, 0, 0);

export function createClock(startMs = TEST_START_MS): TestClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance: (byMs) => {
      nowMs += byMs;
    },
    set: (atMs) => {
      nowMs = atMs;
    },
  };
}
