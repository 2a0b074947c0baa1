import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let other: TestService;
beforeAll(async () => {
  service = await createTestService();
  other = await createTestService({ basePath: '/meter' });
  for (const { app } of [service, other]) app.listen({ port: 0, hostname: '127.0.0.1' });
});
afterAll(async () => {
  for (const one of [service, other]) {
    await one.app.server?.stop(true);
    await one.close();
  }
});

/** Sends the target as it is, which `fetch` would not. */
async function ask(target: string, method = 'GET', { app } = service) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(app.server?.port ?? 0, '127.0.0.1', () =>
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
  );
  let text = '';
  socket.on('data', (bytes) => {
    text += String(bytes);
  });
  socket.on('close', () => resolve(text));
  socket.on('error', reject);
  const [head = '', body = ''] = (await promise).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body };
}

const BACKSLASH = 'The path must not have a backslash';
const DOTS = 'The path must not have \\"." or \\"..\\" as a segment';

describe('a target that the URL parser would rewrite', () => {
  const REFUSED: [target: string, reason: string][] = [
    ['/m/..\\api\\v1\\auth\\setup', BACKSLASH],
    ['/m\\..\\api/v1/auth/setup', BACKSLASH],
    ['\\api\\v1\\auth\\setup', ''],
    ['/api/v1\\auth\\setup', BACKSLASH],
    ['/api/v1/websites/..\\auth\\setup', BACKSLASH],
    ['/docs/..\\api\\ping', BACKSLASH],
    ['/api/v1/auth\\setup/', BACKSLASH],
    ['/api/v1/auth\\setup?x=1', BACKSLASH],
    ['/a%5cb/..\\api\\ping', BACKSLASH],
    ['/m/../api/v1/auth/setup', DOTS],
    ['/m/%2e%2e/api/v1/auth/setup', DOTS],
    ['/m/.%2E/api/v1/auth/setup/', DOTS],
    ['/api/./ping', DOTS],
    ['/api/ping/.', DOTS],
    ['http://localhost/m/..\\api\\ping', BACKSLASH],
  ];
  test.each(REFUSED)('is refused with 400: %s', async (target, reason) => {
    const { status, body } = await ask(target);
    expect(status).toBe(400);
    expect(body).toContain(reason.replace('"." or', '".\\" or'));
  });

  test.each(['DELETE', 'POST', 'HEAD'])('is refused with %s, too', async (method) => {
    expect((await ask('/m/..\\api\\ping', method)).status).toBe(400);
  });

  const UNKNOWN = [
    '/m//..\\..\\api\\ping',
    `${'/x'.repeat(20)}${'\\..'.repeat(20)}\\api\\ping`,
    '//api/ping',
    '/api//ping',
    '/m/%5c..%5capi%5cping',
    '/m/..%5capi/ping',
    '/m/..%2fapi/ping',
    '/m/..;/api/ping',
  ];
  test.each(UNKNOWN)('is not found when no route has it: %s', async (target) => {
    expect((await ask(target)).status).toBe(404);
  });

  test('is refused under a base path, too', async () => {
    expect((await ask('/meter/m/..\\api\\ping', 'GET', other)).status).toBe(400);
    expect((await ask('/x/..\\meter\\api\\ping', 'GET', other)).status).toBe(400);
    expect((await ask('/meter/api/ping', 'GET', other)).status).toBe(200);
    expect((await ask('/meter', 'GET', other)).status).toBe(200);
    expect((await ask('/meter/', 'GET', other)).status).toBe(200);
  });
});

describe('a plain target', () => {
  const FOUND: [target: string, method: string, status: number][] = [
    ['/', 'GET', 200],
    ['/?q=\\..\\', 'GET', 200],
    ['/api/ping', 'GET', 200],
    ['/api/ping/', 'GET', 200],
    ['/api/ping', 'HEAD', 200],
    ['/api/ping?x=..\\..', 'GET', 200],
    ['/api/v1/auth/setup', 'GET', 200],
    ['/api/v1/events', 'OPTIONS', 204],
    ['/api/v1/events/', 'OPTIONS', 204],
    ['/m/batch', 'OPTIONS', 204],
    ['/m/batch/', 'OPTIONS', 204],
    ['/nowhere', 'GET', 404],
    ['/', 'POST', 405],
    ['/api/ping', 'DELETE', 405],
    ['/api/ping/', 'DELETE', 405],
    ['/api/v1/websites/x', 'GET', 401],
    ['/api/v1/websites/x/', 'POST', 405],
    ['/assets/nothing.js', 'GET', 404],
    ['/docs/definitions', 'GET', 200],
    ['http://localhost/api/ping', 'GET', 200],
  ];
  test.each(FOUND)('is answered as it stands: %s', async (target, method, status) => {
    expect((await ask(target, method)).status).toBe(status);
  });

  test('may name a visitor whose id holds an encoded backslash', async () => {
    const { apiKey } = await service.addUser();
    const { id, trackingCode } = await service.addWebsite(apiKey);
    await service.send('POST', '/api/v1/events', {
      body: {
        trackingCode,
        eventType: 'pageview',
        url: 'https://example.com/',
        sessionId: 's',
        visitorId: 'a\\b',
      },
    });
    const url = `http://127.0.0.1:${service.app.server?.port}/api/v1/websites/${id}/visitors/a%5Cb`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${apiKey}` } });
    expect([answer.status, (await answer.json()).visitor.visitorId]).toEqual([200, 'a\\b']);
  });
});
