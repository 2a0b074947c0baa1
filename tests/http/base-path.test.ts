import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createTestService, type TestService } from '../support/service.ts';

describe('under a base path', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await createTestService({ basePath: '/meter', publicUrl: 'https://example.com/meter' });
    await service.app.modules;
  });
  afterAll(() => service.close());

  const get = (path: string) => service.app.handle(new Request(`http://localhost${path}`));

  test.each([
    '/meter/api/ping',
    '/api/ping',
    '/meter/m.js',
    '/meter',
    '/meter/',
    '/meter?period=7d',
    '/meter/docs',
  ])('%s is answered, whether the proxy takes the base path away or not', async (path) => {
    expect((await get(path)).status).toBe(200);
  });

  test.each([
    '/meterapi/ping',
    '/meter/meter/api/ping',
    '/other/api/ping',
    '/meter%2fapi/ping',
    '/meter/../x',
  ])('%s is unknown', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test('every address that a page names is under it', async () => {
    for (const path of ['/', '/docs', '/docs/definitions']) {
      const page = await (await get(path)).text();
      const named = [...page.matchAll(/ (?:href|src)="(\/[^"]*)"/g)].map(([, address = '']) => address);
      expect(named.length).toBeGreaterThan(1);
      expect(named.filter((address) => !address.startsWith('/meter/'))).toEqual([]);
      for (const address of named) expect((await get(address.replace(/#.*/, ''))).status).toBe(200); // a browser keeps the fragment
    }
  });

  test('the page tells the dashboard where it is, and the API document its server', async () => {
    expect(await (await get('/meter/')).text()).toContain(
      '<div id="root" data-base="/meter" data-url="https://example.com/meter" data-script="/m.js" data-collect="/m">',
    );
    const document = (await (await get('/meter/openapi.json')).json()) as { servers: { url: string }[] };
    expect(document.servers[0]?.url).toBe('https://example.com/meter');
  });

  test('the sender is known all the same', async () => {
    const server = service.app.listen({ port: 0, hostname: '127.0.0.1' }).server;
    const answer = await fetch(`http://127.0.0.1:${server?.port}/meter/metrics`);
    expect({ status: answer.status, text: (await answer.text()).slice(0, 6) }).toEqual({
      status: 200,
      text: '# HELP',
    });
    await server?.stop(true);
  });
});

test('addresses have no prefix without a base path', async () => {
  const service = await createTestService();
  const page = await (await service.app.handle(new Request('http://localhost/'))).text();
  expect(page).toContain('<div id="root" data-script="/m.js" data-collect="/m">');
  expect(page).toContain('href="/favicon.svg"');
  await service.close();
});
