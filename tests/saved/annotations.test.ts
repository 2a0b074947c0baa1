import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { annotations, websites } from '../../src/db/schema.ts';
import { ANNOTATIONS_MAX } from '../../src/vocabulary/contract.ts';
import { TEST_START_MS } from '../support/clock.ts';
import { invalid, NO_WEBSITE, refusal } from '../support/refusals.ts';
import { createTestService, statusAndBody, type TestService, type User } from '../support/service.ts';

let service: TestService;
let ada: User;
let website: { id: string };
let base: string;

beforeAll(async () => {
  service = await createTestService();
});
beforeEach(async () => {
  ada = await service.addUser();
  website = await service.addWebsite(ada.apiKey);
  base = `/api/v1/websites/${website.id}/annotations`;
});
afterAll(() => service.close());

async function ask(method: string, path = '', body?: unknown) {
  return statusAndBody(await service.send(method, base + path, { token: ada.apiKey, body }));
}
const add = (body: unknown) => ask('POST', '', body);

const START = new Date(TEST_START_MS).toISOString();
const NO_ANNOTATION = refusal(404, 'NOT_FOUND', 'Annotation not found');

describe('an annotation', () => {
  test('is of now when a script says no more than what happened, by an API key', async () => {
    expect(await add({ text: ' deploy 1.4 ' })).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        at: START,
        text: 'deploy 1.4',
        isPublic: false,
        createdAt: START,
        updatedAt: START,
      },
    });
  });

  test.each<[unknown, string, string]>([
    ['2026-11-20', 'Europe/Berlin', '2026-11-20'],
    [' 2026-11-20 ', 'UTC', '2026-11-20'],
    ['2026-11-20T13:00', 'Europe/Berlin', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20T13:00:00+05:30', 'Europe/Berlin', '2026-11-20T07:30:00.000Z'],
    [1_795_000_000_000, 'UTC', new Date(1_795_000_000_000).toISOString()],
    ['1970-01-01', 'America/New_York', '1970-01-01'],
  ])('at %p in %s is at %s', async (at, timezone, expected) => {
    await service.send('PATCH', `/api/v1/websites/${website.id}/settings`, {
      token: ada.apiKey,
      body: { timezone },
    });
    const { body } = await add({ at, text: 'T' });
    expect(body.at).toBe(expected);
    expect(await ask('GET', `/${body.id}`)).toEqual({ status: 200, body });
  });

  test('is listed by time, whichever was added first', async () => {
    for (const at of ['2026-11-20T10:00Z', '2026-11-19', '2026-11-21']) await add({ at, text: at });
    const { body } = await ask('GET');
    expect(body.annotations.map(({ text }: { text: string }) => text)).toEqual([
      '2026-11-19',
      '2026-11-20T10:00Z',
      '2026-11-21',
    ]);
    expect(body.total).toBe(3);
  });

  test('is changed, and keeps what is not said', async () => {
    const { body } = await add({ at: '2026-11-20', text: 'Sale' });
    const later = { ...body, text: 'Sale begins', updatedAt: new Date(TEST_START_MS + 1).toISOString() };
    expect(await ask('PATCH', `/${body.id}`, { text: 'Sale begins' })).toEqual({ status: 200, body: later });
    const moved = await ask('PATCH', `/${body.id}`, { at: '2026-11-20T08:00Z', isPublic: true });
    expect(moved.body).toMatchObject({ at: '2026-11-20T08:00:00.000Z', text: 'Sale begins', isPublic: true });
  });

  test('is deleted, and only by its owner', async () => {
    const { body } = await add({ text: 'T' });
    const bob = await service.addUser();
    const other = await service.addWebsite(bob.apiKey, 'https://other.example');
    for (const [path, expected] of [
      [`/api/v1/websites/${other.id}/annotations/${body.id}`, NO_ANNOTATION],
      [`${base}/${body.id}`, NO_WEBSITE],
    ] as const)
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect(
          statusAndBody(await service.send(method, path, { token: bob.apiKey, body: { text: 'x' } })),
        ).toEqual(expected);
    expect(await ask('DELETE', `/${body.id}`)).toEqual({
      status: 200,
      body: { success: true, message: 'Annotation deleted' },
    });
    expect(await ask('DELETE', `/${body.id}`)).toEqual(NO_ANNOTATION);
  });

  test('needs the scope that changes things', async () => {
    const eve = await service.signUp();
    const { id } = await service.addWebsite(eve.token, 'https://eve.example');
    const { key } = await service.addKey(eve.token, { scopes: ['read'] });
    const path = `/api/v1/websites/${id}/annotations`;
    const { status } = await service.send('POST', path, { token: key, body: { text: 'T' } });
    expect(status).toBe(403);
  });

  test('goes with its website', async () => {
    await add({ text: 'T' });
    await service.send('DELETE', `/api/v1/websites/${website.id}`, { token: ada.apiKey });
    await service.cleaner.wake();
    const { db } = service.database;
    const keys = (await db.select({ key: websites.key }).from(websites)).map(({ key }) => key);
    const left = await db.select({ websiteKey: annotations.websiteKey }).from(annotations);
    expect(left.filter(({ websiteKey }) => !keys.includes(websiteKey))).toEqual([]);
  });
});

describe('what is refused', () => {
  const AT =
    'Must be a day such as 2026-11-20, a time such as 2026-11-20T13:00, or milliseconds since the epoch';

  test.each([['2026-02-30'], ['yesterday'], ['2026-11-20T25:00'], ['1969-12-31'], [-5], [1e15], ['']])(
    'the time %p',
    async (at) => {
      expect(await add({ at, text: 'T' })).toEqual(invalid({ at: [AT] }));
    },
  );

  test.each([
    ['', 'Must not be empty'],
    ['x'.repeat(201), 'Must be at most 200 characters'],
    ['two\nlines', 'Must not hold control characters'],
    [undefined, 'Required'],
  ])('the text %j', async (text, sentence) => {
    expect(await add({ text })).toEqual(invalid({ text: [sentence] }));
  });

  test('one more than 2,000', async () => {
    const { db } = service.database;
    await add({ text: 'T' });
    const [row] = await db.select().from(annotations).orderBy(annotations.websiteKey).limit(1);
    const key = (await db.select().from(websites)).find(({ id }) => id === website.id)?.key ?? 0;
    if (!row) throw new Error('There is no annotation.');
    await db.insert(annotations).values(
      Array.from({ length: ANNOTATIONS_MAX - 1 }, (_, index) => ({
        ...row,
        id: `${key}-${index}`,
        websiteKey: key,
      })),
    );
    expect(await add({ text: 'T' })).toEqual(
      refusal(409, 'CONFLICT', 'A website has at most 2000 annotations; delete one first'),
    );
    expect((await ask('GET')).body.total).toBe(ANNOTATIONS_MAX);
  });
});
