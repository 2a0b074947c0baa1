/** Origin of keys: 2024-01-01. They stay below 2^53 until 2093. */
const EPOCH_MS = 1_704_067_200_000;
const KEYS_A_MS = 4_096;

/**
 * Makes keys for events, in the order of storing: the clock, and a count within a millisecond. Several processes write at
 * once without a common counter, so events of two processes may have the same key; their ids differ.
 */
export function createKeys(now: () => number): (count: number) => number {
  let next = 0;
  /** @returns the first of so many */
  return (count) => {
    const first = Math.max(next, keyAt(now()));
    next = first + count;
    return first;
  };
}

/** The least key of an instant. */
export function keyAt(ms: number): number {
  return Math.max(0, ms - EPOCH_MS) * KEYS_A_MS;
}
