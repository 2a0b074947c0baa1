import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { savedSegments } from '../../src/db/schema.ts';
import { SEGMENTS_MAX } from '../../src/vocabulary/contract.ts';
import { TEST_START_MS } from '../support/clock.ts';
import { invalid, NO_WEBSITE, nameTaken, refusal } from '../support/refusals.ts';
import { createTestService, statusAndBody, type TestService, type User } from '../support/service.ts';

let service: TestService;
let ada: User;
let base: string;

beforeAll(async () => {
  service = await createTestService();
});
beforeEach(async () => {
  ada = await service.addUser();
  const { id } = await service.addWebsite(ada.apiKey);
  base = `/api/v1/websites/${id}/segments`;
});
afterAll(() => service.close());

async function ask(method: string, path = '', body?: unknown) {
  return statusAndBody(await service.send(method, base + path, { token: ada.apiKey, body }));
}
const add = (body: unknown) => ask('POST', '', body);

const GERMANS = { name: 'Germans', filters: [['is', 'country', ['DE']]] };
const START = new Date(TEST_START_MS).toISOString();
const NO_SEGMENT = refusal(404, 'NOT_FOUND', 'Segment not found');

describe('a segment', () => {
  test('is added, fetched, and listed by name', async () => {
    const filters = [
      [
        'or',
        [
          ['is', 'country', ['DE']],
          ['not', ['like', 'page', ['/blog/**']]],
        ],
      ],
    ];
    const created = await add({ name: ' Readers ', filters, isOwn: true });
    expect(created).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        name: 'Readers',
        filters,
        isOwn: true,
        isPublic: false,
        faults: [],
        createdAt: START,
        updatedAt: START,
      },
    });
    const first = await add({ ...GERMANS, isPublic: true });
    expect(first.body).toMatchObject({ isOwn: false, isPublic: true });
    expect(await ask('GET', `/${created.body.id}`)).toEqual({ status: 200, body: created.body });
    expect(await ask('GET')).toEqual({
      status: 200,
      body: { segments: [first.body, created.body], total: 2 },
    });
  });

  test('is changed, and keeps what is not said', async () => {
    const { body } = await add(GERMANS);
    expect(await ask('PATCH', `/${body.id}`, { name: 'From Germany' })).toEqual({
      status: 200,
      body: { ...body, name: 'From Germany', updatedAt: new Date(TEST_START_MS + 1).toISOString() },
    });
    const filters = [['is', 'country', ['DE', 'AT']]];
    expect((await ask('PATCH', `/${body.id}`, { filters, isOwn: true })).body).toMatchObject({
      filters,
      isOwn: true,
    });
    expect((await ask('PATCH', `/${body.id}`, { isOwn: false, isPublic: true })).body).toMatchObject({
      isOwn: false,
      isPublic: true,
    });
  });

  test('knows its goals by their ids, so they may be renamed', async () => {
    const path = base.replace('/segments', '/goals');
    const goal = { name: 'Purchase', type: 'event', match: 'purchase' };
    const { body } = await service.send('POST', path, { token: ada.apiKey, body: goal });
    const kept = [['or', [['is', 'goal', [body.id]]]]];
    const { body: nested } = await add({ name: 'Nested', filters: [['or', [['is', 'goal', ['Purchase']]]]] });
    expect(nested.filters).toEqual(kept);
    const { body: flat } = await add({ name: 'Flat', filters: ['is', 'goal', ['Purchase']] });
    expect(flat.filters).toEqual(['is', 'goal', [body.id]]);
    await service.send('PATCH', `${path}/${body.id}`, { token: ada.apiKey, body: { name: 'Bought' } });
    const asked = await ask('PATCH', `/${flat.id}`, { filters: flat.filters });
    expect(asked).toMatchObject({ status: 200, body: { filters: flat.filters } });
  });

  test('whose goal was deleted says so, can be renamed and mended, and not be saved like that', async () => {
    const goals = base.replace('/segments', '/goals');
    const goal = { name: 'Purchase', type: 'event', match: 'purchase' };
    const { body: purchase } = await service.send('POST', goals, { token: ada.apiKey, body: goal });
    const { body } = await add({ name: 'Buyers', filters: [['is', 'goal', ['Purchase']]] });
    await service.send('DELETE', `${goals}/${purchase.id}`, { token: ada.apiKey });
    const faults = [`[0][2]: Unknown goal "${purchase.id}": it may have been deleted`];
    expect((await ask('GET')).body.segments).toMatchObject([{ name: 'Buyers', faults }]);
    expect((await ask('PATCH', `/${body.id}`, { name: 'B' })).body).toMatchObject({ name: 'B', faults });
    expect(await ask('PATCH', `/${body.id}`, { filters: body.filters })).toMatchObject({ status: 400 });
    expect((await ask('PATCH', `/${body.id}`, { filters: GERMANS.filters })).body).toMatchObject({
      faults: [],
    });
  });

  test('keeps values that read like a condition on goals', async () => {
    const filters = [['is', 'event', ['is', 'goal', 'Purchase']]];
    expect(await add({ name: 'Named goal', filters })).toMatchObject({ status: 201, body: { filters } });
  });

  test('is deleted', async () => {
    const { body } = await add(GERMANS);
    expect(await ask('DELETE', `/${body.id}`)).toEqual({
      status: 200,
      body: { success: true, message: 'Segment deleted' },
    });
    for (const method of ['GET', 'DELETE']) expect(await ask(method, `/${body.id}`)).toEqual(NO_SEGMENT);
    expect(await ask('PATCH', `/${body.id}`, { name: 5 })).toEqual(NO_SEGMENT);
  });

  test('belongs to one website, also by its id below another website', async () => {
    const { body } = await add(GERMANS);
    const bob = await service.addUser();
    const other = await service.addWebsite(bob.apiKey, 'https://other.example');
    const path = `/api/v1/websites/${other.id}/segments/${body.id}`;
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(statusAndBody(await service.send(method, path, { token: bob.apiKey, body: {} }))).toEqual(
        NO_SEGMENT,
      );
    const taken = await service.send('GET', `${base}/${body.id}`, { token: bob.apiKey });
    expect(statusAndBody(taken)).toEqual(NO_WEBSITE);
  });

  test('a personal segment belongs to its creator alone, whichever user manages the website', async () => {
    const { body } = await add({ ...GERMANS, isOwn: true });
    const bob = await service.signUp();
    await service.database.db.update(savedSegments).set({ userId: bob.id });
    expect((await ask('GET')).body).toEqual({ segments: [], total: 0 });
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(await ask(method, `/${body.id}`, method === 'GET' ? undefined : {})).toEqual(NO_SEGMENT);
  });
});

