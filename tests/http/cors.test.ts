import { beforeAll, describe, expect, test } from 'bun:test';
import { createTestService, type TestService } from '../support/service.ts';

const FRIEND = 'https://app.example.com';
const PAGE = 'https://shop.example.org';

let service: TestService;
beforeAll(async () => {
  service = await createTestService({
    corsOrigins: [FRIEND],
    paths: { scripts: [], collect: ['/m', '/own/path'] },
  });
});

function send(method: string, path: string, origin: string, more: Record<string, string> = {}) {
  return service.send(method, path, { headers: { Origin: origin, ...more } });
}

describe('submitting events and the tracker are open to every page', () => {
  const REFUSALS: [string, string, string, number][] = [
    ['an empty event', 'POST', '/api/v1/events', 400],
    ['an empty batch', 'POST', '/api/v1/events/batch', 400],
  ];
  for (const [name, method, path, status] of REFUSALS) {
    test(`${name} is refused with ${status}, and the page may read why`, async () => {
      const answer = await send(method, path, PAGE);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')).toBe('Retry-After, X-Request-Id');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    });
  }

  for (const path of ['/api/v1/events', '/api/v1/events/batch', '/api/v1/events/']) {
    test(`a preflight of POST ${path} is answered 204 and kept for a day`, async () => {
      const answer = await send('OPTIONS', path, PAGE, {
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      });
      expect(answer.status).toBe(204);
      expect(answer.body).toBe('');
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '86400',
      });
    });
  }

  const COLLECT = ['/api/v1/events', '/m', '/own/path'].flatMap((path) => [path, `${path}/batch`]);
  const NAMES = Array.from({ length: 200 }, (_, index) => `x-${index}`);
  const REQUESTED: [name: string, requested: string | undefined, allowed: string][] = [
    ['headers of tracers', 'baggage,content-type,sentry-trace', 'baggage, content-type, sentry-trace'],
    ['an API key', 'authorization, X-Api-Key', 'authorization, X-Api-Key'],
    ['no header', undefined, '*'],
    ['an empty list', '', '*'],
    ['200 names', NAMES.join(','), NAMES.join(', ')],
    ['names that are none', 'a b, <script>, a:b, ok, "x", ,é', 'ok'],
    ['only names that are none', 'a b,(),;', '*'],
    ['a list of 12,000 characters', 'x'.repeat(12_000), '*'],
  ];
  for (const [name, requested, allowed] of REQUESTED) {
    test(`a preflight that asks for ${name} is allowed wherever events are taken`, async () => {
      for (const path of COLLECT) {
        const answer = await send('OPTIONS', path, PAGE, {
          'Access-Control-Request-Method': 'POST',
          ...(requested !== undefined && { 'Access-Control-Request-Headers': requested }),
        });
        expect([path, answer.status]).toEqual([path, 204]);
        expect(answer.headers.get('access-control-allow-headers')).toBe(allowed);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      }
    });
  }

  test('answers to events are never cached, whatever their address is', async () => {
    for (const path of COLLECT) {
      const { status, headers } = await send('POST', path, PAGE);
      expect([path, status, headers.get('cache-control')]).toEqual([path, 400, 'no-store']);
    }
  });

  test('the tracker may be loaded by every page', async () => {
    const answer = await send('GET', '/tracker.js', PAGE);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });
});

describe('the rest of the API names its origins', () => {
  const PATHS: [string, string][] = [
    ['GET', '/api/v1/websites'],
    ['GET', '/api/v1/events'],
    ['POST', '/api/v1/auth/login'],
    ['GET', '/api/ping'],
    ['GET', '/api/v1/unknown'],
  ];
  for (const [method, path] of PATHS) {
    test(`${method} ${path} is readable for a listed origin alone`, async () => {
      const friend = await send(method, path, FRIEND);
      expect(friend.headers.get('access-control-allow-origin')).toBe(FRIEND);
      expect(friend.headers.get('vary')).toBe('Origin');
      for (const origin of [PAGE, 'http://app.example.com', `${FRIEND}.evil.test`, 'null']) {
        const other = await send(method, path, origin);
        expect(other.headers.get('access-control-allow-origin')).toBeNull();
        expect(other.headers.get('vary')).toBe('Origin');
      }
    });
  }

  test('a preflight of a listed origin allows the credentials’ headers', async () => {
    const answer = await send('OPTIONS', '/api/v1/websites', FRIEND, {
      'Access-Control-Request-Method': 'POST',
    });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': FRIEND,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS, POST',
      'access-control-allow-headers': 'Authorization, Content-Type, X-API-Key',
    });
  });

  test('a preflight of another origin receives no CORS headers', async () => {
    const answer = await send('OPTIONS', '/api/v1/websites', PAGE, {
      'Access-Control-Request-Method': 'POST',
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
