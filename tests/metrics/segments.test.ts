import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { refusal } from '../support/refusals.ts';
import { type MetricsService, refused, startMetrics } from './support.ts';

/** Today: ann and cid are in Germany, bob in France; ann and bob buy; ann reads the blog. */

let service: MetricsService;
const ids: Record<string, string> = {};

const TODAY = '2026-11-20T';

beforeAll(async () => {
  service = await startMetrics();
  const buy = { type: 'custom', properties: { name: 'purchase', plan: 'pro' } } as const;
  await service.track([
    { at: `${TODAY}10:00:00Z`, visitor: 'ann', page: '/blog/a', country: 'DE' },
    { at: `${TODAY}10:01:00Z`, visitor: 'ann', page: '/cart', country: 'DE', ...buy },
    { at: `${TODAY}10:00:00Z`, visitor: 'bob', page: '/cart', country: 'FR', ...buy },
    { at: `${TODAY}11:00:00Z`, visitor: 'cid', page: '/', country: 'DE' },
  ]);
  const token = service.ada.token;
  const goal = { name: 'Purchase', type: 'event', match: 'purchase' };
  await service.send('POST', `${service.base}/goals`, { token, body: goal });
  const add = async (name: string, filters: unknown[], more: object = {}) => {
    const body = { name, filters, ...more };
    ids[name] = (await service.send('POST', `${service.base}/segments`, { token, body })).body.id;
  };
  await add('Germans', [['is', 'country', ['DE']]], { isPublic: true });
  await add('Readers', [['like', 'page', ['/blog/**']]], { isOwn: true });
  await add('Buyers', [['is', 'goal', ['Purchase']]], { isPublic: true });
  await add('Pro', [['is', 'property:plan', ['pro']]], { isPublic: true });
  await add('2', [['has_done', ['is', 'goal', ['Purchase']]]]);
});
afterAll(() => service.close());

const ask = (filters: unknown, path = '/stats', more = '') =>
  service.ask(`${path}?period=today&filters=${encodeURIComponent(JSON.stringify(filters))}${more}`);
async function eventsOf(filters: unknown): Promise<[visitors: number, events: number]> {
  const { visitors, events } = (await ask(filters)).body;
  return [visitors, events];
}
const id = (name: string) => ids[name] ?? '';

