import { expect, test } from 'bun:test';
import { nameOfStep, toFunnelQuestion } from '../../src/dashboard/funnel-state.ts';
import { readViewState, toSearch } from '../../src/dashboard/view-state.ts';

test('a funnel stands in the address, and nothing of it when there is none', () => {
  const search =
    '?f=is,country,DE&step=any,&step=goal,Paid+signup&step=page,/docs/**&by=visit&order=strict&window=7d';
  const state = readViewState(search);
  expect(state.funnel).toEqual({
    steps: [
      { kind: 'any', value: '' },
      { kind: 'goal', value: 'Paid signup' },
      { kind: 'page', value: '/docs/**' },
    ],
    by: 'visit',
    order: 'strict',
    window: '7d',
  });
  expect(readViewState(toSearch(state))).toEqual(state);
  expect(readViewState('?by=visit&step=nonsense,x&step=goal')).not.toHaveProperty('funnel');
});

test('its steps are conditions of the question', () => {
  const { steps, window } = toFunnelQuestion({
    steps: [
      { kind: 'any', value: '' },
      { kind: 'goal', value: 'Signup' },
      { kind: 'page', value: '/pricing' },
      { kind: 'page', value: '/docs/**' },
      { kind: 'event', value: 'purchase' },
    ],
    by: 'visitor',
    order: 'loose',
    window: '',
  });
  expect(window).toBeUndefined();
  const isView = ['is', 'eventType', ['pageview']];
  expect(JSON.parse(steps)).toEqual([
    isView,
    ['is', 'goal', ['Signup']],
    [isView, ['is', 'page', ['/pricing']]],
    [isView, ['like', 'page', ['/docs/**']]],
    ['is', 'event', ['purchase']],
  ]);
  expect(nameOfStep({ kind: 'event', value: 'purchase' })).toBe('Event purchase');
});
