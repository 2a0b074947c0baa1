import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { refusal } from '../support/refusals.ts';
import { type MetricsService, refused, startMetrics } from './support.ts';

/**
 * Today, 20 November: ann comes from Google, reads and buys twice; bob comes from Google and looks; cid comes directly and
 * buys the pro plan. The day before, bob buys.
 */

let service: MetricsService;

const TODAY = '2026-11-20T';
const YESTERDAY = '2026-11-19T';
const GOOGLE = { referrer: 'https://www.google.com/' };

beforeAll(async () => {
  service = await startMetrics();
  const buy = (at: string, visitor: string, plan: string, page = '/shop/cart') =>
    ({ at, visitor, page, type: 'custom', properties: { name: 'purchase', plan } }) as const;
  await service.track([
    { at: `${TODAY}10:00:00Z`, visitor: 'ann', page: '/blog/a', ...GOOGLE },
    { at: `${TODAY}10:01:00Z`, visitor: 'ann', page: '/blog/b/c' },
    buy(`${TODAY}10:02:00Z`, 'ann', 'free'),
    buy(`${TODAY}10:03:00Z`, 'ann', 'pro'),
    { at: `${TODAY}10:00:00Z`, visitor: 'bob', page: '/blog/a', ...GOOGLE },
    { at: `${TODAY}11:00:00Z`, visitor: 'cid', page: '/' },
    {
      at: `${TODAY}11:00:30Z`,
      visitor: 'cid',
      page: '/',
      type: 'click',
      properties: { type: 'outbound', href: 'https://b.example' },
    },
    buy(`${TODAY}11:01:00Z`, 'cid', 'pro', '/'),
    { at: `${YESTERDAY}10:00:00Z`, visitor: 'bob', page: '/blog/a' },
    buy(`${YESTERDAY}10:01:00Z`, 'bob', 'pro'),
  ]);
  const add = (body: object) =>
    service.send('POST', `${service.base}/goals`, { token: service.ada.token, body });
  await add({
    name: 'Purchase',
    type: 'event',
    match: 'purchase',
    value: { amount: '19.90', currency: 'EUR' },
  });
  await add({
    name: 'Pro',
    type: 'event',
    match: 'purchase',
    properties: [{ key: 'plan', operator: 'is', values: ['pro'] }],
    isPublic: true,
  });
  await add({ name: 'Read', type: 'page', match: '/blog/*', isPublic: true });
  await add({ name: 'Outbound', type: 'click', match: 'outbound' });
});
afterAll(() => service.close());

const figuresOf = (row: object) => {
  const { conversions, converters, conversionRate } = row as Record<string, number>; // as the contract has it
  return [conversions, converters, conversionRate];
};

