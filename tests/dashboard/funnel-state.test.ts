import { expect, test } from 'bun:test';
import type { Goal } from '../../src/contract/goal.ts';
import {
  FUNNEL_CODEC,
  type FunnelState,
  fromSaved,
  toFunnelQuestion,
  toSaved,
} from '../../src/dashboard/funnels/funnel-state.ts';
import { nameOfStep } from '../../src/dashboard/funnels/step-names.ts';
import { readViewState, toSearch } from '../../src/dashboard/state/view-state.ts';

const readFunnel = (search: string) => FUNNEL_CODEC.read(new URLSearchParams(search)).funnel;
const addressOf = (funnel: FunnelState | undefined, search = '') =>
  toSearch(readViewState(search), (parameters) =>
    FUNNEL_CODEC.write({ funnel, group: undefined }, parameters),
  );

test('the address contains a funnel, and nothing of it when there is none', () => {
  const search =
    '?f=is,country,DE&step=any,&step=goal,Paid+signup&step=page,/docs/**&by=visit&order=strict&window=7d';
  const funnel = readFunnel(search);
  expect(funnel).toEqual({
    steps: [
      [{ kind: 'any', value: '' }],
      [{ kind: 'goal', value: 'Paid signup' }],
      [{ kind: 'page', value: '/docs/**' }],
    ],
    by: 'visit',
    order: 'strict',
    window: '7d',
  });
  expect(addressOf(funnel, search)).toBe(search);
  expect(readFunnel('?by=visit&step=nonsense,x&step=goal')).toBeUndefined();
  expect(addressOf(undefined)).toBe('');
});

test('its steps are conditions of the question', () => {
  const { steps, window } = toFunnelQuestion({
    steps: [
      [{ kind: 'any', value: '' }],
      [{ kind: 'goal', value: 'Signup' }],
      [{ kind: 'page', value: '/pricing' }],
      [{ kind: 'page', value: '/docs/**' }],
      [{ kind: 'event', value: 'purchase' }],
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
  expect(nameOfStep([{ kind: 'event', value: 'purchase' }], [])).toBe('Event purchase');
});

test('a funnel that was saved is shown as it was, and what only a program writes as its conditions', () => {
  const goals = [{ id: 'g1', name: 'Signup' }] as Goal[]; // no more is looked at
  const isView = ['is', 'eventType', ['pageview']];
  const union = ['or', [['is', 'page', ['/a']]]];
  const saved = {
    steps: [
      isView,
      ['is', 'goal', ['g1']],
      ['is', 'goal', ['gone']],
      ['is', 'event', ['purchase']],
      [isView, ['like', 'page', ['/docs/**']]],
      union,
    ],
    by: 'visit',
    order: 'strict',
    window: null,
  } as const;
  const funnel = fromSaved({ ...saved, steps: [...saved.steps] }, goals);
  expect(funnel.steps).toEqual([
    [{ kind: 'any', value: '' }],
    [{ kind: 'goal', value: 'Signup' }],
    [{ kind: 'goal', value: 'gone' }],
    [{ kind: 'event', value: 'purchase' }],
    [{ kind: 'page', value: '/docs/**' }],
    [{ kind: 'filter', value: JSON.stringify(union) }],
  ]);
  const byName = saved.steps.with(1, ['is', 'goal', ['Signup']]);
  expect(toSaved(funnel)).toEqual({ ...saved, steps: byName } as object as ReturnType<typeof toSaved>);
  expect(readFunnel(addressOf(funnel))).toEqual(funnel);
});

test('a step of several alternatives is a union, in the address as in what is saved', () => {
  const step = [
    { kind: 'page', value: '/pricing' },
    { kind: 'goal', value: 'Signup' },
  ] as const;
  const funnel = readFunnel('?or=page,/lost&step=page,/pricing&or=goal,Signup&step=any,');
  expect(funnel?.steps).toEqual([[...step], [{ kind: 'any', value: '' }]]);
  expect(nameOfStep([...step], [])).toBe('/pricing or Signup');
  if (!funnel) return;
  const isView = ['is', 'eventType', ['pageview']];
  const page = ['and', [isView, ['is', 'page', ['/pricing']]]];
  const saved = toSaved(funnel);
  expect(saved.steps).toEqual([['or', [page, ['is', 'goal', ['Signup']]]], isView]);
  expect(JSON.parse(toFunnelQuestion(funnel).steps)).toEqual(saved.steps);
  expect(fromSaved(saved, [])).toEqual(funnel);
  expect(addressOf(funnel)).toBe('?step=page,/pricing&or=goal,Signup&step=any,');
});

test('a step that only a program writes is named by its conditions', () => {
  const goals = [{ id: 'g1', name: 'Signup' }] as Goal[]; // no more is looked at
  const condition = [
    ['is', 'goal', ['g1']],
    [
      'or',
      [
        ['is', 'country', ['DE']],
        ['not', ['has_done', ['like', 'page', ['/docs/**']]]],
      ],
    ],
  ];
  expect(nameOfStep([{ kind: 'filter', value: JSON.stringify(condition) }], goals)).toBe(
    'Goal is Signup and (Country is Germany or not (In the visit: Page is like /docs/**))',
  );
  expect(nameOfStep([{ kind: 'filter', value: '{"a":1}' }], goals)).toBe('{"a":1}');
});
