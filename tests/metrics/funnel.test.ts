import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Funnel } from '../../src/metrics/reports/funnel.ts';
import { type MetricsService, refused, startMetrics } from './support.ts';

/**
 * Today: ann sees prices, clicks, signs up and buys. bob sees prices, reads the blog and signs up. cid sees prices and the
 * blog, and signs up two hours later. dan signs up without having seen prices, then sees them.
 */

let service: MetricsService;
const HOUR = '2026-11-20T';
beforeAll(async () => {
  service = await startMetrics();
  const view = (time: string, visitor: string, page: string, more = {}) => ({
    at: HOUR + time,
    visitor,
    page,
    ...more,
  });
  const custom = (time: string, visitor: string, name: string) =>
    ({ at: HOUR + time, visitor, page: '/app', type: 'custom', properties: { name } }) as const;
  await service.track([
    view('08:00:00Z', 'ann', '/pricing', { referrer: 'https://www.google.com/' }),
    {
      at: `${HOUR}08:00:30Z`,
      visitor: 'ann',
      page: '/pricing',
      type: 'click',
      properties: { type: 'internal' },
    },
    custom('08:01:00Z', 'ann', 'signup'),
    custom('08:02:00Z', 'ann', 'purchase'),
    view('08:00:00Z', 'bob', '/pricing'),
    view('08:01:00Z', 'bob', '/blog'),
    custom('08:02:00Z', 'bob', 'signup'),
    view('08:00:00Z', 'cid', '/pricing'),
    view('08:01:00Z', 'cid', '/blog'),
    custom('10:00:00Z', 'cid', 'signup'),
    custom('09:00:00Z', 'dan', 'signup'),
    view('09:01:00Z', 'dan', '/pricing'),
  ]);
  const goal = { name: 'Signup', type: 'event', match: 'signup' };
  await service.send('POST', `${service.base}/goals`, { token: service.ada.token, body: goal });
});
afterAll(() => service.close());

const STEPS = [['is', 'page', ['/pricing']], ['is', 'goal', ['Signup']], [['is', 'event', ['purchase']]]];
const ask = (query = '', steps: unknown = STEPS) =>
  service.get(`/stats/funnel?period=today&steps=${encodeURIComponent(JSON.stringify(steps))}${query}`);
const reachedOf = async (query?: string, steps?: unknown) =>
  ((await ask(query, steps)).steps as { reached: number }[]).map(({ reached }) => reached);

describe('GET /stats/funnel', () => {
  test('counts who reached each step after the one before', async () => {
    expect(await ask()).toMatchObject({
      by: 'visitor',
      order: 'loose',
      window: null,
      steps: [
        { reached: 4, rate: 1, stepRate: 1, droppedOff: 1, next: [{ value: null, count: 1 }] },
        { reached: 3, rate: 0.75, stepRate: 0.75, droppedOff: 2, next: [{ value: null, count: 2 }] },
        { reached: 1, rate: 0.25, stepRate: 1 / 3, droppedOff: 0, next: [] },
      ],
    });
  });

  test('in one visit, within some time, or with clicks alone in between', async () => {
    expect(await reachedOf('&by=visit')).toEqual([4, 2, 1]);
    expect(await reachedOf('&window=2h')).toEqual([4, 3, 1]);
    expect(await reachedOf('&window=119m')).toEqual([4, 2, 1]);
    expect(await reachedOf('&order=strict')).toEqual([4, 1, 1]);
  });

  test('whose first step is the converters of its condition, and a step again needs another event', async () => {
    const { converters } = await service.get('/stats?period=today&goal=Signup');
    expect(
      await reachedOf('', [
        ['is', 'goal', ['Signup']],
        ['is', 'goal', ['Signup']],
      ]),
    ).toEqual([Number(converters), 0]);
  });

  test('by when they entered, and by what', async () => {
    const { points } = await ask('&interval=hour');
    const found = (points as { local: string; reached: number[] }[]).filter(
      ({ reached }) => reached[0] !== 0,
    );
    expect(found.map(({ local, reached }) => [local.slice(11, 13), reached])).toEqual([
      ['08', [3, 3, 1]],
      ['09', [1, 0, 0]],
    ]);
    const { groups, groupTotal } = await ask('&dimension=source');
    expect(groupTotal).toBe(2);
    const cut = await ask('&dimension=source&limit=1');
    expect([cut.groups, cut.groupTotal]).toEqual([[(groups as unknown[])[0]], 2]);
    expect(groups).toEqual([
      { value: null, reached: [3, 2, 0], rate: 0 },
      { value: 'Google', reached: [1, 1, 1], rate: 1 },
    ]);
  });

  test('says where those went who got no further', async () => {
    const { steps } = await ask('', [
      ['is', 'page', ['/pricing']],
      ['is', 'event', ['purchase']],
    ]);
    expect(steps).toMatchObject([
      {
        next: [
          { value: null, count: 1 + 0 },
          { value: '/blog', count: 2 },
        ].toReversed(),
      },
      {},
    ]);
  });

  test('is a file as well', async () => {
    const { text } = await service.ask(
      `/stats/funnel?period=today&format=csv&steps=${encodeURIComponent(JSON.stringify(STEPS))}`,
    );
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'step,reached,rate,stepRate,droppedOff,next',
      '1,4,1,1,1,"[{""value"":null,""count"":1}]"',
    ]);
  });

  test('a file has all groups, or the points, when they are asked for', async () => {
    const steps = encodeURIComponent(JSON.stringify(STEPS));
    const rowsOf = async (query: string) => {
      const { text } = await service.ask(`/stats/funnel?period=today&format=csv&steps=${steps}&${query}`);
      return text.trim().split('\r\n');
    };
    const { groups = [], points = [] } = (await service.get(
      `/stats/funnel?period=today&steps=${steps}&dimension=visitorType&interval=hour`,
    )) as Funnel;
    expect(groups.length).toBeGreaterThan(0);
    const names = STEPS.map((_, index) => `step${index + 1}`).join();
    expect(await rowsOf('dimension=visitorType')).toEqual([
      `value,rate,${names}`,
      ...groups.map(({ value, rate, reached }) => [value, rate, ...reached].join()),
    ]);
    expect(await rowsOf('dimension=visitorType&limit=1')).toHaveLength(2);
    expect(await rowsOf('interval=hour')).toEqual([
      `time,local,incomplete,${names}`,
      ...points.map(({ time, local, incomplete, reached }) => [time, local, incomplete, ...reached].join()),
    ]);
  });
});

