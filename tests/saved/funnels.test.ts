import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { FUNNELS_MAX } from '../../src/vocabulary/contract.ts';
import { TEST_START_MS } from '../support/clock.ts';
import { invalid, NO_WEBSITE, nameTaken, refusal } from '../support/refusals.ts';
import { createTestService, statusAndBody, type TestService, type User } from '../support/service.ts';

let service: TestService;
let ada: User;
let website: string;
let base: string;

beforeAll(async () => {
  service = await createTestService();
});
beforeEach(async () => {
  ada = await service.addUser();
  const { id } = await service.addWebsite(ada.apiKey);
  website = `/api/v1/websites/${id}`;
  base = `${website}/funnels`;
});
afterAll(() => service.close());

async function send(method: string, path: string, body?: unknown) {
  return statusAndBody(await service.send(method, path, { token: ada.apiKey, body }));
}
const ask = (method: string, path = '', body?: unknown) => send(method, base + path, body);
const add = (body: unknown) => ask('POST', '', body);

const PRICES = ['is', 'page', ['/pricing']];
const SALE = {
  name: 'Sale',
  steps: [PRICES, ['is', 'event', ['purchase']]],
};
const START = new Date(TEST_START_MS).toISOString();
const NO_FUNNEL = refusal(404, 'NOT_FOUND', 'Funnel not found');

async function addGoal(name = 'Purchase'): Promise<string> {
  return (await send('POST', `${website}/goals`, { name, type: 'event', match: 'purchase' })).body.id;
}

describe('a funnel', () => {
  test('is saved with what is said of it, fetched, and listed by name', async () => {
    const union = ['or', [PRICES, ['like', 'page', ['/offers/**']]]];
    const created = await add({
      name: ' Visits ',
      steps: [union, SALE.steps[1]],
      by: 'visit',
      order: 'strict',
      window: ' 30m ',
    });
    expect(created).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        name: 'Visits',
        steps: [union, SALE.steps[1]],
        by: 'visit',
        order: 'strict',
        window: '30m',
        faults: [],
        createdAt: START,
        updatedAt: START,
      },
    });
    const first = await add(SALE);
    expect(first.body).toMatchObject({ by: 'visitor', order: 'loose', window: null });
    expect(await ask('GET', `/${created.body.id}`)).toEqual({ status: 200, body: created.body });
    expect(await ask('GET')).toEqual({
      status: 200,
      body: { funnels: [first.body, created.body], total: 2 },
    });
  });

  test('is changed, and keeps what is not said', async () => {
    const { body } = await add({ ...SALE, window: '7d' });
    expect(await ask('PATCH', `/${body.id}`, { name: 'Renamed' })).toEqual({
      status: 200,
      body: { ...body, name: 'Renamed', updatedAt: new Date(TEST_START_MS + 1).toISOString() },
    });
    const changed = await ask('PATCH', `/${body.id}`, { window: null, steps: [PRICES, PRICES], by: 'visit' });
    expect(changed.body).toMatchObject({
      window: null,
      steps: [PRICES, PRICES],
      by: 'visit',
      name: 'Renamed',
    });
  });

  test('is deleted, and only by its owner', async () => {
    const { body } = await add(SALE);
    const bob = await service.addUser();
    const other = await service.addWebsite(bob.apiKey, 'https://other.example');
    for (const [path, expected] of [
      [`/api/v1/websites/${other.id}/funnels/${body.id}`, NO_FUNNEL],
      [`${base}/${body.id}`, NO_WEBSITE],
    ] as const)
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect(statusAndBody(await service.send(method, path, { token: bob.apiKey, body: {} }))).toEqual(
          expected,
        );
    expect(await ask('DELETE', `/${body.id}`)).toEqual({
      status: 200,
      body: { success: true, message: 'Funnel deleted' },
    });
    expect(await ask('GET', `/${body.id}`)).toEqual(NO_FUNNEL);
  });

  test('knows its goals by their ids, so they may be renamed', async () => {
    const goal = await addGoal();
    const { body } = await add({ name: 'F', steps: [PRICES, ['or', [['is', 'goal', ['Purchase']]]]] });
    const steps = [PRICES, ['or', [['is', 'goal', [goal]]]]];
    expect(body.steps).toEqual(steps);
    await send('PATCH', `${website}/goals/${goal}`, { name: 'Bought' });
    expect((await ask('GET', `/${body.id}`)).body).toMatchObject({ steps, faults: [] });
    const asked = `${website}/stats/funnel?period=today&steps=${encodeURIComponent(JSON.stringify(steps))}`;
    expect((await send('GET', asked)).status).toBe(200);
  });

  test('whose goal was deleted says so, can be renamed and mended, and not be saved like that', async () => {
    const goal = await addGoal();
    const { body } = await add({ name: 'F', steps: [PRICES, ['is', 'goal', [goal]]] });
    await send('DELETE', `${website}/goals/${goal}`);
    const faults = [`Step 2: [2]: Unknown goal "${goal}": it may have been deleted`];
    expect((await ask('GET')).body.funnels).toMatchObject([{ name: 'F', faults }]);
    expect((await ask('PATCH', `/${body.id}`, { name: 'G' })).body).toMatchObject({ name: 'G', faults });
    expect(await ask('PATCH', `/${body.id}`, { window: '7d' })).toEqual(invalid({ steps: faults }));
    expect((await ask('PATCH', `/${body.id}`, { steps: SALE.steps })).body).toMatchObject({ faults: [] });
  });
});

describe('what is refused', () => {
  test('a name that another funnel has', async () => {
    await add(SALE);
    expect(await add(SALE)).toEqual(nameTaken('funnel'));
  });

  test('one more than 200', async () => {
    for (let index = 0; index < FUNNELS_MAX; index += 1) await add({ ...SALE, name: `${index}` });
    expect(await add(SALE)).toEqual(
      refusal(409, 'CONFLICT', 'A website has at most 200 funnels; delete one first'),
    );
  });

  const DAYS = 'Must be such as 30m, 12h or 7d, at most 90d';
  test.each<[object, Record<string, string[]>]>([
    [{ steps: [PRICES] }, { steps: ['Must be 2 to 12 steps'] }],
    [{ steps: Array(13).fill(PRICES) }, { steps: ['Must be 2 to 12 steps'] }],
    [{ steps: [PRICES, []] }, { steps: ['Step 2: Must have at least one filter'] }],
    [
      { steps: [PRICES, ['is', 'goal', ['Nothing']]] },
      { steps: ['Step 2: [2]: Unknown goal "Nothing": it may have been deleted'] },
    ],
    [{ steps: 'all' }, { steps: ['Must be a list'] }],
    [
      { steps: [PRICES, Array(20).fill(['is', 'page', ['x'.repeat(900)]])] },
      { steps: ['Must be at most 16384 characters'] },
    ],
    [{ window: '91d' }, { window: [DAYS] }],
    [{ window: '0m' }, { window: [DAYS] }],
    [{ window: 'week' }, { window: [DAYS] }],
    [{ by: 'event' }, { by: ['Must be one of: visitor, visit'] }],
    [{ order: 'any' }, { order: ['Must be one of: loose, strict'] }],
    [{ name: ' ' }, { name: ['Must not be empty'] }],
    [{ name: 'x'.repeat(101) }, { name: ['Must be at most 100 characters'] }],
  ])('%j', async (part, faults) => {
    expect(await add({ ...SALE, ...part })).toEqual(invalid(faults));
  });
});
