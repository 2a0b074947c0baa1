import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, refused, startMetrics } from '../support.ts';

/**
 * On one day: ann and bob come from Google, cid directly; ann and cid sign up, ann with the plan pro; all but cid see
 * prices.
 */

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  const at = '2026-11-18T09:00:00Z';
  const referrer = 'https://www.google.com/';
  await service.track([
    { at, visitor: 'ann', page: '/pricing', referrer },
    { at, visitor: 'ann', type: 'custom', properties: { name: 'signup', plan: 'pro' } },
    { at, visitor: 'bob', page: '/pricing', referrer },
    { at, visitor: 'cid', page: '/' },
    { at, visitor: 'cid', type: 'custom', properties: { name: 'signup', plan: 'free' } },
    { at, visitor: 'cid', type: 'custom', properties: { name: 'search' } },
  ]);
  for (const goal of [
    { name: 'Signup', type: 'event', match: 'signup' },
    { name: 'Prices', type: 'page', match: '/pricing' },
    { name: 'Unreached', type: 'event', match: 'nothing' },
  ])
    await service.send('POST', `${service.base}/goals`, { token: service.ada.token, body: goal });
});
afterAll(() => service.close());

async function ask(body: object) {
  const path = `${service.base}/query`;
  const answer = await service.send('POST', path, {
    token: service.ada.token,
    body: { date_range: '7d', ...body },
  });
  return { status: answer.status, body: answer.body };
}
const rowsOf = async (body: object) => {
  const answer = await ask(body);
  expect(answer.status).toBe(200);
  return answer.body.results.map(({ dimensions, metrics }: { dimensions: string[]; metrics: number[] }) => [
    ...dimensions,
    ...metrics,
  ]);
};

