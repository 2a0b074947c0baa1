import { discard } from '../../garbage.ts';

/**
 * Arrays that a question needs only while it is answered: a number or a bit for each visitor, megabytes for a large
 * website. They are kept for the next question, because fresh memory has to be mapped page by page, which takes longer
 * than the scan of a filtered month. Questions are answered one after the other, so one stretch of memory is enough.
 * It is as long as it may ever be from the start: pages that no question has reached take no memory, and a stretch that
 * grows would be there twice meanwhile.
 */
const KEPT_WORDS = 10 * 1024 * 1024;

let kept: Uint32Array<ArrayBuffer> | undefined;
let usedWords = 0;

/** Everything that was given out may be given out again. */
export function beginScratch(): void {
  usedWords = 0;
}

/** Zeros. Valid until the next question begins. */
export function takeScratch(length: number): Uint32Array<ArrayBuffer> {
  kept ??= new Uint32Array(KEPT_WORDS);
  const start = usedWords;
  if (start + length > KEPT_WORDS) {
    discard(length * 4); // when the question is answered
    return new Uint32Array(length);
  }
  usedWords += (length + 1) & ~1;
  return kept.subarray(start, start + length).fill(0);
}

/** More zeros than these are memory of their own, because what was once reached stays: a property may have a million values. */
const COUNTS_MAX = 65_536;

/** Zeros to count in, one for each value of a dimension. Valid until the next question begins. */
export function takeCounts(length: number): Uint32Array<ArrayBuffer> {
  if (length <= COUNTS_MAX) return takeScratch(length);
  discard(length * 4); // when the question is answered
  return new Uint32Array(length);
}

/** The same, as numbers above 2^32. */
export function takeNumbers(length: number): Float64Array<ArrayBuffer> {
  const words = takeCounts(length * 2);
  return new Float64Array(words.buffer, words.byteOffset, length);
}

/** A zero for each of so many, as narrow as the greatest stamp allows. */
export function takeStamps(length: number, greatest: number): Uint16Array | Uint32Array {
  if (greatest > 0xffff) return takeScratch(length);
  const words = takeScratch((length >>> 1) + 1);
  return new Uint16Array(words.buffer, words.byteOffset, length);
}
