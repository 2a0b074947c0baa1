import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Mark } from '../../src/dashboard/charts/curve.ts';
import { areaPath, barsPath, barWidth, linePaths } from '../../src/dashboard/charts/paths.ts';
import { nearestIndex, toPositions } from '../../src/dashboard/charts/positions.ts';

const SPAN = { start: 40, length: 300 };

/** Ten pixels apart; a text is a height, `-` a gap, `~` before it means incomplete. */
const marksOf = (text: string): Mark[] =>
  text.split(' ').map((word, index) => ({
    x: index * 10,
    y: word === '-' ? null : Number(word.replace('~', '')),
    isIncomplete: word.startsWith('~'),
  }));

describe('positions', () => {
  for (const [count, kind, positions] of [
    [0, 'line', []],
    [1, 'line', [190]],
    [1, 'bar', [190]],
    [2, 'line', [40, 340]],
    [3, 'line', [40, 190, 340]],
    [3, 'bar', [90, 190, 290]],
  ] as const)
    test(`${count} points as ${kind} are at ${positions.join(', ') || 'none'}`, () =>
      expect(toPositions(count, SPAN, kind)).toEqual([...positions]));

  for (const [x, index] of [
    [-100, 0],
    [40, 0],
    [114, 0],
    [116, 1],
    [190, 1],
    [340, 2],
    [9_999, 2],
  ] as const)
    test(`at ${x} the nearest of three points is ${index}`, () =>
      expect(nearestIndex(toPositions(3, SPAN, 'line'), x)).toBe(index));

  test('one point is always the nearest, and none never', () => {
    expect([nearestIndex([190], 7), nearestIndex([], 7)]).toEqual([0, undefined]);
  });
});

describe('a line', () => {
  for (const [what, text, solid, dashed, dots] of [
    ['goes through every point', '5 3.14 4', 'M0 5L10 3.1L20 4', '', ''],
    ['is dashed to a last point that is incomplete', '5 3 ~4', 'M0 5L10 3', 'M10 3L20 4', ''],
    ['is dashed from a first point that is incomplete', '~5 3 4', 'M10 3L20 4', 'M0 5L10 3', ''],
    ['is interrupted where there is no figure', '5 3 - 4 2', 'M0 5L10 3M30 4L40 2', '', ''],
    ['is a dot where a point stands alone', '5 - 3', '', '', 'M0 5h0M20 3h0'],
    ['is nothing without points', '- -', '', '', ''],
  ] as const)
    test(what, () => expect(linePaths(marksOf(text))).toEqual({ solid, dashed, dots }));

  test('holds the extremes of dense data', () => {
    const marks = Array.from({ length: 2_160 }, (_, index) => ({
      x: index / 7,
      y: index === 1_234 ? 1 : 100,
      isIncomplete: false,
    }));
    expect(linePaths(marks).solid.split('L')).toHaveLength(2_160);
    expect(linePaths(marks).solid).toContain('L176.3 1L');
  });

  test('stays within the heights of two neighbouring points when it is smooth', () => {
    const property = fc.property(
      fc.array(fc.record({ step: fc.integer({ min: 1, max: 50 }), y: fc.integer({ min: 0, max: 300 }) }), {
        minLength: 2,
      }),
      (steps) => {
        let x = 0;
        const marks = steps.map(({ step, y }) => {
          x += step;
          return { x, y, isIncomplete: false };
        });
        const curves = linePaths(marks, true).solid.split('C').slice(1);
        expect(curves).toHaveLength(marks.length - 1);
        for (const [index, curve] of curves.entries()) {
          const [, y1 = Number.NaN, , y2 = Number.NaN] = curve.split(' ').map(Number);
          const ends = [marks[index]?.y ?? 0, marks[index + 1]?.y ?? 0];
          // A cubic lies within the hull of its controls; they are written to a tenth.
          for (const y of [y1, y2]) {
            expect(y).toBeGreaterThanOrEqual(Math.min(...ends) - 0.1);
            expect(y).toBeLessThanOrEqual(Math.max(...ends) + 0.1);
          }
        }
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  test('is straight towards an incomplete point when it is smooth', () => {
    const { solid, dashed } = linePaths(marksOf('5 3 4 ~300'), true);
    expect(dashed).toBe('M20 4L30 300');
    expect(solid).toBe(linePaths(marksOf('5 3 4'), true).solid);
  });

  test('has an area below each stretch', () => {
    expect(areaPath(marksOf('5 3 - 4 2 - 1'), 9)).toBe('M0 5L10 3V9H0ZM30 4L40 2V9H30Z');
  });
});

describe('bars', () => {
  test('stand on the base with round corners, and there is none for nothing', () => {
    expect(barsPath(marksOf('0 - 9'), 9, 8)).toBe('M-4 9V2a2 2 0 0 1 2 -2h4a2 2 0 0 1 2 2V9Z');
  });

  test('are a pixel high when there is a little', () => {
    expect(barsPath(marksOf('8.99'), 9, 1)).toContain('V8.3a');
  });

  for (const [band, width] of [
    [0.2, 1],
    [1, 1],
    [2.5, 2.5],
    [4, 3],
    [20, 15],
    [400, 48],
  ] as const)
    test(`${band} pixels a point make them ${width} wide`, () => expect(barWidth(band)).toBe(width));
});
