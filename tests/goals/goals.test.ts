import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { goals, websites } from '../../src/db/schema.ts';
import { GOALS_MAX } from '../../src/vocabulary/contract.ts';
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
  base = `/api/v1/websites/${id}/goals`;
});
afterAll(() => service.close());

async function ask(method: string, path = '', body?: unknown) {
  return statusAndBody(await service.send(method, base + path, { token: ada.apiKey, body }));
}
const add = (body: unknown) => ask('POST', '', body);

const PURCHASE = { name: 'Purchase', type: 'event', match: 'purchase' };
const START = new Date(TEST_START_MS).toISOString();
const NO_GOAL = refusal(404, 'NOT_FOUND', 'Goal not found');

describe('a goal', () => {
  test('is added with what is said of it, and fetched and listed by name', async () => {
    const created = await add({
      name: ' Pro signup ',
      type: 'page',
      match: '/welcome/**',
      properties: [{ key: 'plan', operator: 'is', values: ['pro', 'team'], other: 1 }],
      value: { amount: '19.9', currency: 'EUR' },
      isPublic: true,
    });
    expect(created).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        name: 'Pro signup',
        type: 'page',
        match: '/welcome/**',
        properties: [{ key: 'plan', operator: 'is', values: ['pro', 'team'] }],
        value: { amount: '19.90', currency: 'EUR' },
        isPublic: true,
        isArchived: false,
        createdAt: START,
        updatedAt: START,
      },
    });
    const first = await add({ name: 'Contact', type: 'click', match: 'mailto' });
    expect(first.body).toMatchObject({ properties: [], value: null, isPublic: false });
    expect(await ask('GET', `/${created.body.id}`)).toEqual({ status: 200, body: created.body });
    expect(await ask('GET')).toEqual({
      status: 200,
      body: { goals: [first.body, created.body], total: 2 },
    });
  });

  test('is changed, and keeps what is not said', async () => {
    const { body } = await add({ ...PURCHASE, value: { amount: '5', currency: 'JPY' } });
    const renamed = await ask('PATCH', `/${body.id}`, { name: 'Bought', unknown: 1 });
    expect(renamed).toEqual({
      status: 200,
      body: { ...body, name: 'Bought', updatedAt: new Date(TEST_START_MS + 1).toISOString() },
    });
    expect(
      (await ask('PATCH', `/${body.id}`, { value: null, type: 'page', match: '/bought' })).body,
    ).toMatchObject({
      type: 'page',
      match: '/bought',
      value: null,
    });
    const { body: same } = await ask('PATCH', `/${body.id}`, {});
    expect(same).toEqual((await ask('GET', `/${body.id}`)).body);
  });

  test('is archived: no longer listed, but kept; and comes back', async () => {
    const { body } = await add(PURCHASE);
    await ask('PATCH', `/${body.id}`, { isArchived: true });
    expect((await ask('GET')).body).toEqual({ goals: [], total: 0 });
    expect((await ask('GET', '?archived=true')).body).toMatchObject({
      goals: [{ isArchived: true }],
      total: 1,
    });
    expect(await add(PURCHASE)).toMatchObject({ status: 409 });
    await ask('PATCH', `/${body.id}`, { isArchived: false });
    expect((await ask('GET')).body).toMatchObject({ total: 1 });
  });

  test('is deleted', async () => {
    const { body } = await add(PURCHASE);
    expect(await ask('DELETE', `/${body.id}`)).toEqual({
      status: 200,
      body: { success: true, message: 'Goal deleted' },
    });
    for (const method of ['GET', 'DELETE']) expect(await ask(method, `/${body.id}`)).toEqual(NO_GOAL);
    expect(await ask('PATCH', `/${body.id}`, { name: 5 })).toEqual(NO_GOAL);
    expect(await add(PURCHASE)).toMatchObject({ status: 201 });
  });

  test('belongs to one website, also by its id below another website', async () => {
    const { body } = await add(PURCHASE);
    const bob = await service.addUser();
    const other = await service.addWebsite(bob.apiKey, 'https://other.example');
    const path = `/api/v1/websites/${other.id}/goals/${body.id}`;
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(statusAndBody(await service.send(method, path, { token: bob.apiKey, body: {} }))).toEqual(
        NO_GOAL,
      );
    const taken = await service.send('GET', `${base}/${body.id}`, { token: bob.apiKey });
    expect(statusAndBody(taken)).toEqual(NO_WEBSITE);
  });

  test('goes with its website', async () => {
    await add(PURCHASE);
    const [, , , , websiteId = ''] = base.split('/');
    await service.send('DELETE', `/api/v1/websites/${websiteId}`, { token: ada.apiKey });
    await service.cleaner.wake();
    const keys = (await service.database.db.select({ key: websites.key }).from(websites)).map(
      ({ key }) => key,
    );
    const left = await service.database.db.select({ websiteKey: goals.websiteKey }).from(goals);
    expect(left.filter(({ websiteKey }) => !keys.includes(websiteKey))).toEqual([]);
  });
});

