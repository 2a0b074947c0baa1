import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nthLeast } from '../../src/analytics/nth-least.ts';
import { dropVisits } from '../../src/analytics/selection.ts';

describe('the n-th least number', () => {
  test('is what sorting puts there, with many equal ones as well', () => {
    const few = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 60 });
    const any = fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.oneof(few, any), fc.nat(59), (numbers, place) => {
        const n = place % numbers.length;
        const sorted = Float64Array.from(numbers).sort();
        // -0 and 0 are equal here, and sorted apart.
        expect(nthLeast(Float64Array.from(numbers), n) + 0).toBe((sorted[n] ?? Number.NaN) + 0);
      }),
    );
  });
});

describe('leaving out visits', () => {
  test('keeps the others in their order, whether those that go were selected or not', () => {
    const ascending = fc.uniqueArray(fc.nat(40)).map((visits) => Uint32Array.from(visits).sort());
    fc.assert(
      fc.property(ascending, ascending, fc.nat(3), (selected, dropped, beyond) => {
        const visits = new Uint32Array(selected.length + beyond); // what is beyond the count is not looked at
        visits.set(selected);
        const count = dropVisits(visits, selected.length, dropped);
        expect([...visits.subarray(0, count)]).toEqual([...selected].filter((one) => !dropped.includes(one)));
      }),
    );
  });
});
