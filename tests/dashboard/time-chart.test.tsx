import { describe, expect, test } from 'bun:test';
import { ChartTable } from '../../src/dashboard/charts/ChartTable.tsx';
import { TimeChart, type TimeChartProps } from '../../src/dashboard/charts/TimeChart.tsx';
import { readIn } from '../support/reader.ts';
import { type Mounted, mount } from '../support/render.ts';
import { dailyPoints } from './points.ts';

readIn('en-GB');

const POINTS = dailyPoints('2026-11-16T00:00:00Z', [10, 20, 30, 40, 50]).map((point, index) => ({
  ...point,
  incomplete: index === 4,
}));
const EARLIER = dailyPoints('2026-11-09T00:00:00Z', [10, 10, 60, 0, 25]);
const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const END = '2026-11-21T00:00:00.000Z';

const PROPS: TimeChartProps = {
  label: 'Visitors',
  points: POINTS,
  metric: 'visitors',
  kind: 'line',
  interval: 'day',
  end: END,
  nowMs: NOW_MS,
  onZoom: () => {},
};

const slider = (page: Mounted) => page.find('[role=slider]');
const told = (page: Mounted) => slider(page).getAttribute('aria-valuetext');
/** A chart 640 wide has its points at 44, 184.8, 325.5, 466.3 and 607: the last figure stands behind them. */
const POINTER = { button: 0, pointerType: 'mouse', pointerId: 1 };

describe('the chart', () => {
  test.each([
    [[10, 20, 30], 'C'],
    [[0, 1, 0, 1], 'L'],
  ])('of %p joins its points by %s, straight for few visitors', (visitors, command) => {
    const points = dailyPoints('2026-11-16T00:00:00Z', visitors);
    using page = mount(<TimeChart {...PROPS} points={points} />);
    expect(page.find('.chart-line:not(.chart-earlier)').getAttribute('d')).toContain(command);
  });

  test('is an image with a summary', () => {
    using page = mount(<TimeChart {...PROPS} />);
    expect(page.find('svg').getAttribute('role')).toBe('img');
    expect(page.find('svg').getAttribute('aria-label')).toBe(
      'Visitors: 5 points by day. Lowest 10 (Mon, 16 Nov 2026), highest 50 (Fri, 20 Nov 2026). ' +
        'Rising: the average of the second half is +133% compared with the first.',
    );
  });

  test('draws a solid line and a dashed one to what is incomplete', () => {
    using page = mount(<TimeChart {...PROPS} />);
    const [earlier, solid, open] = page.findAll('.chart-line').map((path) => path.getAttribute('d'));
    expect(earlier).toBe('');
    // A curve through points on a line is that line.
    expect(solid).toBe(
      'M44 228.7C90.9 214.2 137.8 199.8 184.8 185.3C231.7 170.9 278.6 156.4 325.5 142C372.4 127.6 419.3 113.1 466.3 98.7',
    );
    expect(open).toBe('M466.3 98.7L607 55.3');
    expect(page.find('.chart-end-text').textContent).toBe('50');
    expect(page.findAll('.chart-end-open')).toHaveLength(1); // the day is not over
  });

  test('says the last figure there is, also when the range continues, and none of bars', () => {
    using page = mount(<TimeChart {...PROPS} nowMs={Date.parse('2026-11-18T12:00:00Z')} />);
    expect(page.find('.chart-end-text').textContent).toBe('30');
    using bars = mount(<TimeChart {...PROPS} kind="bar" />);
    expect(bars.findAll('.chart-end-text')).toEqual([]);
  });

  test('shades the weekends of days and hours', () => {
    const points = dailyPoints('2026-11-14T00:00:00Z', [1, 2, 3, 4, 5, 6, 7, 8]); // a Saturday
    using page = mount(<TimeChart {...PROPS} points={points} />);
    expect(page.findAll('.chart-weekend')).toHaveLength(2);
    using weeks = mount(<TimeChart {...PROPS} points={points} interval="week" />);
    expect(weeks.findAll('.chart-weekend')).toEqual([]);
  });

  test('has the bars of the range before behind its own', () => {
    using page = mount(<TimeChart {...PROPS} kind="bar" comparison={EARLIER} />);
    const drawn = page.findAll('path').map((path) => path.getAttribute('class'));
    expect(drawn.indexOf('chart-ghost')).toBeLessThan(drawn.indexOf('chart-bar'));
    expect(page.find('.chart-ghost').getAttribute('d')?.split('Z')).toHaveLength(5); // none of nothing
  });

  test('draws nothing in the future', () => {
    using page = mount(<TimeChart {...PROPS} nowMs={Date.parse('2026-11-18T12:00:00Z')} />);
    const drawn = page.findAll('.chart-line').map((path) => path.getAttribute('d') ?? '');
    expect(drawn.join('')).not.toContain('483.5');
  });

  test('draws no bounce rate of no visits', () => {
    const points = dailyPoints('2026-11-16T00:00:00Z', [1, 0, 1]);
    using page = mount(<TimeChart {...PROPS} points={points} metric="bounceRate" />);
    expect(page.find('.chart-lone').getAttribute('d')?.split('M')).toHaveLength(3);
  });

  test('speaks of one in the singular', () => {
    using page = mount(<TimeChart {...PROPS} points={dailyPoints('2026-11-16T00:00:00Z', [1])} />);
    expect(page.find('svg').getAttribute('aria-label')).toStartWith('Visitors: 1 point by day.');
    expect(told(page)).toBe('Mon, 16 Nov 2026: 1 visitor');
  });

  test('has an axis and says so when there is nothing', () => {
    using page = mount(<TimeChart {...PROPS} points={dailyPoints('2026-11-16T00:00:00Z', [0, 0])} />);
    expect(page.find('.chart-empty').textContent).toBe('No data in this period');
    expect(page.findAll('.chart-text').map(({ textContent }) => textContent)).toEqual([
      '0',
      '1',
      '16 Nov',
      '17 Nov',
    ]);
    expect(page.find('svg').getAttribute('aria-label')).toBe('Visitors: no data.');
  });

  test('has bars, of which those that are incomplete are hatched', () => {
    using page = mount(<TimeChart {...PROPS} kind="bar" />);
    expect(page.find('.chart-bar').getAttribute('d')?.split('Z')).toHaveLength(5);
    const hatched = page.findAll('path').filter((path) => path.getAttribute('fill')?.startsWith('url(#'));
    expect(hatched.map((path) => path.getAttribute('d')?.split('Z').length)).toEqual([2]);
  });
});

