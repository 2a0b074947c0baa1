import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Elysia } from 'elysia';
import { buildBrowserFiles } from '../../src/assets/browser-files.ts';
import { staticFiles } from '../../src/assets/static-files.ts';
import { errorHandler } from '../../src/http/error-handler.ts';

const root = mkdtempSync(join(tmpdir(), 'pagemeter-assets-'));
afterAll(() => rmSync(root, { recursive: true }));

const NOT_FOUND = { error: 'NOT_FOUND', message: 'Route not found' };

describe('the folder of bundled files', () => {
  const folder = join(root, 'served');
  let app: Elysia;
  let origin: string;

  beforeAll(async () => {
    mkdirSync(join(folder, '.git'), { recursive: true });
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'secret'), 'secret');
    writeFileSync(join(root, 'outside', 'a.js'), 'secret');
    writeFileSync(join(folder, 'page-1234.js'), 'console.log("hello hello hello hello hello hello")');
    writeFileSync(join(folder, '.env'), 'secret');
    writeFileSync(join(folder, '.git', 'config'), 'secret');
    symlinkSync(join(root, 'secret'), join(folder, 'link.js'));
    symlinkSync(join(root, 'outside'), join(folder, 'linked'));
    app = new Elysia();
    app
      .use(
        errorHandler({ routes: () => app.routes, isDatabaseRefusal: () => false, onInternalError: () => {} }),
      )
      .use(await staticFiles(folder));
    app.listen({ port: 0, hostname: '127.0.0.1' });
    origin = `http://127.0.0.1:${app.server?.port}`;
  });
  afterAll(() => app.server?.stop(true));

  test('is served for ever under names that carry a hash, compressed for those who take it', async () => {
    const response = await app.handle(
      new Request(`${origin}/assets/page-1234.js`, { headers: { 'Accept-Encoding': 'gzip' } }),
    );
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript;charset=utf-8',
      'content-encoding': 'gzip',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    const text = new TextDecoder().decode(Bun.gunzipSync(await response.bytes()));
    expect(text).toBe('console.log("hello hello hello hello hello hello")');
  });

  const attacks = [
    '/assets',
    '/assets/',
    '/assets/.env',
    '/assets/%2eenv',
    '/assets/.git/config',
    '/assets/link.js',
    '/assets/linked/a.js',
    '/assets/../secret',
    '/assets/..%2fsecret',
    '/assets/..%2Fsecret',
    '/assets/%2e%2e/secret',
    '/assets/%2e%2e%2fsecret',
    '/assets/..%5csecret',
    '/assets/..%c0%afsecret',
    '/assets/..%252fsecret',
    '/assets/....//secret',
    '/assets//page-1234.js',
    '/assets%2fpage-1234.js',
    '/assets/./page-1234.js%00.css',
    '/assets/page-1234.js%00',
    '/assets/page-1234.js/../../secret',
    '/assets/C:%5csecret',
    '/assets/%2fetc%2fpasswd',
    '/assets//etc/passwd',
    '/assets/*',
  ];
  // Over a socket, as fetch would tidy up the path.
  test.each(attacks)('answers 404 to %s', async (path) => {
    expect(await rawGet(origin, path)).toEqual({ status: 404, body: NOT_FOUND });
  });
});

describe('buildBrowserFiles', () => {
  test('leaves the bundled files in the folder, and nothing else', async () => {
    const folder = join(root, 'built');
    mkdirSync(join(folder, 'left-over'), { recursive: true });
    writeFileSync(join(folder, 'welcome-0000000000000000.js'), 'old');
    const files = await buildBrowserFiles(folder);
    const names = Object.values(files).map((address) => address.replace('/assets/', ''));
    const present = readdirSync(folder);
    expect(present).toEqual(expect.arrayContaining(names));
    expect(present.filter((name) => !/^(dashboard|docs|chunk)-[0-9a-z]{8}\.(js|css)$/.test(name))).toEqual(
      [],
    );
    expect(await buildBrowserFiles(folder)).toEqual(files);
  });
});

async function rawGet(origin: string, path: string): Promise<{ status: number; body: unknown }> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) =>
        void socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
      data: (_, chunk) => {
        text += chunk.toString();
      },
      close: () => resolve(text),
    },
  });
  const answer = await promise;
  return {
    status: Number(answer.slice(9, 12)),
    body: JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)),
  };
}
