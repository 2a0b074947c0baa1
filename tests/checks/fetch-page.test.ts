import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { fetchPage } from '../../src/checks/fetch-page.ts';
import { CERTIFICATE, KEY } from './certificate.ts';

/** Listens where no resolver of this machine leads: who gets there was sent to the address itself. */
const HOST = '127.0.0.2';
const tls = { cert: CERTIFICATE, key: KEY };
let plain: ReturnType<typeof Bun.serve>;
let secure: ReturnType<typeof Bun.serve>;

function answer({ url, headers }: Request): Response | Promise<Response> {
  if (url.endsWith('/silent')) return new Promise(() => {});
  if (url.endsWith('/on')) return new Response(null, { status: 307, headers: { Location: '/end' } });
  return new Response(`host ${headers.get('host')}`, { headers: { 'Content-Type': 'text/html' } });
}

beforeAll(() => {
  plain = Bun.serve({ port: 0, hostname: HOST, fetch: answer });
  secure = Bun.serve({ port: 0, hostname: HOST, tls, fetch: answer });
});
afterAll(() => Promise.all([plain.stop(true), secure.stop(true)]));

function fetchFrom(address: string, options: Partial<Parameters<typeof fetchPage>[0]> = {}) {
  return fetchPage({
    registered: new URL(address),
    allowsLoopback: true,
    resolve: async () => [HOST],
    ca: CERTIFICATE,
    ...options,
  });
}

describe('the connection', () => {
  test('goes to the address that was judged, under the name of the host', async () => {
    const { html, url } = await fetchFrom(`http://shop.localhost:${plain.port}/a`);
    expect(html).toBe(`host shop.localhost:${plain.port}`);
    expect(url.href).toBe(`http://shop.localhost:${plain.port}/a`);
  });

  test('asks the resolver once a hop, so a second answer leads nowhere', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return asked > 2 ? ['10.0.0.8'] : [HOST];
    };
    await fetchFrom(`http://shop.localhost:${plain.port}/on`, { resolve });
    expect(asked).toBe(2);
  });

  test('takes the next address when the first one does not answer', async () => {
    const resolve = async () => ['::1', HOST];
    const { html } = await fetchFrom(`http://shop.localhost:${plain.port}/`, { resolve });
    expect(html).toStartWith('host');
  });

  test('checks the certificate for the name of the host', async () => {
    const { html } = await fetchFrom(`https://shop.localhost:${secure.port}/`);
    expect(html).toBe(`host shop.localhost:${secure.port}`);
    const refused = { name: 'PageFault', code: 'page-unreachable' };
    const expectation = expect.objectContaining({
      ...refused,
      message: expect.stringContaining('certificate'),
    });
    const fault = (promise: Promise<unknown>) => promise.catch((error) => error);
    expect(await fault(fetchFrom(`https://other.localhost:${secure.port}/`))).toEqual(expectation as never);
    const unknown = fetchPage({
      registered: new URL(`https://shop.localhost:${secure.port}/`),
      allowsLoopback: true,
      resolve: async () => [HOST],
    });
    expect(await fault(unknown)).toEqual(expectation as never);
  });

  test('is given up when there is no answer', async () => {
    const silent = fetchFrom(`http://shop.localhost:${plain.port}/silent`, { timeoutMs: 50 });
    expect(silent).rejects.toMatchObject({
      code: 'page-unreachable',
      message: expect.stringContaining('in time'),
    });
    const unresolved = fetchFrom('http://shop.localhost/', {
      timeoutMs: 50,
      resolve: () => new Promise(() => {}),
    });
    expect(unresolved).rejects.toMatchObject({ message: expect.stringContaining('in time') });
    await Promise.allSettled([silent, unresolved]);
  });

  test('reports when no server listens', async () => {
    const unanswered = fetchFrom('http://shop.localhost:1/', { resolve: async () => ['127.0.0.3'] });
    expect(unanswered).rejects.toMatchObject({
      message: 'http://shop.localhost:1 cannot be reached from this server.',
    });
    await Promise.allSettled([unanswered]);
  });
});
