import { describe, expect, test } from 'bun:test';
import { toBandPath, toFlow } from '../../src/dashboard/journeys/flow-model.ts';
import {
  conditionsOf,
  JOURNEY_CODEC,
  toJourneyQuestion,
} from '../../src/dashboard/journeys/journey-state.ts';
import { filtersOf, funnelOf, pinnedBranches, pinsTo } from '../../src/dashboard/journeys/pinned.ts';
import { readViewState, toSearch } from '../../src/dashboard/state/view-state.ts';
import type { Journeys } from '../../src/metrics/reports/journeys.ts';

describe('the address says where journeys', () => {
  const read = (search: string) => JOURNEY_CODEC.read(new URLSearchParams(search));
  const write = (journey: ReturnType<typeof read>) =>
    toSearch(readViewState(''), (parameters) => JOURNEY_CODEC.write(journey, parameters));

  test.each([
    [
      'begin',
      '?journey=from,page,/pricing',
      { direction: 'from', kind: 'page', value: '/pricing', withEvents: true, pins: [] },
    ],
    [
      'end',
      '?journey=to,goal,a,b&steps=pages',
      { direction: 'to', kind: 'goal', value: 'a,b', withEvents: false, pins: [] },
    ],
    [
      'end with visits',
      '?journey=to,visit',
      { direction: 'to', kind: 'visit', value: '', withEvents: true, pins: [] },
    ],
    [
      'start, with a pinned path',
      '?pin=page,/a,b&pin=event,signup',
      {
        direction: 'from',
        kind: 'visit',
        value: '',
        withEvents: true,
        pins: [
          { kind: 'page', value: '/a,b' },
          { kind: 'event', value: 'signup' },
        ],
      },
    ],
  ] as const)('%s', (_, search, journey) => {
    expect(read(search)).toEqual(journey);
    expect(decodeURIComponent(write(journey))).toBe(search);
  });

  test.each(['?journey=away,page,/', '?journey=from,click,/', '?pin=click,/'])(
    'start, and ignores other values: %s',
    (search) => {
      expect(write(read(search))).toBe('');
    },
  );
});

test('pages alone are asked for with the event that journeys end with', () => {
  const journey = { direction: 'to', kind: 'event', value: 'signup', withEvents: false } as const;
  expect(toJourneyQuestion(journey)).toEqual({ direction: 'to', anchor: '["is","event",["signup"]]' });
  expect(conditionsOf(journey)).toEqual([
    [
      'or',
      [
        ['is', 'eventType', ['pageview']],
        ['is', 'event', ['signup']],
      ],
    ],
  ]);
  expect(conditionsOf({ ...journey, withEvents: true })).toEqual([]);
});

describe('a pinned path', () => {
  const at = (stop: 'page' | 'event', value: string | null, parent: number | null) => ({
    ...{ step: 1, visits: 1, rate: 1, ended: null },
    ...{ stop, value, parent },
  });
  const branches = [
    at('page', '/a', null),
    at('event', 'signup', 0),
    at('page', '/a', 1),
    at('page', null, null),
  ];
  const journey = { direction: 'from', kind: 'visit', value: '', withEvents: true } as const;

  test('leads along the branches of an answer, as far as it has them', () => {
    const pins = pinsTo(branches, 2);
    expect(pins).toEqual([
      { kind: 'page', value: '/a' },
      { kind: 'event', value: 'signup' },
      { kind: 'page', value: '/a' },
    ]);
    expect(pinnedBranches(branches, pins)).toEqual([0, 1, 2]);
    expect(pinnedBranches(branches, [{ kind: 'page', value: '/gone' }, ...pins])).toEqual([]);
    expect(pinnedBranches(branches, pinsTo(branches, 3))).toEqual([3]);
  });

  test('is a filter for each different step', () => {
    expect(filtersOf({ ...journey, kind: 'page', value: '/blog/*', pins: pinsTo(branches, 2) })).toEqual([
      { operator: 'like', dimension: 'has_done:page', values: ['/blog/*'] },
      { operator: 'is', dimension: 'has_done:page', values: ['/a'] },
      { operator: 'is', dimension: 'has_done:event', values: ['signup'] },
    ]);
  });

  test('is a funnel in the order of time, unless a page of it has no name', () => {
    const pins = pinsTo(branches, 1);
    const steps = (of: Parameters<typeof funnelOf>[0]) =>
      funnelOf(of)?.steps.map(([part]) => `${part?.kind} ${part?.value}`);
    expect(steps({ ...journey, pins })).toEqual(['page /a', 'event signup']);
    expect(steps({ ...journey, pins: pins.slice(0, 1) })).toEqual(['any ', 'page /a']);
    expect(steps({ ...journey, direction: 'to', kind: 'goal', value: 'Signup', pins })).toEqual([
      'event signup',
      'page /a',
      'goal Signup',
    ]);
    expect(funnelOf({ ...journey, pins: pinsTo(branches, 3) })).toBeUndefined();
  });
});

