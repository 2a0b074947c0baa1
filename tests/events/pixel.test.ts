import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let token: string;
let website: { id: string; trackingCode: string };
beforeAll(async () => {
  service = await createTestService();
  token = (await service.addUser()).apiKey;
  website = await service.addWebsite(token);
});
afterAll(() => service.close());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';

const load = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  service.app.handle(
    new Request(`http://localhost/m.gif?${new URLSearchParams(query)}`, {
      headers: { 'User-Agent': FIREFOX, ...headers },
    }),
  );

async function pages() {
  const path = `/api/v1/websites/${website.id}/stats/breakdown?dimension=page&period=today`;
  const { body } = await service.send('GET', path, { token });
  return (body.rows as { value: string; pageviews: number }[]).map(({ value, pageviews }) => [
    value,
    pageviews,
  ]);
}

describe('GET /m.gif', () => {
  test('counts a pageview of the page that it names, or of the referrer, and answers an image', async () => {
    const code = website.trackingCode;
    const answer = await load({
      code,
      url: 'https://example.com/pricing',
      referrer: 'https://news.example/',
    });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    });
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 6)).toBe('GIF89a');
    expect((await load({ code }, { Referer: 'https://example.com/' })).status).toBe(200);
    expect(await pages()).toEqual([
      ['/', 1],
      ['/pricing', 1],
    ]);
  });

  test.each<[string, Record<string, string>, number, object]>([
    ['no code', { url: 'https://example.com/' }, 400, { trackingCode: ['Required'] }],
    ['no page', { code: 'pm-a' }, 400, { url: ['Required'] }],
    ['a page without an address', { code: 'pm-a', url: 'x' }, 400, { url: ['Must be an http or https URL'] }],
  ])('refuses %s', async (_, query, status, fieldErrors) => {
    const answer = await load(query);
    expect([answer.status, await answer.json()]).toMatchObject([status, { details: { fieldErrors } }]);
  });

  test('answers 404 for an unknown code', async () => {
    expect((await load({ code: 'pm-unknown-1', url: 'https://example.com/' })).status).toBe(404);
  });
});