describe('by keyboard', () => {
  test('arrows, Home and End go from point to point and tell each', () => {
    using page = mount(<TimeChart {...PROPS} comparison={EARLIER} />);
    expect(told(page)).toBe('Fri, 20 Nov 2026: 50 visitors, not complete, 25 on Fri, 13 Nov 2026, +100%');
    page.press(slider(page), 'ArrowLeft');
    expect(told(page)).toBe('Thu, 19 Nov 2026: 40 visitors, 0 on Thu, 12 Nov 2026, New');
    page.press(slider(page), 'Home');
    expect(told(page)).toBe('Mon, 16 Nov 2026: 10 visitors, 10 on Mon, 9 Nov 2026, 0%');
    expect(slider(page).getAttribute('aria-valuenow')).toBe('1');
    page.press(slider(page), 'ArrowLeft');
    expect(slider(page).getAttribute('aria-valuenow')).toBe('1');
    page.press(slider(page), 'End');
    expect(slider(page).getAttribute('aria-valuenow')).toBe('5');
    expect(page.find('.chart-tooltip').textContent).toContain('Fri, 20 Nov 2026');
  });

  test('what is compared with a part of a point says until when', () => {
    const earlier = EARLIER.map((point, index) => ({ ...point, incomplete: index === 4 }));
    using page = mount(<TimeChart {...PROPS} comparison={earlier} comparedUntil="10:20" />);
    expect(told(page)).toBe(
      'Fri, 20 Nov 2026: 50 visitors, not complete, 25 on Fri, 13 Nov 2026 until\u00a010:20, +100%',
    );
    page.press(slider(page), 'ArrowLeft');
    expect(told(page)).toBe('Thu, 19 Nov 2026: 40 visitors, 0 on Thu, 12 Nov 2026, New');
  });

  test('Shift and arrows select, Enter zooms in to the selection', () => {
    const zooms: string[][] = [];
    using page = mount(<TimeChart {...PROPS} onZoom={(...stretch) => zooms.push(stretch)} />);
    page.press(slider(page), 'End');
    for (let count = 0; count < 2; count += 1) page.press(slider(page), 'ArrowLeft', { shiftKey: true });
    expect(told(page)).toStartWith('3 points selected, Enter zooms in, Escape cancels.');
    page.press(slider(page), 'Enter');
    expect(zooms).toEqual([['2026-11-18T00:00:00.000Z', END]]);
    expect(page.findAll('.chart-selection')).toEqual([]);
  });

  test('Escape cancels the selection, then lets go of the point, then is the page’s', () => {
    const zooms: string[][] = [];
    using page = mount(<TimeChart {...PROPS} onZoom={(...stretch) => zooms.push(stretch)} />);
    page.press(slider(page), 'ArrowLeft', { shiftKey: true });
    const kept = [1, 2, 3].map(() => page.press(slider(page), 'Escape').defaultPrevented);
    expect(kept).toEqual([true, true, false]);
    page.press(slider(page), 'Enter');
    expect(zooms).toEqual([]);
  });

  test('keys of the page and of the browser are left alone', () => {
    using page = mount(<TimeChart {...PROPS} />);
    expect(page.press(slider(page), 'x').defaultPrevented).toBe(false);
    expect(page.press(slider(page), 'ArrowLeft', { altKey: true }).defaultPrevented).toBe(false);
  });
});