describe('a segment in filters', () => {
  test('selects what its filters select, by its id or its name', async () => {
    expect(await eventsOf([['is', 'segment', [id('Germans')]]])).toEqual([2, 3]);
    expect(await eventsOf([['is', 'segment', ['Germans']]])).toEqual([2, 3]);
    expect(await eventsOf([['is', 'country', ['DE']]])).toEqual([2, 3]);
  });

  test('is joined, negated and nested like any condition', async () => {
    expect(await eventsOf([['is_not', 'segment', [id('Germans')]]])).toEqual([1, 1]);
    expect(await eventsOf([['is', 'segment', [id('Germans'), id('Buyers')]]])).toEqual([3, 4]);
    expect(
      await eventsOf([
        ['is', 'segment', ['Germans']],
        ['is', 'segment', ['Buyers']],
      ]),
    ).toEqual([1, 1]);
    expect(await eventsOf([['not', ['or', [['is', 'segment', ['Germans', 'Pro']]]]]])).toEqual([0, 0]);
    expect(await eventsOf([['has_done', ['is', 'segment', ['Readers']]]])).toEqual([1, 2]);
    expect(await eventsOf([['is', 'segment', ['2']]])).toEqual([2, 3]);
  });

  test.each(['/stats/timeseries', '/stats/dashboard', '/stats/goals', '/sessions', '/visitors', '/pages'])(
    'narrows %s',
    async (path) => {
      const { status, body } = await ask([['is', 'segment', [id('Germans')]]], path);
      const { body: same } = await ask([['is', 'country', ['DE']]], path);
      expect([status, body]).toEqual([200, same]);
    },
  );

  test('is a step of a funnel', async () => {
    const steps = JSON.stringify([
      ['is', 'segment', ['Readers']],
      ['is', 'segment', ['Buyers']],
    ]);
    const { body } = await service.ask(`/stats/funnel?period=today&steps=${encodeURIComponent(steps)}`);
    expect(body.steps.map(({ reached }: { reached: number }) => reached)).toEqual([1, 1]);
  });

  test('changes what a link asks when it changes, and says so when it is deleted', async () => {
    const token = service.ada.token;
    const body = { name: 'Changing', filters: [['is', 'country', ['FR']]] };
    const { body: made } = await service.send('POST', `${service.base}/segments`, { token, body });
    const path = `${service.base}/segments/${made.id}`;
    expect(await eventsOf([['is', 'segment', [made.id]]])).toEqual([1, 1]);
    await service.send('PATCH', path, { token, body: { filters: [['is', 'country', ['DE']]] } });
    expect(await eventsOf([['is', 'segment', [made.id]]])).toEqual([2, 3]);
    await service.send('DELETE', path, { token });
    expect(await ask([['is', 'segment', [made.id]]])).toMatchObject(
      refused({ filters: [`[0][2]: Unknown segment "${made.id}": it may have been deleted`] }),
    );
  });

  test('a segment keeps its result when its goal is renamed', async () => {
    const token = service.ada.token;
    const goal = { name: 'Rare', type: 'event', match: 'purchase' };
    const { body: added } = await service.send('POST', `${service.base}/goals`, { token, body: goal });
    const body = { name: 'By name', filters: [['or', [['is_not', 'goal', 'Rare']]]] };
    const { body: made } = await service.send('POST', `${service.base}/segments`, { token, body });
    expect(made.filters).toEqual([['or', [['is_not', 'goal', [added.id]]]]]);
    const before = await ask([['is', 'segment', ['By name']]]);
    await service.send('PATCH', `${service.base}/goals/${added.id}`, { token, body: { name: 'Seldom' } });
    const after = await ask([['is', 'segment', ['By name']]]);
    expect([after.status, after.body]).toEqual([200, before.body]);
  });

  test('whose goal was deleted says so', async () => {
    const token = service.ada.token;
    const goal = { name: 'Short', type: 'event', match: 'short' };
    const { body: added } = await service.send('POST', `${service.base}/goals`, { token, body: goal });
    const body = { name: 'By a goal', filters: [['is', 'goal', ['Short']]] };
    await service.send('POST', `${service.base}/segments`, { token, body });
    await service.send('DELETE', `${service.base}/goals/${added.id}`, { token });
    expect(await ask([['is', 'segment', ['By a goal']]])).toMatchObject(
      refused({
        filters: [
          `[0][2]: Segment "By a goal": [0][2]: Unknown goal "${added.id}": it may have been deleted`,
        ],
      }),
    );
  });

  test.each<[unknown, string]>([
    [['contains', 'segment', ['Ger']], '[0][0]: segment can be asked with is and is_not'],
    [['is', 'segment', ['Unknown']], '[0][2]: Unknown segment "Unknown": it may have been deleted'],
  ])('%j is refused', async (filter, sentence) => {
    expect(await ask([filter])).toMatchObject(refused({ filters: [sentence] }));
  });

  test('counts its conditions among those of the question', async () => {
    const many = Array.from({ length: 60 }, () => ['is', 'country', ['DE']]);
    const body = { name: 'Many', filters: many };
    await service.send('POST', `${service.base}/segments`, { token: service.ada.token, body });
    const twice = [
      ['is', 'segment', ['Many']],
      ['is', 'segment', ['Many']],
    ];
    expect((await ask(twice.slice(1))).status).toBe(200);
    expect(await ask(twice)).toMatchObject(refused({ filters: ['Must have at most 100 conditions'] }));
  });
});