describe('what is refused', () => {
  test('a name that another segment has', async () => {
    const taken = nameTaken('segment');
    await add(GERMANS);
    expect(await add(GERMANS)).toEqual(taken);
    const { body } = await add({ ...GERMANS, name: 'Other' });
    expect(await ask('PATCH', `/${body.id}`, { name: 'Germans' })).toEqual(taken);
  });

  test('one more than 200', async () => {
    for (let index = 0; index < SEGMENTS_MAX; index += 1) await add({ ...GERMANS, name: `${index}` });
    expect(await add(GERMANS)).toEqual(
      refusal(409, 'CONFLICT', 'A website has at most 200 segments; delete one first'),
    );
  });

  test('an own one for the public, when it is added and when it becomes one', async () => {
    const fault = invalid({
      isPublic: ['Only a segment of the website can be shown to the public, not one of your own'],
    });
    expect(await add({ ...GERMANS, isOwn: true, isPublic: true })).toEqual(fault);
    const { body } = await add({ ...GERMANS, isOwn: true });
    expect(await ask('PATCH', `/${body.id}`, { isPublic: true })).toEqual(fault);
    expect(await ask('PATCH', `/${body.id}`, { isOwn: false, isPublic: true })).toMatchObject({
      status: 200,
    });
    expect(await ask('PATCH', `/${body.id}`, { isOwn: true })).toEqual(fault);
  });

  test.each<[unknown, string]>([
    [[['iz', 'country', ['DE']]], '[0][0]: Unknown operator "iz". Valid: '],
    [[['is', 'contry', ['DE']]], '[0][1]: Unknown dimension "contry". Valid: '],
    [[['is', 'goal', ['Gone']]], '[0][2]: Unknown goal "Gone": it may have been deleted'],
    [[['is', 'segment', ['Any']]], '[0][1]: A segment cannot hold another segment'],
    [[['not', ['is', 'segment', ['Any']]]], '[0][1][1]: A segment cannot hold another segment'],
    [[['is', 'country', [{}]]], '[0][2]: Must be a list of texts, numbers or booleans'],
    [[['is', 'page', Array(30).fill('x'.repeat(300))]], 'Must be at most 8192 characters'],
    [[], 'Must have at least 1 entry'],
    ['DE', 'Must be a list'],
  ])('the filters %j', async (filters, sentence) => {
    const { status, body } = await add({ name: 'S', filters });
    expect(status).toBe(400);
    expect(Object.keys(body.details.fieldErrors)).toEqual(['filters']);
    expect(body.details.fieldErrors.filters[0]).toStartWith(sentence);
    const { body: kept } = await add(GERMANS);
    expect((await ask('PATCH', `/${kept.id}`, { filters })).status).toBe(400);
    expect((await ask('GET', `/${kept.id}`)).body).toEqual(kept);
  });

  test.each([
    ['', 'Must not be empty'],
    ['  ', 'Must not be empty'],
    ['x'.repeat(101), 'Must be at most 100 characters'],
    ['a\u0007b', 'Must not hold control characters'],
    [7, 'Must be a string'],
  ])('the name %j', async (name, sentence) => {
    expect(await add({ ...GERMANS, name })).toEqual(invalid({ name: [sentence] }));
  });
});