describe('by pointer', () => {
  test('the nearest point is described next to it, with the earlier figure and the change', () => {
    using page = mount(<TimeChart {...PROPS} comparison={EARLIER} />);
    page.fire(slider(page), 'pointermove', { ...POINTER, clientX: 300 });
    expect(page.find('.chart-tooltip').textContent).toBe('Wed, 18 Nov 2026Visitors30Wed, 11 Nov 202660−50%');
    page.fire(slider(page), 'pointerleave', POINTER);
    expect(page.findAll('.chart-tooltip')).toEqual([]);
  });

  const dragged = (page: Mounted, from: number, to: number, pointer = POINTER) => {
    page.fire(slider(page), 'pointerdown', { ...pointer, clientX: from });
    page.fire(slider(page), 'pointermove', { ...pointer, clientX: to });
  };

  test('dragging zooms in, from either end', () => {
    const zooms: string[][] = [];
    using page = mount(<TimeChart {...PROPS} onZoom={(...stretch) => zooms.push(stretch)} />);
    for (const [from, to] of [
      [190, 480],
      [480, 190],
    ] as const) {
      dragged(page, from, to);
      expect(page.findAll('.chart-selection')).toHaveLength(1);
      page.fire(slider(page), 'pointerup', POINTER);
    }
    const stretch = ['2026-11-17T00:00:00.000Z', '2026-11-20T00:00:00.000Z'];
    expect(zooms).toEqual([stretch, stretch]);
  });

  test('Escape cancels a drag', () => {
    const zooms: string[][] = [];
    using page = mount(<TimeChart {...PROPS} onZoom={(...stretch) => zooms.push(stretch)} />);
    dragged(page, 190, 480);
    page.press(slider(page), 'Escape');
    page.fire(slider(page), 'pointerup', POINTER);
    expect(zooms).toEqual([]);
  });

  test('a click by a hand that shakes a little does not zoom in', () => {
    const zooms: string[][] = [];
    using page = mount(<TimeChart {...PROPS} onZoom={(...stretch) => zooms.push(stretch)} />);
    dragged(page, 253, 257); // from the second point to the third
    page.fire(slider(page), 'pointerup', POINTER);
    expect(zooms).toEqual([]);
    expect(page.find('.chart-tooltip').textContent).toContain('Wed, 18 Nov 2026');
  });

  test('a finger looks and scrolls, it does not select', () => {
    const zooms: string[][] = [];
    using page = mount(<TimeChart {...PROPS} onZoom={(...stretch) => zooms.push(stretch)} />);
    dragged(page, 190, 480, { ...POINTER, pointerType: 'touch' });
    page.fire(slider(page), 'pointerup', { ...POINTER, pointerType: 'touch' });
    expect(page.find('.chart-tooltip').textContent).toContain('Thu, 19 Nov 2026');
    expect(zooms).toEqual([]);
  });
});

describe('the table', () => {
  const cellsOf = (page: Mounted) =>
    page.findAll('tr').map((row) => [...row.children].map(({ textContent }) => textContent));

  test('says what the chart says, without the future', () => {
    const nowMs = Date.parse('2026-11-17T12:00:00Z');
    using page = mount(
      <ChartTable
        caption="Visitors by day"
        points={POINTS}
        comparison={EARLIER}
        metric="visitors"
        interval="day"
        nowMs={nowMs}
      />,
    );
    expect(page.find('caption').textContent).toBe('Visitors by day');
    expect(cellsOf(page)).toEqual([
      ['Time', 'Visitors', 'Earlier', 'Change'],
      ['Mon, 16 Nov 2026', '10', '10Mon, 9 Nov 2026', '0%'],
      ['Tue, 17 Nov 2026', '20', '10Tue, 10 Nov 2026', '+100%'],
    ]);
    expect(page.findAll('th[scope=row]')).toHaveLength(2);
  });

  test('has two columns without a comparison, and marks what is not complete', () => {
    using page = mount(
      <ChartTable caption="c" points={POINTS} metric="visitors" interval="day" nowMs={NOW_MS} />,
    );
    expect(cellsOf(page).at(-1)).toEqual(['Fri, 20 Nov 2026not complete', '50']);
  });
});
