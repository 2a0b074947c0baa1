import { discard, giveBack } from '../garbage.ts';

/**
 * Arrays that a question needs only while it is answered: a number or a bit for each visitor, megabytes for a large
 * website. They are kept for the next question, because fresh memory has to be mapped page by page, which takes longer
 * than the scan of a filtered month. Questions are answered one after the other, so one stretch of memory is enough:
 * as long as the most that a question needed. An array for each place held what the largest of all questions had there.
 */
const KEPT_WORDS_MAX = 10 * 1024 * 1024;

let kept = new Uint32Array(0);
/** What the present question was given, whether it found place in `kept` or not. */
let usedWords = 0;
let overflowWords = 0;

/** Everything that was given out may be given out again. */
export function beginScratch(): void {
  if (usedWords > kept.length) {
    discard(overflowWords * 4);
    if (kept.length < KEPT_WORDS_MAX) {
      giveBack(kept);
      kept = new Uint32Array(Math.min(KEPT_WORDS_MAX, Math.ceil(usedWords * 1.1)));
    }
  }
  usedWords = 0;
  overflowWords = 0;
}

/** Zeros. Valid until the next question begins. */
export function takeScratch(length: number): Uint32Array<ArrayBuffer> {
  const start = usedWords;
  usedWords += (length + 1) & ~1;
  if (usedWords <= kept.length) return kept.subarray(start, start + length).fill(0);
  overflowWords += length;
  return new Uint32Array(length);
}

/** A zero for each of so many, as narrow as the greatest stamp allows. */
export function takeStamps(length: number, greatest: number): Uint16Array | Uint32Array {
  if (greatest > 0xffff) return takeScratch(length);
  const words = takeScratch((length >>> 1) + 1);
  return new Uint16Array(words.buffer, words.byteOffset, length);
}
