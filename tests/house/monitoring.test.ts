import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestService, type TestService } from '../support/service.ts';

/** The requests of docs/monitoring.md, and the fields that it names. */

const DOCS = readFileSync(join(import.meta.dir, '../../docs/monitoring.md'), 'utf8');
const ADDRESSES = [
  ...new Set([...DOCS.matchAll(/https:\/\/meter\.example\.com(\/api[^`\s]+)/g)].map(([, path = '']) => path)),
];

let service: TestService;
let send: (path: string) => ReturnType<TestService['send']>;

beforeAll(async () => {
  service = await createTestService();
  const { apiKey } = await service.addUser(['read', 'write']);
  const { id } = await service.addWebsite(apiKey);
  const values: Record<string, string> = {
    WEBSITE_ID: id,
    '${__from}': String(service.clock.now() - 86_400_000),
    '${__to}': String(service.clock.now()),
  };
  send = (path) => {
    const filled = Object.entries(values).reduce((text, [name, value]) => text.replace(name, value), path);
    return service.send('GET', filled, { headers: { 'X-API-Key': apiKey } });
  };
});
afterAll(() => service.close());

test('names addresses', () => expect(ADDRESSES.length).toBeGreaterThan(3));

test.each(ADDRESSES)('%s answers', async (path) => {
  expect((await send(path)).status).toBe(200);
});

test('the fields are those of the answers', async () => {
  const addressOf = (part: string) => ADDRESSES.find((path) => path.includes(part)) ?? '';
  const { body: totals } = await send(addressOf('/stats?'));
  for (const [, field = ''] of DOCS.matchAll(/\{ field: (\w+)/g))
    expect(Object.keys(totals)).toContain(field);
  const { body: series } = await send(addressOf('/timeseries'));
  expect(Object.keys(series.points[0])).toEqual(expect.arrayContaining(['time', 'visitors', 'pageviews']));
  const { body: pages } = await send(addressOf('/breakdown'));
  expect(pages.rows).toEqual([]);
  expect((await send(addressOf('/health'))).body.status).toBe('ok');
});
