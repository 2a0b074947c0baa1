import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { quickselect } from '../../../src/analytics/embedded/collections/quickselect.ts';

test('the nth value is the one that sorting puts there, also among many equal ones', () => {
  const value = fc.oneof(fc.nat(3), fc.double({ noNaN: true }), fc.constant(Number.NEGATIVE_INFINITY));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), (values) => {
      const found = values.map((_, n) => quickselect(Float64Array.from(values), n) + 0); // −0 is 0
      expect(found).toEqual([...Float64Array.from(values).sort()].map((one) => one + 0));
    }),
  );
});