describe('goals in the form of Plausible', () => {
  test('are what event:goal lists: those that were reached', async () => {
    const metrics = ['visitors', 'events', 'conversion_rate'];
    expect(await rowsOf({ metrics, dimensions: ['event:goal'] })).toEqual([
      ['Prices', 2, 2, 66.67],
      ['Signup', 2, 2, 66.67],
    ]);
    expect(
      await rowsOf({
        metrics,
        dimensions: ['visit:source', 'event:goal'],
        order_by: [['visit:source', 'asc']],
      }),
    ).toEqual([
      ['Direct / None', 'Signup', 1, 1, 33.33],
      ['Google', 'Prices', 2, 2, 66.67],
      ['Google', 'Signup', 1, 1, 33.33],
    ]);
  });

  test('are filters, by their own names and by Plausible’s', async () => {
    for (const name of ['Signup', 'signup'])
      expect(
        await rowsOf({ metrics: ['visitors', 'events'], filters: [['is', 'event:goal', [name]]] }),
      ).toEqual([[2, 2]]);
    expect(
      await rowsOf({ metrics: ['visitors'], filters: [['is', 'event:goal', ['Visit /pricing']]] }),
    ).toEqual([[2]]);
    expect(
      await rowsOf({ metrics: ['events'], filters: [['contains', 'event:goal', ['SIGN', 'Pri']]] }),
    ).toEqual([[4]]);
    expect(await ask({ metrics: ['visitors'], filters: [['is', 'event:goal', ['Other']]] })).toEqual(
      refused({ filters: ['[0][2]: Unknown goal "Other"'] }, 'Invalid query'),
    );
  });

  test('distinguishes a goal from another with the name that Plausible gives it', async () => {
    const call = (method: string, path: string, body?: object) =>
      service.send(method, `${service.base}/goals${path}`, { token: service.ada.token, body });
    const { body } = await call('POST', '', { name: 'signup', type: 'event', match: 'search' });
    const metrics = ['visitors', 'events'];
    expect(await rowsOf({ metrics, dimensions: ['event:goal'] })).toContainEqual(['signup', 1, 1]);
    expect(await rowsOf({ metrics, filters: [['is', 'event:goal', ['signup']]] })).toEqual([[1, 1]]);
    expect(await rowsOf({ metrics, filters: [['is', 'event:goal', ['Signup']]] })).toEqual([[2, 2]]);
    await call('DELETE', `/${body.id}`);
  });

  test('mind the case, unless the filter says that they do not', async () => {
    const ignored = ['is', 'event:goal', ['PRICES'], { case_sensitive: false }];
    expect(await rowsOf({ metrics: ['visitors'], filters: [ignored] })).toEqual([[2]]);
    expect(await ask({ metrics: ['visitors'], filters: [['is', 'event:goal', ['PRICES']]] })).toEqual(
      refused({ filters: ['[0][2]: Unknown goal "PRICES"'] }, 'Invalid query'),
    );
  });

  test('give rates: of all visitors, and of those of each row', async () => {
    const filters = [['is', 'event:goal', ['Signup']]];
    const metrics = ['visitors', 'conversion_rate', 'group_conversion_rate'];
    expect(await rowsOf({ metrics, filters })).toEqual([[2, 66.67, 66.67]]);
    expect(
      await rowsOf({
        metrics,
        filters,
        dimensions: ['visit:source'],
        order_by: [['group_conversion_rate', 'desc']],
      }),
    ).toEqual([
      ['Direct / None', 1, 33.33, 100],
      ['Google', 1, 33.33, 50],
    ]);
    expect(await rowsOf({ metrics, filters: [...filters, ['is', 'event:props:plan', ['pro']]] })).toEqual([
      [1, 33.33, 33.33],
    ]);
    expect(await rowsOf({ metrics, filters: [...filters, ['is', 'visit:source', ['Google']]] })).toEqual([
      [1, 50, 50],
    ]);
    expect(await rowsOf({ metrics, filters, dimensions: ['time:day'] })).toEqual([
      ['2026-11-18', 2, 66.67, 66.67],
    ]);
  });

  test('are needed for rates, which version 1 has not', async () => {
    expect(await ask({ metrics: ['visitors', 'conversion_rate'] })).toEqual(
      refused({ metrics: ['conversion_rate needs event:goal as a dimension or a filter'] }, 'Invalid query'),
    );
    const path = '/api/v1/stats/aggregate?site_id=example.com&metrics=conversion_rate';
    const { status, body } = await service.send('GET', path, { token: service.ada.apiKey });
    expect([status, body.details.fieldErrors]).toEqual([
      400,
      { metrics: ['Conversion rates and revenue are part of version 2'] },
    ]);
  });

  test('are properties of version 1', async () => {
    const path =
      '/api/v1/stats/breakdown?site_id=example.com&period=30d&property=event:goal&metrics=visitors,events';
    const { body } = await service.send('GET', path, { token: service.ada.apiKey });
    expect(body.results).toEqual([
      { goal: 'Prices', visitors: 2, events: 2 },
      { goal: 'Signup', visitors: 2, events: 2 },
    ]);
  });
});

describe('has_done and has_not_done', () => {
  test('select by what a visit has done, or has not', async () => {
    const count = async (...filters: unknown[]) => (await rowsOf({ metrics: ['visitors'], filters }))[0]?.[0];
    expect(await count(['has_done', ['is', 'event:goal', ['Signup']]])).toBe(2);
    expect(await count(['has_not_done', ['is', 'event:goal', ['Signup']]])).toBe(1);
    expect(
      await count(['is', 'event:page', ['/pricing']], ['has_done', ['is', 'event:goal', ['Signup']]]),
    ).toBe(1);
    expect(
      await count(
        ['has_done', ['contains', 'event:goal', ['sign']]],
        ['has_not_done', ['is', 'event:name', ['search']]],
      ),
    ).toBe(1);
    expect(await count(['has_done', ['is', 'event:page', ['/PRICING'], { case_sensitive: false }]])).toBe(2);
    expect(await count(['has_done', ['matches', 'event:page', ['^/p.+g$', 'x']]])).toBe(2);
    expect(await count(['has_done', ['matches_not', 'event:page', ['^/']]])).toBe(0);
  });

  test('exist as a filter of our own form too', async () => {
    const ask = (filters: unknown) => service.get(`/stats?period=7d&filters=${JSON.stringify(filters)}`);
    expect(await ask([['has_done', ['is', 'goal', ['Signup']]]])).toMatchObject({
      visitors: 2,
      pageviews: 2,
      events: 5,
    });
    expect(await ask([['has_not_done', ['is', 'page', ['/pricing']]]])).toMatchObject({ visitors: 1 });
  });
});
