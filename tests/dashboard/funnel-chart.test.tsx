import { expect, test } from 'bun:test';
import { toPlace } from '../../src/dashboard/api/place.ts';
import { FunnelChart } from '../../src/dashboard/funnels/FunnelChart.tsx';
import type { FunnelStep } from '../../src/dashboard/funnels/funnel-state.ts';
import { mount } from '../support/render.ts';

const RANGE = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-20T00:00:00.000Z', timezone: 'UTC' };
const place = toPlace('w', false);
const shown = (...names: string[]) => ({
  place,
  names,
  steps: names.map((name): FunnelStep => [{ kind: 'page', value: `/${name.toLowerCase()}` }]),
});
const stepOf = (reached: number) => ({ reached, rate: 1, stepRate: 1, droppedOff: 0, next: [] });

test.each([
  ['visitor', ['1 visitor · 100%', '0 visitors · 100%', '2 visitors · 100%']],
  ['visit', ['1 visit · 100%', '0 visits · 100%', '2 visits · 100%']],
] as const)('one %s is shown in the singular', (by, heads) => {
  const answer = {
    range: RANGE,
    by,
    order: 'loose' as const,
    window: null,
    steps: [1, 0, 2].map(stepOf),
  };
  using page = mount(<FunnelChart {...shown('A', 'B', 'C')} answer={answer} />);
  expect(page.findAll('.funnel-head .number').map(({ textContent }) => textContent)).toEqual([...heads]);
});

test('a step without visitors has no bar and no share', () => {
  const steps = [
    { ...stepOf(3), droppedOff: 3 },
    { ...stepOf(0), rate: 0, stepRate: 0 },
    { ...stepOf(0), rate: 0, stepRate: 0 },
  ];
  const answer = { range: RANGE, by: 'visitor' as const, order: 'loose' as const, window: null, steps };
  using page = mount(<FunnelChart {...shown('A', 'B', 'C')} answer={answer} />);
  expect(page.findAll('.funnel-lost p').map(({ textContent }) => textContent)).toEqual([
    '3 lost 100%',
    '0 lost',
  ]);
  const parts = page.findAll<HTMLElement>('.funnel-bar').map(({ style }) => style.getPropertyValue('--part'));
  expect(parts).toEqual(['1', '0', '0']);
});

test('says how many of those who dropped off went elsewhere', () => {
  const next = [
    { value: null, count: 4 },
    { value: '/', count: 2 },
  ];
  const steps = [{ ...stepOf(10), droppedOff: 9, next }, stepOf(1)];
  const answer = { range: RANGE, by: 'visitor' as const, order: 'loose' as const, window: null, steps };
  using page = mount(<FunnelChart {...shown('A', 'B')} answer={answer} />);
  expect(page.findAll('.funnel-next li').map(({ textContent }) => textContent)).toEqual([
    'Left the site4',
    '/2',
    'Other pages3',
  ]);
});
