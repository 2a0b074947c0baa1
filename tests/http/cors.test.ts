import { beforeAll, describe, expect, test } from 'bun:test';
import { createTestService, type TestService } from '../support/service.ts';

const FRIEND = 'https://app.example.com';
const PAGE = 'https://shop.example.org';

let service: TestService;
beforeAll(async () => {
  service = await createTestService({ corsOrigins: [FRIEND] });
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
      expect(answer.headers.get('access-control-expose-headers')).toBe('Retry-After');
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
        'access-control-allow-headers': 'Content-Type',
        'access-control-max-age': '86400',
      });
    });
  }

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

  test('a preflight of another origin is told nothing', async () => {
    const answer = await send('OPTIONS', '/api/v1/websites', PAGE, {
      'Access-Control-Request-Method': 'POST',
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
