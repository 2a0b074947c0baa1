import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BitCounts } from '../../../src/analytics/embedded/collections/popcount.ts';

const word = fc.oneof(fc.constant(0), fc.constant(0xffff_ffff), fc.nat(0xffff_ffff));

describe('how many words have each bit set', () => {
  test('is what looking at each bit says, for any words, added in parts', () => {
    fc.assert(
      fc.property(fc.uint32Array({ maxLength: 200 }), fc.array(word, { maxLength: 50 }), (some, others) => {
        const counts = new BitCounts();
        counts.add(Uint32Array.from(some));
        counts.add(Uint32Array.from([...others, 1, 2]), others.length);
        expect([...counts.finish()]).toEqual(naively(Uint32Array.from([...some, ...others])));
      }),
    );
  });

  function naively(words: Uint32Array): number[] {
    return Array.from({ length: 32 }, (_, bit) => words.reduce((sum, one) => sum + ((one >>> bit) & 1), 0));
  }
});
