import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { toValueAxis } from '../../src/dashboard/charts/value-axis.ts';
import type { Scale } from '../../src/dashboard/state/metric-formats.ts';

describe('the axis of values', () => {
  for (const [scale, largest, ticks] of [
    ['count', 0, [0, 1]],
    ['count', 1, [0, 1]],
    ['count', 3, [0, 1, 2, 3]],
    ['count', 7, [0, 2, 4, 6, 8]],
    ['count', 340, [0, 100, 200, 300, 400]],
    ['count', 1_234, [0, 500, 1_000, 1_500]],
    ['decimal', 1.2, [0, 0.5, 1, 1.5]],
    ['decimal', 0.3, [0, 0.1, 0.2, 0.3]],
    ['fraction', 0, [0, 1]],
    ['fraction', 0.3, [0, 0.1, 0.2, 0.3]],
    ['fraction', 0.97, [0, 0.25, 0.5, 0.75, 1]],
    ['seconds', 0, [0, 60]],
    ['seconds', 47, [0, 15, 30, 45, 60]],
    ['seconds', 400, [0, 120, 240, 360, 480]],
    ['seconds', 5_000, [0, 1_800, 3_600, 5_400]],
  ] as const)
    test(`up to ${largest} as ${scale} it has the ticks ${ticks.join(', ')}`, () =>
      expect(toValueAxis(largest, scale)).toEqual({ max: ticks.at(-1) ?? 0, ticks: [...ticks] }));

  test('begins at 0, holds the largest value, and has a handful of even ticks', () => {
    const scales = fc.constantFrom<Scale>('count', 'decimal', 'fraction', 'seconds');
    fc.assert(
      fc.property(scales, fc.double({ min: 1e-6, max: 1, noNaN: true }), fc.nat(9), (scale, part, power) => {
        const factor = scale === 'fraction' ? 1 : 10 ** power;
        const largest = scale === 'count' ? Math.round(part * factor) : part * factor;
        const { max, ticks } = toValueAxis(largest, scale);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBe(max);
        expect(max).toBeGreaterThanOrEqual(largest * (1 - 1e-9));
        expect(ticks.length).toBeWithin(2, 9);
        if (scale === 'count') expect(ticks.every(Number.isInteger)).toBe(true);
        if (scale === 'fraction') expect(max).toBeLessThanOrEqual(1);
      }),
    );
  });
});
