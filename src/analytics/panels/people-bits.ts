import { countBits } from './count-bits.ts';
import { takeScratch } from './scratch.ts';

/** Some bits of a word that each person has. */
export type BitField = { word: Uint32Array; shift: number };

/** Bits of people, those of several panels packed into as few words as they fit. */
export type PeopleBits = {
  /** @param bits at most 32 */
  take(bits: number): BitField;
  /** How many people have each bit of a field set. To be called when all of them are. */
  count(field: BitField, bit: number): number;
};

const WORD_BITS = 32;

/** @param count people, numbered from 1. The bits of number 0 belong to nobody and do not count */
export function createPeopleBits(count: number): PeopleBits {
  const words: { word: Uint32Array; used: number }[] = [];
  const counts = new Map<Uint32Array, Uint32Array>();

  function addWord() {
    const added = { word: takeScratch(count + 1), used: 0 };
    words.push(added);
    return added;
  }

  return {
    take(bits) {
      const place = words.find(({ used }) => used + bits <= WORD_BITS) ?? addWord();
      const field = { word: place.word, shift: place.used };
      place.used += bits;
      return field;
    },
    count({ word, shift }, bit) {
      const found = counts.get(word) ?? countBits(word.subarray(1));
      counts.set(word, found);
      return found[shift + bit] ?? 0;
    },
  };
}