describe('GET /stats/goals', () => {
  test('counts each goal over what was stored before it was added', async () => {
    const { visitors, goals } = await service.get('/stats/goals?period=today');
    expect(visitors).toBe(3);
    expect(goals).toEqual([
      {
        id: expect.any(String),
        name: 'Pro',
        type: 'event',
        conversions: 2,
        converters: 2,
        conversionRate: 2 / 3,
        value: null,
        revenue: [],
      },
      expect.objectContaining({
        name: 'Purchase',
        conversions: 3,
        converters: 2,
        conversionRate: 2 / 3,
        value: { amount: '59.70', currency: 'EUR' },
      }),
      expect.objectContaining({ name: 'Read', conversions: 2, converters: 2 }),
      expect.objectContaining({ name: 'Outbound', conversions: 1, converters: 1 }),
    ]);
  });

  test('compares with an earlier range', async () => {
    const { goals, comparison } = await service.get(
      '/stats/goals?period=today&compare=previous&compareWhole=true',
    );
    expect(comparison).toMatchObject({ visitors: 1, range: { from: '2026-11-19T00:00:00.000Z' } });
    expect((goals as { name: string }[]).find(({ name }) => name === 'Purchase')).toMatchObject({
      comparison: {
        conversions: 1,
        converters: 1,
        conversionRate: 1,
        value: { amount: '19.90', currency: 'EUR' },
        change: { conversions: 200, converters: 100, conversionRate: -33.3 },
      },
    });
  });

  test('is a file as well', async () => {
    const { text } = await service.ask(
      '/stats/goals?period=today&format=csv&filters=[["is","source",["Google"]]]',
    );
    const [head, ...rows] = text.trim().split('\r\n');
    expect(head).toBe('id,name,type,conversions,converters,conversionRate,amount,currency');
    expect(rows.map((row) => row.split(',').slice(1).join(','))).toEqual([
      'Read,page,2,2,1,,',
      'Pro,event,1,1,0.5,,',
      'Purchase,event,2,1,0.5,39.80,EUR',
      'Outbound,click,0,0,0,,',
    ]);
  });

  test('shows the public the shared goals, and no archived one', async () => {
    await service.changeSettings({ isPublic: true });
    const names = async (token?: string) => {
      const { body } = await service.send('GET', `${service.base}/stats/goals?period=today`, { token });
      return body.goals.map(({ name }: { name: string }) => name);
    };
    expect(await names()).toEqual(['Pro', 'Read']);
    await service.changeSettings({ publicHides: ['customEvents'] });
    expect(await names()).toEqual(['Read']);
    await service.changeSettings({ publicHides: ['smallRows'] });
    const { body } = await service.send('GET', `${service.base}/stats/goals?period=today`);
    expect(body).toMatchObject({
      visitors: 3,
      goals: [{ converters: 0 }, { converters: 0, conversions: 0 }],
    });
    const asked = await service.send('GET', `${service.base}/stats?goal=Purchase`);
    expect({ status: asked.status, body: asked.body }).toEqual(
      refused({ goal: ['Unknown goal "Purchase"'] }),
    );
    await service.changeSettings({ isPublic: false, publicHides: [] });
    const { body: list } = await service.ask('/goals');
    const path = `${service.base}/goals/${list.goals[0].id}`;
    const archive = (isArchived: boolean) =>
      service.send('PATCH', path, { token: service.ada.token, body: { isArchived } });
    await archive(true);
    expect(await names(service.ada.token)).toEqual(['Pro', 'Purchase', 'Read']);
    await archive(false);
  });

  test('tells the owner alone what it is worth', async () => {
    await service.changeSettings({ isPublic: true });
    const { body: list } = await service.ask('/goals');
    const { id } = list.goals.find(({ name }: { name: string }) => name === 'Pro');
    const give = (value: object | null) =>
      service.send('PATCH', `${service.base}/goals/${id}`, { token: service.ada.token, body: { value } });
    await give({ amount: '5', currency: 'EUR' });
    const asked = `${service.base}/stats/goals?period=today&compare=previous`;
    const worthOf = async (token?: string) => {
      const { body } = await service.send('GET', asked, { token });
      const { value, comparison } = body.goals.find(({ name }: { name: string }) => name === 'Pro');
      return [value, comparison.value];
    };
    expect(await worthOf(service.ada.token)).toEqual([
      { amount: '10.00', currency: 'EUR' },
      { amount: expect.any(String), currency: 'EUR' },
    ]);
    expect(await worthOf()).toEqual([null, null]);
    await give(null);
    await service.changeSettings({ isPublic: false });
  });

  test('belongs to one website', async () => {
    const answer = await service.send('GET', `${service.base}/stats/goals`);
    expect({ status: answer.status, body: answer.body }).toEqual(
      refusal(401, 'UNAUTHORIZED', 'Authentication required'),
    );
  });
});

describe('conversions next to other figures', () => {
  test('of the totals, also compared', async () => {
    const totals = await service.get('/stats?period=today&goal=Purchase&compare=previous&compareWhole=true');
    expect(totals).toMatchObject({ visitors: 3, conversions: 3, converters: 2, conversionRate: 2 / 3 });
    expect(totals.comparison).toMatchObject({
      visitors: 1,
      conversions: 1,
      converters: 1,
      conversionRate: 1,
      change: { conversions: 200, converters: 100, conversionRate: -33.3 },
    });
    expect(await service.get('/stats?period=today')).not.toHaveProperty('conversions');
  });

  test('of each point', async () => {
    const { points } = await service.get(
      '/stats/timeseries?from=2026-11-19&to=2026-11-20&interval=day&goal=Purchase',
    );
    expect((points as object[]).map(figuresOf)).toEqual([
      [1, 1, 1],
      [3, 2, 2 / 3],
    ]);
  });

  test('of each row: a part of all visitors, and of its own', async () => {
    const { rows } = await service.get(
      '/stats/breakdown?dimension=source&period=today&goal=Purchase&withAbsent=true',
    );
    const found = (rows as Record<string, unknown>[]).map(
      ({ value, visitors, conversions, converters, conversionRate, groupConversionRate }) => [
        value,
        visitors,
        conversions,
        converters,
        conversionRate,
        groupConversionRate,
      ],
    );
    expect(found).toEqual([
      ['Google', 2, 2, 1, 1 / 3, 1 / 2],
      [null, 1, 1, 1, 1 / 3, 1],
    ]);
  });

  test('of a dashboard, the same as asked one by one', async () => {
    const query = 'period=today&goal=Pro&compare=previous&compareWhole=true';
    const dashboard = await service.get(`/stats/dashboard?${query}&breakdowns=page,country`);
    const { range: _, comparison: earlier, ...totals } = await service.get(`/stats?${query}`);
    expect(dashboard.totals).toEqual(totals);
    expect(dashboard.comparison).toMatchObject(earlier as object);
    const series = await service.get(`/stats/timeseries?${query}`);
    expect(dashboard.points).toEqual(series.points);
    const { rows } = await service.get(`/stats/breakdown?dimension=page&${query}`);
    expect((dashboard.breakdowns as { rows: unknown }[])[0]?.rows).toEqual(rows);
  });

  test('of files', async () => {
    const { text } = await service.ask(
      '/stats/breakdown?dimension=page&period=today&goal=Purchase&format=csv',
    );
    expect(text.split('\r\n')[0]).toEndWith(
      'share,conversions,converters,conversionRate,groupConversionRate',
    );
    const totals = await service.ask('/stats?period=today&goal=Purchase&format=csv');
    expect(totals.text.split('\r\n')[0]).toEndWith('visitDuration,conversions,converters,conversionRate');
    const path = '/stats/breakdown?dimension=page&period=today&goal=Purchase&compare=previous';
    const compared = await service.ask(`${path}&format=csv`);
    expect(compared.text.split('\r\n')[0]).toEndWith(
      'previous.visitDuration,previous.conversions,previous.converters,previous.conversionRate',
    );
    const [row] = (await service.get(path)).rows as { comparison: { conversions: number } }[];
    const [line = '{}'] = (await service.ask(`${path}&format=ndjson`)).text.split('\n');
    expect(JSON.parse(line)['previous.conversions']).toBe(row?.comparison.conversions);
  });

  test('an unknown goal', async () => {
    for (const path of ['/stats', '/stats/timeseries', '/stats/breakdown', '/stats/dashboard']) {
      const { status, body } = await service.ask(`${path}?dimension=page&goal=Nothing`);
      expect({ status, body }).toEqual(refused({ goal: ['Unknown goal "Nothing"'] }));
    }
  });
});

