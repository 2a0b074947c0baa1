import { randomText } from '../process/random-text.ts';

const RANDOM_LENGTH = 16;

/** `pm-{16 random base62 characters, 95 bits}-{milliseconds since the epoch}`. */
export function makeTrackingCode(nowMs: number): string {
  return `pm-${randomText(RANDOM_LENGTH)}-${nowMs}`;
}
