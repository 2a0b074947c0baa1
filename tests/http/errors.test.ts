import { beforeAll, describe, expect, test } from 'bun:test';
import { Elysia, t } from 'elysia';
import { errorHandler } from '../../src/http/error-handler.ts';
import { AppError } from '../../src/vocabulary/errors.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});

describe('every refusal has the error body', () => {
  const UNKNOWN: [string, string][] = [
    ['GET', '/nothing'],
    ['GET', '/api'],
    ['GET', '/api/v1'],
    ['POST', '/api/v1/event'],
    ['GET', '/api/v2/events'],
    ['GET', '//api/ping'],
    ['GET', '/.env'],
    ['GET', '/.git/config'],
    ['GET', '/..%2f..%2fetc%2fpasswd'],
    ['OPTIONS', '/nothing'],
  ];
  for (const [method, path] of UNKNOWN) {
    test(`${method} ${path} answers 404`, async () => {
      const { status, body } = await service.send(method, path);
      expect({ status, body }).toEqual({
        status: 404,
        body: { error: 'NOT_FOUND', message: 'Route not found' },
      });
    });
  }

  const OTHER_METHODS: [string, string, string][] = [
    ['GET', '/api/v1/auth/login', 'OPTIONS, POST'],
    ['PUT', '/api/v1/events', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', '/api/v1/events/batch', 'OPTIONS, POST'],
    ['PATCH', '/api/v1/websites/abc', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['POST', '/api/ping', 'GET, HEAD, OPTIONS'],
    ['POST', '/tracker.js', 'GET, HEAD, OPTIONS'],
  ];
  for (const [method, path, allow] of OTHER_METHODS) {
    test(`${method} ${path} answers 405 and says what is allowed`, async () => {
      const { status, body, headers } = await service.send(method, path);
      expect({ status, body }).toEqual({
        status: 405,
        body: { error: 'METHOD_NOT_ALLOWED', message: `This address answers ${allow}` },
      });
      expect(headers.get('allow')).toBe(allow);
    });
  }

  test('OPTIONS on a known path answers 204 and says what is allowed', async () => {
    const { status, headers } = await service.send('OPTIONS', '/api/v1/websites');
    expect(status).toBe(204);
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
  });

  test('answers of the API are not to be cached or guessed at', async () => {
    for (const path of ['/api/ping', '/api/v1/websites', '/api/v1/nothing', '/api/v1/events']) {
      const { headers } = await service.send('GET', path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
      );
    }
  });

  test('GET /api/ping says that the process is alive', async () => {
    const { status, body } = await service.send('GET', '/api/ping');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ok',
      message: 'pong',
      timestamp: new Date(service.clock.now()).toISOString(),
      uptime: 0,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });
});

describe('our own bugs are answered 500 without a word of what happened', () => {
  const SECRET = 'insert into users values ($argon2id$secret)';
  const BUGS: Record<string, () => unknown> = {
    'a thrown Error': () => {
      throw new Error(SECRET);
    },
    'a thrown object': () => {
      throw { message: SECRET };
    },
    'a thrown string': () => {
      throw SECRET;
    },
    'a rejected promise': async () => {
      throw new TypeError(SECRET);
    },
    'an answer that breaks its schema': () => ({ ok: true, passwordHash: SECRET }),
    'an answer of another type': () => SECRET,
  };

  for (const mode of ['production', 'development', undefined]) {
    for (const [name, bug] of Object.entries(BUGS)) {
      test(`${name}, with NODE_ENV=${mode}`, async () => {
        const before = process.env.NODE_ENV;
        if (mode === undefined) delete process.env.NODE_ENV;
        else process.env.NODE_ENV = mode;
        const told: unknown[] = [];
        const app = new Elysia({ normalize: false })
          .use(
            errorHandler({
              routes: () => [],
              isDatabaseRefusal: () => false,
              onInternalError: (error) => told.push(error),
            }),
          )
          .get('/', bug as () => { ok: boolean }, { response: { 200: t.Object({ ok: t.Boolean() }) } });
        const response = await app.handle(new Request('http://localhost/'));
        if (before === undefined) delete process.env.NODE_ENV;
        else process.env.NODE_ENV = before;
        expect(response.status).toBe(500);
        expect(await response.json()).toEqual({ error: 'INTERNAL_ERROR', message: 'Internal server error' });
        expect(told).toHaveLength(1);
      });
    }
  }

  test('a database that refuses for now is a 503 with Retry-After', async () => {
    const app = new Elysia()
      .use(errorHandler({ routes: () => [], isDatabaseRefusal: () => true, onInternalError: () => {} }))
      .get('/', () => {
        throw new Error('SQLITE_FULL');
      });
    const response = await app.handle(new Request('http://localhost/'));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ error: 'SERVICE_UNAVAILABLE' });
  });

  test('an AppError keeps its headers', async () => {
    const app = new Elysia()
      .use(errorHandler({ routes: () => [], isDatabaseRefusal: () => false, onInternalError: () => {} }))
      .get('/', () => {
        throw new AppError('UNAUTHORIZED', 'Who are you?', { headers: { 'WWW-Authenticate': 'Bearer' } });
      });
    const response = await app.handle(new Request('http://localhost/'));
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });
});
