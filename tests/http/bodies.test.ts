import { beforeAll, describe, expect, test } from 'bun:test';
import { createTestService, type Person, type TestService } from '../support/service.ts';

type Operation = { requestBody?: unknown; security?: object[]; responses: Record<string, unknown> };
type Route = { method: string; path: string; isProtected: boolean; responses: Record<string, unknown> };

const STEP = [['is', 'page', ['/']]];
/** One of each kind that is kept with a website. */
const KEPT: [list: string, id: string, body: object][] = [
  ['goals', 'goalId', { name: 'Purchase', type: 'event', match: 'purchase' }],
  ['segments', 'segmentId', { name: 'Germans', filters: [['is', 'country', ['DE']]] }],
  ['annotations', 'annotationId', { text: 'deploy 1.4' }],
  ['funnels', 'funnelId', { name: 'Signup', steps: [STEP, STEP] }],
  ['links', 'linkId', { name: 'Client' }],
];

let service: TestService;
let ada: Person;
let routes: Route[];
beforeAll(async () => {
  service = await createTestService();
  ada = await service.signUp();
  const { id } = await service.addWebsite(ada.token);
  const ids: Record<string, string> = { id };
  for (const [list, name, body] of KEPT) {
    const made = await service.send('POST', `/api/v1/websites/${id}/${list}`, { token: ada.token, body });
    ids[name] = made.body.id;
  }
  const accountId = ada.id;
  const invited = await service.send('POST', `/api/v1/accounts/${accountId}/members`, {
    token: ada.token,
    body: { role: 'viewer' },
  });
  Object.assign(ids, { accountId, memberId: invited.body.member.id });
  const { body } = await service.send('GET', '/openapi.json');
  const paths: Record<string, Record<string, Operation>> = body.paths;
  routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => requestBody !== undefined)
      .map(([method, { security, responses }]) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{(\w+)\}/g, (text, name) => ids[name] ?? text),
        isProtected:
          security?.some((one) => Object.keys(one).length > 0) === true &&
          security.every((one) => Object.keys(one).length > 0),
        responses,
      })),
  );
});

const boundOf = (path: string) =>
  path.endsWith('/events/batch') ? 5 * 1024 * 1024 : path.endsWith('/settings') ? 256 * 1024 : 64 * 1024;

/** A body that counts what is read of it. */
function createBody(chunks: number, chunk = new TextEncoder().encode(' '.repeat(1_024))) {
  const state = { read: 0 };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.read >= chunks) return controller.close();
        state.read += 1;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  return { state, stream };
}

describe('a body', () => {
  test('over its bound is refused with 413 by every route, as the description says', async () => {
    expect(routes.length).toBeGreaterThan(14);
    for (const { method, path, responses } of routes) {
      const { state, stream } = createBody(6 * 1024);
      const answer = await service.send(method, path, {
        rawBody: stream,
        token: path.includes('/events') ? undefined : ada.token,
        headers: { 'Content-Type': 'application/json' },
      });
      expect({ path, status: answer.status, body: answer.body }).toEqual({
        path,
        status: 413,
        body: { error: 'PAYLOAD_TOO_LARGE', message: `The body must be at most ${boundOf(path)} bytes` },
      });
      expect(state.read).toBe(boundOf(path) / 1_024 + 1);
      expect(responses).toHaveProperty('413');
    }
  });

  test('is not read at all when it is announced over its bound', async () => {
    for (const { method, path } of routes) {
      const { state, stream } = createBody(6 * 1024);
      const { status } = await service.send(method, path, {
        rawBody: stream,
        token: path.includes('/events') ? undefined : ada.token,
        headers: { 'Content-Type': 'application/json', 'Content-Length': String(boundOf(path) + 1) },
      });
      expect([path, status, state.read]).toEqual([path, 413, 0]);
    }
  });

  test('of a stranger is not read by a protected route', async () => {
    const protectedRoutes = routes.filter(({ isProtected }) => isProtected);
    expect(protectedRoutes.length).toBeGreaterThan(9);
    for (const { method, path } of protectedRoutes) {
      for (const token of [undefined, 'nonsense']) {
        const { state, stream } = createBody(6 * 1024);
        const { status } = await service.send(method, path, {
          rawBody: stream,
          token,
          headers: { 'Content-Type': 'application/json' },
        });
        expect([path, status, state.read]).toEqual([path, 401, 0]);
      }
    }
  });

  test('of the settings of a website may have 256 KiB', async () => {
    const settings = routes.find(({ path }) => path.endsWith('/settings'));
    const allowedOrigins = Array.from({ length: 100 }, (_, index) => `https://${index}.example.com`);
    const answer = await service.send('PATCH', settings?.path ?? '', {
      token: ada.token,
      body: { allowedOrigins, padding: 'x'.repeat(250 * 1024) },
    });
    expect(answer).toMatchObject({ status: 200, body: { allowedOrigins } });
  });

  test('of more than a hundred levels is refused in words', async () => {
    const body = `{"name":${'['.repeat(100)}${']'.repeat(100)}}`;
    const answer = await service.send('POST', '/api/v1/auth/register', { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { details: { formErrors: ['The body must be nested at most 100 levels deep'] } },
    });
  });
});

test.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain'])(
  'routes without a body ignore an unreadable one of type %s',
  async (type) => {
    const own = await createTestService();
    const { token } = await own.signUp();
    const headers = { 'Content-Type': type };
    const statuses = [
      await own.send('DELETE', '/api/v1/auth/sessions/unknown', { token, headers, rawBody: '{"a":' }),
      await own.send('DELETE', '/api/v1/websites/unknown', { token, headers, rawBody: '{"a":' }),
      await own.send('DELETE', '/api/v1/websites/unknown/visitors/v', { token, headers, rawBody: '{"a":' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404]);
    await own.close();
  },
);
