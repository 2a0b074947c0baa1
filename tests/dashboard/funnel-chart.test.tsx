import { expect, test } from 'bun:test';
import { FunnelChart } from '../../src/dashboard/goals/FunnelChart.tsx';
import { mount } from '../support/render.ts';

const RANGE = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-20T00:00:00.000Z', timezone: 'UTC' };
const stepOf = (reached: number) => ({ reached, rate: 1, stepRate: 1, droppedOff: 0, next: [] });

test.each([
  ['visitor', ['1 visitor · 100%', '0 visitors · 100%', '2 visitors · 100%']],
  ['visit', ['1 visit · 100%', '0 visits · 100%', '2 visits · 100%']],
] as const)('one %s is told in the singular', (by, heads) => {
  const answer = {
    range: RANGE,
    by,
    order: 'loose' as const,
    window: null,
    steps: [1, 0, 2].map(stepOf),
  };
  using page = mount(<FunnelChart funnel={{ steps: [], by, order: 'loose', window: '' }} answer={answer} />);
  expect(page.findAll('.funnel-head .number').map(({ textContent }) => textContent)).toEqual([...heads]);
});