describe('what segments hold counts in the question', () => {
  const save = (name: string, filters: unknown[]) =>
    service.send('POST', `${service.base}/segments`, { token: service.ada.token, body: { name, filters } });
  const patterns = (count: number) => Array.from({ length: count }, (_, index) => `^/${index}`);
  const TOO_MANY_PATTERNS = refused({ filters: ['Must have at most 10 regular expressions'] });

  test('a segment that is named 200 times in one condition counts once', async () => {
    await save('Patterns', [['matches', 'page', patterns(10)]]);
    const { status } = await ask([['is', 'segment', Array(200).fill('Patterns')]]);
    expect(status).toBe(200);
  });

  test('regular expressions of segments count among those of the question', async () => {
    expect(
      await ask([
        ['is', 'segment', ['Patterns']],
        ['matches', 'page', ['x']],
      ]),
    ).toMatchObject(TOO_MANY_PATTERNS);
    await save('More', [['matches', 'page', ['y']]]);
    expect(await ask([['is', 'segment', ['Patterns', 'More']]])).toMatchObject(TOO_MANY_PATTERNS);
  });

  test('regular expressions of all steps of a funnel count together, those of segments included', async () => {
    const funnel = (...steps: unknown[]) =>
      service.ask(`/stats/funnel?period=today&steps=${encodeURIComponent(JSON.stringify(steps))}`);
    const [six, five, four] = [6, 5, 4].map((count) => ['matches', 'page', patterns(count)]);
    expect((await funnel(six, four)).status).toBe(200);
    expect(await funnel(six, five)).toMatchObject(
      refused({ steps: ['Step 2: Must have at most 10 regular expressions'] }),
    );
    expect(await funnel(six, ['is', 'segment', ['Patterns']])).toMatchObject(
      refused({ steps: ['Step 2: Must have at most 10 regular expressions'] }),
    );
    const body = { name: 'Saved', steps: [six, five] };
    expect(
      (await service.send('POST', `${service.base}/funnels`, { token: service.ada.token, body })).status,
    ).toBe(400);
  });

  test('a question has at most 5,000 values, those of segments included', async () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
    const filters = Array.from({ length: 7 }, () => ['is', 'page', values(200)]);
    for (const name of ['a', 'b', 'c', 'd']) await save(`Values ${name}`, filters);
    const names = ['a', 'b', 'c', 'd'].map((name) => `Values ${name}`);
    expect((await ask([['is', 'segment', names.slice(0, 3)]])).status).toBe(200);
    expect(await ask([['is', 'segment', names]])).toMatchObject(
      refused({ filters: ['Must have at most 5000 values in all conditions together'] }),
    );
  });

  test('a question in the form of Plausible counts the same', async () => {
    const { body } = await service.send('POST', `${service.base}/query`, {
      token: service.ada.apiKey,
      body: {
        metrics: ['visitors'],
        date_range: 'day',
        filters: [
          ['is', 'segment', ['Patterns']],
          ['matches', 'event:page', ['x']],
        ],
      },
    });
    expect(body.details.fieldErrors).toEqual({ filters: ['Must have at most 10 regular expressions'] });
  });
});

describe('the public', () => {
  const publicly = async (filters: unknown) => {
    const query = encodeURIComponent(JSON.stringify(filters));
    return service.send('GET', `${service.base}/stats?period=today&filters=${query}`);
  };

  test('filters by what the owner shows, also by properties and goals in it, and by nothing else', async () => {
    await service.changeSettings({ isPublic: true });
    const { body } = await service.send('GET', `${service.base}/profile/segments`);
    expect(body).toEqual({
      segments: ['Buyers', 'Germans', 'Pro'].map((name) => ({ id: id(name), name })),
    });
    for (const name of ['Germans', 'Buyers', 'Pro'])
      expect((await publicly([['is', 'segment', [id(name)]]])).body).toMatchObject({ visitors: 2 });
    for (const name of ['Readers', '2'])
      expect(await publicly([['is', 'segment', [id(name)]]])).toMatchObject(
        refused({ filters: [`[0][2]: Unknown segment "${id(name)}": it may have been deleted`] }),
      );
  });

  test('never gets by one of them what is kept back', async () => {
    await service.changeSettings({ isPublic: true, publicHides: ['customEvents'] });
    expect(await publicly([['is', 'segment', [id('Buyers')]]])).toMatchObject(
      refusal(403, 'FORBIDDEN', 'Custom events are for the owner of the website'),
    );
    await service.changeSettings({ isPublic: false, publicHides: [] });
  });

  test('shows the owner every segment name in the profile', async () => {
    const { segments } = await service.get('/profile/segments');
    expect((segments as { name: string }[]).map(({ name }) => name)).toContain('Readers'); // as the contract has it
  });
});

describe('in the form of Plausible', () => {
  const query = (filters: unknown) =>
    service.send('POST', `${service.base}/query`, {
      token: service.ada.apiKey,
      body: { metrics: ['visitors'], date_range: 'day', filters },
    });

  test('filters by it, by its id, its name, or a number that it is called', async () => {
    for (const [value, visitors] of [
      [id('Germans'), 2],
      ['Germans', 2],
      [2, 2],
    ])
      expect((await query([['is', 'segment', [value]]])).body.results).toEqual([
        { dimensions: [], metrics: [visitors] },
      ]);
    expect((await query([['is_not', 'segment', ['Germans']]])).body.results).toEqual([
      { dimensions: [], metrics: [1] },
    ]);
  });

  test('says that one is unknown', async () => {
    expect((await query([['is', 'segment', [7]]])).body.details.fieldErrors).toEqual({
      filters: ['[0][2]: Unknown segment "7": it may have been deleted'],
    });
  });
});
