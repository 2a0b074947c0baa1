import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createAnswerBudget } from '../../src/http/answer-budget.ts';
import { type MetricsService, startMetrics } from './support.ts';

/** A visitor with 200 events of 16 kB each. */

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  const properties = { note: 'x'.repeat(8_000), more: 'y'.repeat(8_000) };
  for (let batch = 0; batch < 4; batch += 1)
    await service.track(
      Array.from({ length: 50 }, (_, index) => ({
        at: Date.parse('2026-11-20T09:00:00Z') + batch * 60_000 + index * 1_000,
        visitor: 'ann',
        page: `/${batch}-${index}`,
        type: 'custom' as const,
        properties,
      })).map((event) => ({ ...event, at: new Date(event.at).toISOString() })),
    );
});
afterAll(() => service.close());

const fetchAs = (path: string, headers: Record<string, string> = {}) =>
  service.app.handle(
    new Request(`http://localhost${service.base}${path}`, {
      headers: { Authorization: `Bearer ${service.ada.token}`, ...headers },
    }),
  );

describe.each([
  ['/visitors/ann', 'visitor'],
  ['/sessions/tab-ann', 'session'],
])('%s', (path) => {
  test('answers a page of at most a megabyte of properties, and pages that follow it have the rest', async () => {
    const urls: string[] = [];
    let pages = 0;
    for (let offset = 0; offset < 200; pages += 1) {
      const text = await (await fetchAs(`${path}?offset=${offset}`)).text();
      expect(text.length).toBeLessThan(1_200_000);
      const { events, pagination } = JSON.parse(text);
      expect(pagination).toEqual({ total: 200, limit: pages < 3 ? events.length : 1_000, offset });
      urls.push(...events.map(({ page }: { page: string }) => page));
      offset += events.length;
    }
    expect(pages).toBe(4);
    expect(new Set(urls).size).toBe(200);
  });

  test('has all rows in a file', async () => {
    const text = await (await fetchAs(`${path}?format=ndjson`)).text();
    expect(text.trim().split('\n')).toHaveLength(200);
  });
});

test('large answers that an account does not read are bounded, and count no more once they were read', async () => {
  const unread = await Promise.all(Array.from({ length: 16 }, () => fetchAs('/visitors/ann')));
  const statuses = unread.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeWithin(8, 16);
  const refused = unread.find(({ status }) => status === 503);
  expect(refused?.headers.get('retry-after')).toBe('5');
  expect(await refused?.json()).toEqual({
    error: 'SERVICE_UNAVAILABLE',
    message: 'Read the answers that you have asked for first',
  });
  for (const path of ['/visitors/ann', '/stats', '/sessions']) expect((await fetchAs(path)).status).toBe(503);
  const other = await service.signUp();
  const website = await service.addWebsite(other.token);
  const neighbour = await service.send('GET', `/api/v1/websites/${website.id}/stats`, { token: other.token });
  expect(neighbour.status).toBe(200);
  const answers = unread.filter(({ status }) => status === 200);
  for (const response of answers.slice(4)) await response.body?.cancel();
  for (const response of answers.slice(0, 4)) await response.text();
  const file = await fetchAs('/visitors/ann?format=csv');
  expect(file.headers.get('content-type')).toStartWith('text/csv');
  expect((await file.text()).split('\r\n')).toHaveLength(202);
});

test('answers are the same JSON, of the same type, whatever their length and encoding', async () => {
  for (const path of ['/stats', '/stats/timeseries', '/visitors/ann', '/goals']) {
    const plain = await fetchAs(path);
    const packed = await fetchAs(path, { 'Accept-Encoding': 'gzip' });
    expect([plain, packed].map(({ headers }) => headers.get('content-type'))).toEqual(
      Array(2).fill('application/json;charset=utf-8'),
    );
    const bytes = await packed.bytes();
    const unpacked = packed.headers.has('content-encoding') ? Bun.gunzipSync(bytes) : bytes;
    expect(JSON.parse(new TextDecoder().decode(unpacked))).toEqual(await plain.json());
  }
});

test('the budget of answers is that of each reader and of all', () => {
  const { take, requireReader } = createAnswerBudget(10, 6);
  const first = take('a', 5);
  expect(() => take('a', 2)).toThrow('Read the answers');
  expect(() => requireReader('a')).toThrow('Read the answers');
  requireReader('b');
  take('b', 6); // 11 of 10: a reader without any has one
  expect(() => take('c', 1)).toThrow('Too many large answers');
  first();
  first();
  take('c', 1);
});