test('the funnel of yesterday is completed by events that come late', async () => {
  const other = await service.addWebsite(service.ada.token, 'https://late.example');
  const path = `/api/v1/websites/${other.id}/stats/funnel?period=yesterday&steps=${encodeURIComponent(
    JSON.stringify([
      ['is', 'page', ['/pricing']],
      ['is', 'event', ['signup']],
    ]),
  )}`;
  const reached = async () => {
    const { body } = await service.send('GET', path, { token: service.ada.token });
    return body.steps.map((step: { reached: number }) => step.reached);
  };
  const signup = { name: 'signup' };
  const late = { visitor: 'eve', page: '/app' };
  await service.track([{ at: '2026-11-19T23:40:00Z', visitor: 'eve', page: '/pricing' }], other.trackingCode);
  expect(await reached()).toEqual([1, 0]);
  // One that came before the prices completes nothing, nor does one of today.
  await service.track(
    ['2026-11-19T23:39:00Z', '2026-11-20T00:01:00Z'].map((at) => ({
      ...late,
      at,
      type: 'custom' as const,
      properties: signup,
    })),
    other.trackingCode,
  );
  expect(await reached()).toEqual([1, 0]);
  await service.track(
    [{ ...late, at: '2026-11-19T23:59:00Z', type: 'custom', properties: signup }],
    other.trackingCode,
  );
  expect(await reached()).toEqual([1, 1]);
});

describe('what is refused', () => {
  const FORM = 'Must be a JSON list of steps such as [["is","page",["/pricing"]],["is","goal",["Signup"]]]';
  test.each<[string, Record<string, string[]>]>([
    ['', { steps: [`Required. ${FORM}`] }],
    ['steps=x', { steps: [FORM] }],
    ['steps=[]', { steps: ['Must be 2 to 12 steps'] }],
    [`steps=${JSON.stringify([STEPS[0]])}`, { steps: ['Must be 2 to 12 steps'] }],
    [`steps=${JSON.stringify(Array(13).fill(STEPS[0]))}`, { steps: ['Must be 2 to 12 steps'] }],
    [`steps=${JSON.stringify([STEPS[0], []])}`, { steps: ['Step 2: Must have at least one filter'] }],
    [
      `steps=${JSON.stringify([STEPS[0], ['is', 'goal', ['No']]])}`,
      { steps: ['Step 2: [2]: Unknown goal "No": it may have been deleted'] },
    ],
    [
      `steps=${JSON.stringify(STEPS)}&window=0d&traffic=all&by=x&order=y`,
      {
        by: ['Must be one of: visitor, visit'],
        order: ['Must be one of: loose, strict'],
        window: ['Must be such as 30m, 12h or 7d, at most 90d'],
        traffic: ['Must be people or bots'],
      },
    ],
    [
      `steps=${JSON.stringify(STEPS)}&window=91d`,
      { window: ['Must be such as 30m, 12h or 7d, at most 90d'] },
    ],
  ])('%s', async (query, faults) => {
    const { status, body } = await service.ask(`/stats/funnel?${query}`);
    expect({ status, body }).toEqual(refused(faults));
  });
});
