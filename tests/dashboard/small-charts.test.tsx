import { describe, expect, test } from 'bun:test';
import { MinuteBars } from '../../src/dashboard/charts/MinuteBars.tsx';
import { Sparkline } from '../../src/dashboard/charts/Sparkline.tsx';
import { mount } from '../support/render.ts';

const minutes = (first: number, visitors: number[]) =>
  visitors.map((count, index) => ({
    time: new Date((first + index) * 60_000).toISOString(),
    visitors: count,
  }));

describe('the sparkline', () => {
  test('a small chart is hidden from screen readers, which read the text next to it', () => {
    using page = mount(<Sparkline values={[1, 2, 3]} />);
    expect(page.find('svg').getAttribute('aria-hidden')).toBe('true');
  });

  test('fills its height from nothing to the largest value, dashed to the last one, whose time still runs', () => {
    using page = mount(<Sparkline values={[0, 5, 10]} />);
    const [solid, dashed] = page.findAll('.sparkline-line').map((path) => path.getAttribute('d'));
    expect([solid, dashed]).toEqual(['M2 30L60 16', 'M60 16L118 2']);
  });

  test('is flat at the bottom when there is nothing', () => {
    using page = mount(<Sparkline values={[0, 0]} />);
    expect(page.find('.sparkline-open').getAttribute('d')).toBe('M2 30L118 30');
  });
});

describe('the last minutes', () => {
  const heights = (bars: HTMLElement[]) => bars.map((bar) => bar.style.getPropertyValue('--part'));

  test('are bars as high as their part of the busiest, with a summary', () => {
    using page = mount(<MinuteBars minutes={minutes(0, [0, 4, 2])} />);
    expect(heights(page.findAll('.minute'))).toEqual(['0', '1', '0.5']);
    expect(page.find('.minutes').getAttribute('aria-label')).toBe(
      'Visitors by minute, the last 3 minutes: 2 in this one, at most 4.',
    );
  });

  test('move by one with the next minute: a bar stays with its minute', () => {
    using page = mount(<MinuteBars minutes={minutes(0, [1, 4, 2])} />);
    const before = page.findAll('.minute');
    page.update(<MinuteBars minutes={minutes(1, [4, 2, 3])} />);
    const after = page.findAll('.minute');
    expect([after[0] === before[1], after[1] === before[2], before.some((bar) => bar === after[2])]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
