import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Website } from '../../src/contract/website.ts';
import { TEST_START_MS } from '../support/clock.ts';
import { invalid } from '../support/refusals.ts';
import { createTestService, statusAndBody, type TestService, type User } from '../support/service.ts';

let service: TestService;
let ada: User;
let website: Website;

beforeAll(async () => {
  service = await createTestService();
});
beforeEach(async () => {
  service.clock.set(TEST_START_MS);
  ada = await service.addUser();
  website = await service.websites.create(ada.id, {
    name: 'Blog',
    domain: 'https://example.com',
    description: 'Notes',
  });
});
afterAll(() => service.close());

const put = async (body: unknown, id = website.id) =>
  statusAndBody(await service.send('PUT', `/api/v1/websites/${id}`, { token: ada.apiKey, body }));
const stored = async () =>
  (await service.send('GET', `/api/v1/websites/${website.id}`, { token: ada.apiKey })).body;
const at = (ms: number) => new Date(TEST_START_MS + ms).toISOString();

describe('PUT /websites/:id', () => {
  const changes: [string, Partial<Website>][] = [
    ['the name', { name: 'Diary' }],
    ['the domain', { domain: 'https://other.example' }],
    ['the description', { description: '' }],
    ['all three', { name: 'Diary', domain: 'http://other.example/a', description: 'x' }],
    ['nothing, by the values that it has', { name: 'Blog' }],
  ];
  test.each(changes)('changes %s and nothing else', async (_, change) => {
    service.clock.advance(1_000);
    const changed = { ...website, ...change, updatedAt: at(1_000) };
    expect(await put(change)).toEqual({ status: 200, body: changed });
    expect(await stored()).toEqual(changed);
  });

  test('trims what it is given', async () => {
    expect(await put({ name: ' a ', domain: ' https://b.example ', description: ' c ' })).toMatchObject({
      body: { name: 'a', domain: 'https://b.example', description: 'c' },
    });
  });

  const unknown: [string, object][] = [
    ['no field', {}],
    ['unknown fields', { colour: 'red', timezone: 'Europe/Berlin' }],
    [
      'fields that the service assigns',
      { id: 'mine', userId: 'user-2', trackingCode: 'pm-mine-1', createdAt: at(9), updatedAt: at(9), key: 7 },
    ],
  ];
  test.each(unknown)('answers 200 to %s, and nothing changes, updatedAt included', async (_, body) => {
    service.clock.advance(1_000);
    expect(await put(body)).toEqual({ status: 200, body: website });
    expect(await stored()).toEqual(website);
  });

  test('ignores assigned fields next to a known one', async () => {
    expect(await put({ name: 'Diary', userId: 'user-2', trackingCode: 'pm-mine-1', id: 'mine' })).toEqual({
      status: 200,
      body: { ...website, name: 'Diary', updatedAt: at(1) },
    });
  });

  test('lets updatedAt grow with every change, also when the clock stands still or goes back', async () => {
    const seen: unknown[] = [];
    for (const byMs of [0, 0, -5_000, 10_000]) {
      service.clock.advance(byMs);
      seen.push((await put({ name: `n${seen.length}` })).body);
    }
    expect(seen).toMatchObject([1, 2, 3, 5_000].map((ms) => ({ updatedAt: at(ms), createdAt: at(0) })));
  });

  test('lets a website keep its own domain, in another spelling too', async () => {
    expect(await put({ domain: 'https://example.com' })).toMatchObject({ status: 200 });
    expect(await put({ domain: 'http://www.example.com/' })).toMatchObject({
      status: 200,
      body: { domain: 'http://www.example.com/' },
    });
  });

  test('answers 409 for the domain of another website of the account, and nothing changes', async () => {
    await service.websites.create(ada.id, { name: 'two', domain: 'https://two.example' });
    expect(await put({ name: 'x', domain: 'http://www.two.example' })).toEqual({
      status: 409,
      body: { error: 'CONFLICT', message: 'This domain is already registered for your account' },
    });
    expect(await stored()).toEqual(website);
  });

  test('frees the domain that it leaves', async () => {
    await put({ domain: 'https://two.example' });
    expect(
      await service.send('POST', '/api/v1/websites', {
        token: ada.apiKey,
        body: { name: 'n', domain: 'https://example.com' },
      }),
    ).toMatchObject({
      status: 201,
    });
  });

  const refusals: [string, unknown, ReturnType<typeof invalid>][] = [
    ['a domain without a scheme', { domain: 'example.com' }, invalid({ domain: ['Invalid domain URL'] })],
    [
      'a domain with a bad port',
      { domain: 'https://a.b:99999' },
      invalid({ domain: ['Invalid domain URL'] }),
    ],
    ['an empty domain', { domain: '' }, invalid({ domain: ['Invalid domain URL'] })],
    ['one bad field with a good one', { name: 'x', domain: 5 }, invalid({ domain: ['Must be a string'] })],
  ];
  test.each(refusals)('refuses %s with 400, and nothing changes', async (_, body, answer) => {
    expect(await put(body)).toEqual(answer);
    expect(await stored()).toEqual(website);
  });
});
