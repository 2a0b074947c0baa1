import { discard } from '../garbage.ts';

/**
 * Arrays that a question needs only while it is answered: a number or a bit for each visitor, megabytes for a large
 * website. They are kept for the next question, because fresh memory has to be mapped page by page, which takes longer
 * than the scan of a filtered month. Questions are answered one after the other, so one set is enough.
 */
const KEPT_BYTES_MAX = 48 * 1024 * 1024;

const kept: Uint32Array[] = [];
let keptBytes = 0;
let next = 0;

/** Everything that was given out may be given out again. */
export function beginScratch(): void {
  next = 0;
}

/** Zeros. Valid until the next question begins. */
export function takeScratch(length: number): Uint32Array {
  const index = next;
  next += 1;
  const old = kept[index];
  if (old && old.length >= length) return old.subarray(0, length).fill(0);
  if (old) discard(old.byteLength);
  const fresh = new Uint32Array(Math.ceil(length * 1.1));
  const moreBytes = fresh.byteLength - (old?.byteLength ?? 0);
  if (keptBytes + moreBytes <= KEPT_BYTES_MAX && index <= kept.length) {
    kept[index] = fresh;
    keptBytes += moreBytes;
  }
  return fresh.subarray(0, length);
}
