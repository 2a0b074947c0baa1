import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CodeSet } from '../../../src/analytics/collections/code-set.ts';

const CODE_MAX = 300;

test('counts different codes, while they are few and when they are many', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: CODE_MAX }), { maxLength: 600 }), (codes) => {
      const set = new CodeSet(CODE_MAX);
      for (const code of codes) set.add(code);
      expect(set.size).toBe(new Set(codes).size);
    }),
  );
});
