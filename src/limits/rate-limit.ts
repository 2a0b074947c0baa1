import type { KeyedHash } from './keyed-hash.ts';

/** `max` at once, and as many again evenly over `perMs`. */
export type Rate = { max: number; perMs: number };

export type RateLimit = {
  readonly rate: Rate;
  /** @returns 0 when it was taken; else how long to wait until it could be, in ms, and nothing was taken */
  take(key: string, nowMs: number, cost?: number): number;
  /** Returns what `take` would return, without taking. */
  waitMs(key: string, nowMs: number, cost?: number): number;
  /** Returns the remaining quota, and the time until all of it is available again. */
  rest(key: string, nowMs: number): { remaining: number; fullInMs: number };
};

type Options = {
  rate: Rate;
  hash: KeyedHash;
  /** Keys that are remembered at the same time, a power of two; 12 bytes each, never more. */
  slots?: number;
};

const SLOTS_DEFAULT = 65_536;
const WAYS = 8;

/**
 * A leaky bucket per key (the generic cell rate algorithm: one instant is stored per key, at which its debt is paid). A
 * key without debt needs no memory, so the table holds only recently busy keys.
 *
 * The table has a fixed size and eight slots per key. When all eight belong to keys in debt, the one with the smallest debt
 * is evicted. To evict itself, a sender at its limit would need eight other keys with larger debts in the same slots, and
 * which keys share slots depends on the secret of the hash.
 */
export function createRateLimit({ rate, hash, slots = SLOTS_DEFAULT }: Options): RateLimit {
  const costMs = rate.perMs / rate.max;
  // Allocated on first use: most limits are never consulted.
  let marks = new Uint32Array(0);
  let clearAtMs = new Float64Array(0);
  const hashed = new Uint32Array(2);
  const groupMask = slots / WAYS - 1;

  /** The place of the key; -1 - the place it would take when it has none. */
  function find(key: string, nowMs: number): number {
    if (marks.length === 0) {
      marks = new Uint32Array(slots);
      clearAtMs = new Float64Array(slots);
    }
    hash(key, hashed);
    const mark = hashed[0] ?? 0;
    const first = ((hashed[1] ?? 0) & groupMask) * WAYS;
    let least = first;
    let leastMs = Number.POSITIVE_INFINITY;
    for (let place = first; place < first + WAYS; place += 1) {
      const atMs = clearAtMs[place] ?? 0;
      if (marks[place] === mark && atMs > nowMs) return place;
      if (atMs < leastMs) {
        least = place;
        leastMs = atMs;
      }
    }
    return -1 - least;
  }

  function waitAt(place: number, nowMs: number, cost: number): number {
    const oweMs = place < 0 ? 0 : (clearAtMs[place] ?? 0) - nowMs;
    // More than there can ever be is let through once nothing is owed; it is owed afterwards.
    const tooMuchMs = oweMs + Math.min(cost * costMs, rate.perMs) - rate.perMs;
    return tooMuchMs > ROUNDING_MS ? tooMuchMs : 0;
  }

  return {
    rate,
    take(key, nowMs, cost = 1) {
      const place = find(key, nowMs);
      const waitMs = waitAt(place, nowMs, cost);
      if (waitMs > 0) return waitMs;
      if (place >= 0) clearAtMs[place] = (clearAtMs[place] ?? 0) + cost * costMs;
      else {
        marks[-1 - place] = hashed[0] ?? 0;
        clearAtMs[-1 - place] = nowMs + cost * costMs;
      }
      return 0;
    },
    waitMs: (key, nowMs, cost = 1) => waitAt(find(key, nowMs), nowMs, cost),
    rest(key, nowMs) {
      const place = find(key, nowMs);
      const oweMs = place < 0 ? 0 : Math.max((clearAtMs[place] ?? 0) - nowMs, 0);
      const remaining = Math.floor((rate.perMs - oweMs + ROUNDING_MS) / costMs);
      return { remaining: Math.max(remaining, 0), fullInMs: oweMs };
    },
  };
}

/** Sums of fractions of milliseconds are not exact. */
const ROUNDING_MS = 1e-6;
