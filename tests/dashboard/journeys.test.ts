import { describe, expect, test } from 'bun:test';
import { toBandPath, toFlow } from '../../src/dashboard/journeys/flow-model.ts';
import {
  conditionsOf,
  JOURNEY_CODEC,
  toJourneyQuestion,
} from '../../src/dashboard/journeys/journey-state.ts';
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
      { direction: 'from', kind: 'page', value: '/pricing', withEvents: true },
    ],
    [
      'end',
      '?journey=to,goal,a,b&steps=pages',
      { direction: 'to', kind: 'goal', value: 'a,b', withEvents: false },
    ],
    ['end with visits', '?journey=to,visit', { direction: 'to', kind: 'visit', value: '', withEvents: true }],
  ] as const)('%s', (_, search, journey) => {
    expect(read(search)).toEqual(journey);
    expect(write(journey).replace('%2C', ',')).toBe(search);
  });

  test.each(['?journey=away,page,/', '?journey=from,click,/', '?steps=pages'])(
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
    expect(toFlow(journeys, new Set([null])).nodes.map(({ kind }) => kind)).toEqual([
      'anchor',
      ...Array.from({ length: 8 }, () => 'step' as const),
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
      parent: null,
      hidden: 0,
      row: undefined,
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
