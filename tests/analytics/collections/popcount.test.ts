import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { countBits } from '../../../src/analytics/collections/popcount.ts';

const word = fc.oneof(fc.constant(0), fc.constant(0xffff_ffff), fc.nat(0xffff_ffff));

describe('how many words have each bit set', () => {
  test('is what looking at each bit says, for any words and any number of them', () => {
    fc.assert(
      fc.property(fc.uint32Array({ maxLength: 200 }), fc.array(word, { maxLength: 50 }), (some, others) => {
        const words = Uint32Array.from([...some, ...others]);
        expect([...countBits(words)]).toEqual(naively(words));
      }),
    );
  });

  function naively(words: Uint32Array): number[] {
    return Array.from({ length: 32 }, (_, bit) => words.reduce((sum, one) => sum + ((one >>> bit) & 1), 0));
  }
});
