import { describe, expect, test } from 'bun:test';
import { toPositions } from '../../src/dashboard/charts/positions.ts';
import { toTimeLabels } from '../../src/dashboard/charts/time-axis.ts';
import type { Interval } from '../../src/vocabulary/contract.ts';
import { readIn } from '../support/reader.ts';

readIn('en-GB');

const STEP_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };

/** Wall times from one on, `count` of them. */
function wallTimes(first: string, count: number, interval: Interval): string[] {
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(`${first}Z`);
    if (interval === 'month') date.setUTCMonth(date.getUTCMonth() + index);
    else date.setTime(date.getTime() + index * STEP_MS[interval]);
    return date.toISOString().replace('.000Z', '+01:00');
  });
}

function labelsOf(locals: string[], interval: Interval, width: number) {
  const positions = toPositions(locals.length, { start: 0, length: width }, 'line');
  return toTimeLabels(locals, interval, positions, width);
}

const textsOf = (locals: string[], interval: Interval, width: number) =>
  labelsOf(locals, interval, width).map(({ text }) => text);

describe('the labels of the time axis', () => {
  for (const [what, first, count, interval, width, texts] of [
    [
      'a day',
      '2026-11-20T00:00:00',
      24,
      'hour',
      640,
      ['20 Nov', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00'],
    ],
    ['the last 24 hours', '2026-11-19T14:00:00', 24, 'hour', 250, ['18:00', '20 Nov', '06:00', '12:00']],
    [
      'a week by hours',
      '2026-11-14T00:00:00',
      168,
      'hour',
      700,
      ['14 Nov', '15 Nov', '16 Nov', '17 Nov', '18 Nov', '19 Nov', '20 Nov'],
    ],
    [
      '30 days',
      '2026-10-22T00:00:00',
      30,
      'day',
      800,
      ['23 Oct', '26 Oct', '29 Oct', '1 Nov', '4 Nov', '7 Nov', '10 Nov', '13 Nov', '16 Nov', '19 Nov'],
    ],
    ['30 days on a phone', '2026-10-22T00:00:00', 30, 'day', 290, ['26 Oct', '2 Nov', '9 Nov', '16 Nov']],
    [
      '90 days',
      '2026-08-23T00:00:00',
      90,
      'day',
      480,
      ['1 Sept', '15 Sept', '1 Oct', '15 Oct', '1 Nov', '15 Nov'],
    ],
    [
      'a year by weeks',
      '2026-01-05T00:00:00',
      52,
      'week',
      500,
      ['5 Jan', '2 Mar', '4 May', '6 Jul', '7 Sept', '2 Nov'],
    ],
    [
      'twelve months',
      '2025-12-01T00:00:00',
      12,
      'month',
      800,
      ['Dec', '2026', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov'],
    ],
    ['five years', '2022-01-01T00:00:00', 60, 'month', 300, ['2022', '2023', '2024', '2025', '2026']],
  ] as const)
    test(`${what} in ${width} pixels are ${texts.join(', ')}`, () =>
      expect(textsOf(wallTimes(first, count, interval), interval, width)).toEqual([...texts]));

  test('one point has one label', () => {
    expect(textsOf(['2026-11-20T00:00:00+01:00'], 'day', 300)).toEqual(['20 Nov']);
  });

  test('midnights are found where the clocks skip them', () => {
    const locals = ['2026-09-05T23:00:00-04:00', '2026-09-06T01:00:00-03:00', '2026-09-06T02:00:00-03:00'];
    expect(labelsOf(locals, 'day', 300).length).toBeGreaterThan(0);
  });

  test('do not touch each other or leave the chart, at any width and range', () => {
    const ranges = [
      ['2026-11-20T13:00:00', 120, 'minute'],
      ['2026-08-23T00:00:00', 2_160, 'hour'],
      ['2026-11-01T00:00:00', 2, 'day'],
      ['2024-01-15T00:00:00', 1_000, 'day'],
      ['2016-01-04T00:00:00', 520, 'week'],
      ['1990-03-01T00:00:00', 437, 'month'],
    ] as const;
    for (const [first, count, interval] of ranges)
      for (let width = 100; width <= 1_400; width += 50) {
        const labels = labelsOf(wallTimes(first, count, interval), interval, width);
        expect(labels.length).toBeGreaterThan(0);
        labels.forEach(({ x, text }, index) => {
          const before = labels[index - 1];
          const half = (text.length * 6) / 2;
          expect(x - half).toBeGreaterThanOrEqual(0);
          expect(x + half).toBeLessThanOrEqual(width);
          if (before) expect(x - half).toBeGreaterThan(before.x + (before.text.length * 6) / 2);
        });
      }
  });
});
