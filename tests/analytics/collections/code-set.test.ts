import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CodeSet } from '../../../src/analytics/embedded/collections/code-set.ts';

const CODE_MAX = 300;

test('counts different codes, while they are few and when they are many', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer({ min: 1, max: CODE_MAX })), { size: 'large' }), (groups) => {
      const set = new CodeSet(CODE_MAX);
      for (const codes of groups) codes.forEach(set.adder(codes.length));
      expect(set.size).toBe(new Set(groups.flat()).size);
    }),
  );
});