describe('ready-made goals', () => {
  test('are added at once, and only those that are not there', async () => {
    await add({ name: 'Files', type: 'click', match: 'download' });
    const { status, body } = await ask('POST', '/ready-made');
    expect(status).toBe(200);
    expect(body.goals.map(({ name, type, match }: Record<string, string>) => [name, type, match])).toEqual([
      ['Outbound links', 'click', 'outbound'],
      ['Form submissions', 'event', 'form submit'],
      ['Pages not found', 'event', '404'],
    ]);
    expect(await ask('POST', '/ready-made')).toEqual({ status: 200, body: { goals: [] } });
  });
});

describe('what is refused', () => {
  test('a name that another goal has', async () => {
    const taken = nameTaken('goal');
    const { body } = await add(PURCHASE);
    expect(await add({ ...PURCHASE, match: 'other' })).toEqual(taken);
    const { body: other } = await add({ ...PURCHASE, name: 'Other' });
    expect(await ask('PATCH', `/${other.id}`, { name: body.name })).toEqual(taken);
    const { id } = await service.addWebsite(ada.apiKey, 'https://second.example');
    base = `/api/v1/websites/${id}/goals`;
    expect(await add(PURCHASE)).toMatchObject({ status: 201 });
  });

  test('one more than 200, however they are added', async () => {
    for (let index = 0; index < GOALS_MAX; index += 1) await add({ ...PURCHASE, name: `${index}` });
    const full = refusal(409, 'CONFLICT', 'A website has at most 200 goals; delete one first');
    expect(await add(PURCHASE)).toEqual(full);
    expect(await ask('POST', '/ready-made')).toEqual(full);
    expect((await ask('GET')).body.total).toBe(GOALS_MAX);
  });

  test.each([
    ['page', '/**', 'Matches every page: name a part of the path'],
    ['page', '**', 'Matches every page: name a part of the path'],
    ['page', '**/*', 'Matches every page: name a part of the path'],
    ['page', '*/**', 'Matches every page: name a part of the path'],
    ['page', '*', 'Begins with one *, which stands for no slash, as each path begins with: write **'],
    ['page', '*thanks*', 'Begins with one *, which stands for no slash, as each path begins with: write **'],
    ['page', '/thanks?order=1', 'Is about the path alone: leave out ? and # and what follows'],
    ['page', '/docs/*#top', 'Is about the path alone: leave out ? and # and what follows'],
    ['page', '*'.repeat(255), 'Matches every page: name a part of the path'],
    ['page', 'thanks', 'Must begin with / or **, as a path does'],
    ['page', 'https://example.com/thanks', 'Must begin with / or **, as a path does'],
    ['click', 'internal', 'Must be one of: outbound, download, mailto, tel'],
    ['click', '/thanks', 'Must be one of: outbound, download, mailto, tel'],
    ['event', '*'.repeat(10_000), 'Must be at most 255 characters'],
  ])('a %s that is %p', async (type, match, sentence) => {
    expect(await add({ name: 'G', type, match })).toEqual(invalid({ match: [sentence] }));
  });

  test.each([
    [{ amount: '1', currency: 'XXX' }, '"XXX" is not a currency of ISO 4217, such as EUR'],
    [{ amount: '1', currency: '' }, 'Name the currency by its code of ISO 4217, such as EUR'],
    [{ amount: '1', currency: 'eur' }, '"eur" is not a currency of ISO 4217, such as EUR'],
    ...['NaN', '1e308', '19,90', '-1', '19.999', '', ' 1', '1.', '.5', '12345678901'].map(
      (amount) =>
        [
          { amount, currency: 'EUR' },
          'The amount must be a number such as 19.99: a point and no comma, no sign, at most 10 digits before the point and 2 after it',
        ] as const,
    ),
    [
      { amount: '1.5', currency: 'JPY' },
      'The amount must be a whole number such as 1990, of at most 10 digits and without a sign: JPY has no smaller unit',
    ],
  ])('the value %j', async (value, sentence) => {
    expect(await add({ ...PURCHASE, value })).toEqual(invalid({ value: [sentence] }));
  });

  test('a change that makes it one of these', async () => {
    const { body } = await add(PURCHASE);
    expect(await ask('PATCH', `/${body.id}`, { type: 'click' })).toEqual(
      invalid({ match: ['Must be one of: outbound, download, mailto, tel'] }),
    );
    expect((await ask('GET', `/${body.id}`)).body).toEqual(body);
  });
});