describe('the drawing', () => {
  const branch = (
    [step, parent, visits]: [number, number | null, number],
    stop: 'page' | 'other' = 'page',
  ): Journeys['branches'][number] => ({
    step,
    parent,
    stop,
    value: stop === 'page' ? '/' : null,
    visits,
    rate: visits / 100,
    ended: null,
  });

  test('has boxes of the height of their visits, in columns that do not overlap', () => {
    const { nodes, bands, height } = toFlow({
      ended: 0,
      visits: 100,
      branches: [
        branch([1, null, 60]),
        branch([2, 0, 30]),
        branch([2, 0, 2]),
        branch([1, null, 20], 'other'),
      ],
    });
    expect(nodes.map(({ step, visits, top, height: own }) => [step, visits, top, own])).toEqual([
      [0, 100, 0, 320],
      [1, 60, 0, 192],
      [2, 30, 0, 96],
      [2, 2, 102, 24],
      [1, 20, 198, 64],
    ]);
    expect(bands.map(({ fromTop, fromHeight }) => [fromTop, fromHeight])).toEqual([
      [0, 192],
      [0, 96],
      [96, 6.4],
      [192, 64],
    ]);
    expect(height).toBe(320);
  });

  test('draws the sixth step after a box and further ones together, until they are opened', () => {
    const journeys = {
      ended: 0,
      visits: 100,
      branches: Array.from({ length: 8 }, (_, index) => branch([1, null, 20 - index])),
    };
    const { nodes } = toFlow(journeys);
    expect(nodes.length).toBe(1 + 5 + 1);
    expect(nodes.at(-1)).toMatchObject({ kind: 'others', hidden: 3, parent: null, visits: 15 + 14 + 13 });
    expect(toFlow(journeys, { opened: new Set([null]) }).nodes.map(({ kind }) => kind)).toEqual([
      'anchor',
      ...Array.from({ length: 8 }, () => 'step' as const),
    ]);
  });

  test('draws steps that fewer than 1 % take only after a pinned box', () => {
    const journeys = {
      ended: 0,
      visits: 1_000,
      branches: [
        branch([1, null, 600]),
        branch([2, 0, 9]),
        branch([3, 1, 5]),
        branch([3, 1, 3]),
        branch([2, 0, 8]),
        branch([1, null, 300]),
        branch([2, 5, 30]),
      ],
    };
    const draw = (pinned: number[]) =>
      toFlow(journeys, { pinned }).nodes.map(({ kind, visits, isLit }) => [kind, visits, isLit]);
    expect(draw([])).toEqual([
      ['anchor', 1_000, true],
      ['step', 600, true],
      ['others', 17, true],
      ['step', 300, true],
      ['step', 30, true],
    ]);
    expect(draw([0, 1])).toEqual([
      ['anchor', 1_000, true],
      ['step', 600, true],
      ['step', 9, true],
      ['step', 5, true],
      ['step', 3, true],
      ['step', 8, false],
      ['step', 300, false],
    ]);
  });

  test('has a box for the visits that ended, after the anchor and after each step', () => {
    const { nodes } = toFlow({
      ended: 40,
      visits: 100,
      branches: [{ ...branch([1, null, 60]), ended: 25 }],
    });
    expect(nodes.map(({ kind, step, visits }) => [kind, step, visits])).toEqual([
      ['anchor', 0, 100],
      ['step', 1, 60],
      ['left', 2, 25],
      ['left', 1, 40],
    ]);
  });

  test('has bands as closed paths', () => {
    const to = {
      kind: 'left' as const,
      index: null,
      parent: null,
      hidden: 0,
      row: undefined,
      isLit: true,
      visits: 1,
      step: 1,
      top: 10,
      height: 20,
    };
    const band = { from: to, to, fromTop: 0, fromHeight: 5 };
    expect(toBandPath(band, [0, 100])).toBe('M0 0.0C50 0.0 50 10.0 100 10.0V30.0C50 30.0 50 5.0 0 5.0Z');
  });

  test('of no visit is one box', () => {
    expect(toFlow({ ended: 0, visits: 0, branches: [] })).toMatchObject({
      nodes: [{ height: 24 }],
      bands: [],
      height: 24,
    });
  });
});
