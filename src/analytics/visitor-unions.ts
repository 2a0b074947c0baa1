import { giveBack } from '../garbage.ts';
import { ScanCache } from './scan-cache.ts';

/**
 * Who was there on one of UNION_DAYS days, a bit for each visitor: to mark the visitors of each of the days takes ten
 * times as long as to go through these words. Long ranges mostly consist of such stretches, which begin at multiples of
 * their length since 1970, so that a range that moves on by a day finds them again.
 */
export type VisitorUnions = {
  get(websiteKey: number, stretch: number): Uint32Array | undefined;
  /**
   * Keeps a copy, if there is room and it is worth it.
   *
   * @param marks how many there were on the days, those who came on several more than once
   */
  keep(websiteKey: number, stretch: number, bits: Uint32Array, marks: number): void;
  /** The stretch of this day: `WEBSITE DAY`, as in day-cache. */
  drop(id: string): void;
  dropAll(prefix: string): void;
  beginScan(): void;
  bytes(): number;
};

export const UNION_DAYS = 8;

/** Fewer marks than words are set as fast as the words are gone through. */
const MARKS_A_WORD_MIN = 1;

export function stretchOf(day: number): number {
  return Math.floor(day / UNION_DAYS);
}

export function createVisitorUnions(bytesMax: number): VisitorUnions {
  const kept = new ScanCache<Uint32Array>(bytesMax, giveBack);
  const idOf = (websiteKey: number | string, stretch: number) => `${websiteKey} ${stretch}`;
  return {
    get: (websiteKey, stretch) => kept.get(idOf(websiteKey, stretch)),
    keep(websiteKey, stretch, bits, marks) {
      if (marks < bits.length * MARKS_A_WORD_MIN || !kept.hasRoom(bits.byteLength)) return;
      kept.put(idOf(websiteKey, stretch), bits.slice(), bits.byteLength);
    },
    drop(id) {
      const [websiteKey = '', day] = id.split(' ');
      kept.drop(idOf(websiteKey, stretchOf(Number(day))));
    },
    dropAll: (prefix) => kept.dropAll(prefix),
    beginScan: () => kept.beginScan(),
    bytes: () => kept.bytes(),
  };
}

/** Adds the bits of one to another that is at least as long. */
export function addBits(from: Uint32Array, to: Uint32Array): void {
  for (let word = 0; word < from.length; word += 1) (to[word] as number) |= from[word] as number; // within both
}

export function countSet(bits: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < bits.length; index += 1) {
    let word = bits[index] as number; // within them; then sums of ever more of its bits, side by side
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
