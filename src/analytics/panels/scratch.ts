import { discard, giveBack } from '../../garbage.ts';
import { KeptMemory } from './kept-memory.ts';

/**
 * Arrays that a question needs only while it is answered: a number or a bit for each visitor, megabytes for a large
 * website. They are kept for the next question, because fresh memory has to be mapped page by page, which takes longer
 * than the scan of a filtered month. Questions are answered one after the other, so it is the same memory for all.
 */
const memory = new KeptMemory();

/** Everything that was given out may be given out again. */
export function beginScratch(): void {
  memory.begin();
}

/** Gives all of it back, between two questions: something else needs as much. */
export function freeScratch(): void {
  memory.free();
  giveBack(places);
  places = new Uint32Array(0);
  base = 0;
}

/** Zeros. Valid until the next question begins. */
export function takeScratch(length: number): Uint32Array<ArrayBuffer> {
  return takeUnfilled(length).fill(0);
}

/** The same with whatever was left there: for those who fill as much as they come to use. */
export function takeUnfilled(length: number): Uint32Array<ArrayBuffer> {
  return memory.take(length);
}

/** Days differ: the next one may be a little longer. */
const SPARE_MAX = 16_384;
export function withSpare(length: number): number {
  return length + Math.min(length >>> 2, SPARE_MAX);
}

export function takeUnfilledNumbers(length: number): Float64Array<ArrayBuffer> {
  const words = takeUnfilled(length * 2);
  return new Float64Array(words.buffer, words.byteOffset, length);
}

/** Bytes, unfilled as well. */
export function takeBytes(length: number): Uint8Array<ArrayBuffer> {
  const words = takeUnfilled((length + 3) >>> 2);
  return new Uint8Array(words.buffer, words.byteOffset, length);
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

/** Stamps for so many, as narrow as the greatest one allows, unfilled. */
export function takeStamps(length: number, greatest: number): Uint16Array | Uint32Array {
  if (greatest > 0xffff) return takeUnfilled(length);
  const words = takeUnfilled((length >>> 1) + 1);
  return new Uint16Array(words.buffer, words.byteOffset, length);
}

/** More than all people of most websites; beyond it places are filled with zeros for each question. */
const PLACES_MAX = 10 * 1024 * 1024;
/** There will be more of them. */
const SPARE_SHARE = 1 / 8;
/** Well within 32 bits; then all places are filled with zeros once. */
const BASE_MAX = 2 ** 30;

let places = new Uint32Array(0);
let base = 0;

/**
 * Places for numbers from 1 to below `length`, one for each of so many: a place has a number of this question when what
 * stands there is above `base`, and then it is the rest. So it need not be filled with zeros for each question, which
 * takes longer than most questions about a large website. Valid until the next question begins.
 */
export function takePlaces(length: number): { places: Uint32Array; base: number } {
  if (length > PLACES_MAX) return { places: takeScratch(length), base: 0 };
  if (length > places.length) {
    giveBack(places);
    places = new Uint32Array(Math.ceil(length * (1 + SPARE_SHARE)));
    base = 0;
  }
  if (base > BASE_MAX - length) {
    places.fill(0);
    base = 0;
  }
  const given = { places, base };
  base += length;
  return given;
}