describe('goals as a dimension', () => {
  test('are rows of a breakdown', async () => {
    const { dimension, rows, pagination } = await service.get(
      '/stats/breakdown?dimension=goal&period=today&sort=events&limit=2&compare=previous&compareWhole=true',
    );
    expect({ dimension, pagination }).toEqual({
      dimension: 'goal',
      pagination: { total: 4, limit: 2, offset: 0 },
    });
    expect(rows).toMatchObject([
      {
        value: 'Purchase',
        visitors: 2,
        events: 3,
        converters: 2,
        share: 2 / 3,
        comparison: { visitors: 1, conversions: 1 },
      },
      { value: 'Pro', visitors: 2, events: 2 },
    ]);
    const byName = await service.get('/stats/breakdown?dimension=goal&period=today&sort=value:desc&search=P');
    expect((byName.rows as { value: string }[]).map(({ value }) => value)).toEqual(['Purchase', 'Pro']);
  });

  test('are values to choose from', async () => {
    const { values } = await service.get('/stats/values?dimension=goal&period=yesterday');
    expect(values).toEqual([
      { value: 'Pro', events: 1 },
      { value: 'Purchase', events: 1 },
      { value: 'Read', events: 1 },
    ]);
  });
});

describe('a filter by goals', () => {
  test('selects the events that reach them', async () => {
    const filter = (...filters: unknown[]) =>
      service.get(`/stats?period=today&filters=${JSON.stringify(filters)}`);
    expect(await filter('is', 'goal', ['Purchase'])).toMatchObject({ visitors: 2, visits: 2, events: 3 });
    expect(await filter('is', 'goal', ['Pro', 'Outbound'])).toMatchObject({ visitors: 2, events: 3 });
    expect(await filter('is_not', 'goal', ['Purchase'])).toMatchObject({ visitors: 3, events: 5 });
    expect(await filter('is', 'goal', [])).toMatchObject({ events: 0 });
    const { visitors } = await service.get(
      `/stats/realtime?filters=${JSON.stringify([['is', 'goal', ['Purchase']]])}`,
    );
    expect(visitors).toBe(0);
  });

  test('refuses unknown goals, and operators that do not apply to goals', async () => {
    const answer = await service.ask(
      `/stats?filters=${JSON.stringify([
        ['is', 'goal', ['Nothing']],
        ['contains', 'goal', ['P']],
      ])}`,
    );
    expect({ status: answer.status, body: answer.body }).toEqual(
      refused({
        filters: [
          '[0][2]: Unknown goal "Nothing": it may have been deleted',
          '[1][0]: goal can be asked with is and is_not',
        ],
      }),
    );
  });
});

test('a goal that is changed and deleted while it is asked for is one of before or after, or is unknown', async () => {
  const token = service.ada.token;
  const body = { name: 'Brief', type: 'event', match: 'purchase' };
  const { body: goal } = await service.send('POST', `${service.base}/goals`, { token, body });
  const path = `${service.base}/goals/${goal.id}`;
  const filters = JSON.stringify([['is', 'goal', [goal.id]]]);
  const ask = async () => {
    const { status, body } = await service.ask(`/stats?period=today&filters=${filters}`);
    return status === 200 ? body.events : body.details;
  };
  const before = await ask();
  const unknown = refused({ filters: [`[0][2]: Unknown goal "${goal.id}": it may have been deleted`] });
  const changes: Promise<unknown>[] = [];
  const asked = Array.from({ length: 12 }, (_, turn) => {
    if (turn === 4) changes.push(service.send('PATCH', path, { token, body: { match: 'nothing' } }));
    if (turn === 8) changes.push(service.send('DELETE', path, { token }));
    return ask();
  });
  expect(before).toBeGreaterThan(0);
  for (const answer of await Promise.all(asked))
    expect([before, 0, unknown.body.details]).toContainEqual(answer);
  await Promise.all(changes);
  expect(await ask()).toEqual(unknown.body.details);
});
