import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { PAGES } from '../../src/dashboard/pages.ts';
import { DAY_MS } from '../../src/vocabulary/durations.ts';
import { createTestService } from '../support/service.ts';

const service = await createTestService();
afterAll(() => service.close());
await service.app.modules;

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Bytes of what a browser loads for a page, brotli, the page itself and what its script imports included. */
const BYTES_MAX = { '/': 60_000, '/docs': 42_000, '/docs/definitions': 14_000 }; // that of the API grows with each operation

describe.each(['/', '/docs', '/docs/definitions'] as const)('GET %s', (path) => {
  test('is a page that takes nothing from elsewhere and runs nothing inline', async () => {
    const { status, headers, body } = await service.send('GET', path);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CSP,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    });
    const html = String(body);
    expect(html).not.toMatch(/ style=| on\w+=|<style|javascript:/);
    const loaded = loadedBy(html);
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.filter((address) => !address.startsWith('/'))).toEqual([]);
  });

  test('stays within its budget of bytes', async () => {
    const page = await service.send('GET', path);
    const named = loadedBy(String(page.body));
    const imported = (await Promise.all(named.filter((name) => name.endsWith('.js')).map(importedBy))).flat();
    const addresses = [path, ...new Set([...named, ...imported])];
    const sizes = await Promise.all(addresses.map(sizeOf));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(BYTES_MAX[path]);
  });

  test('is asked for again without being sent again', async () => {
    const { headers } = await service.send('GET', path);
    const again = await service.send('GET', path, {
      headers: { 'If-None-Match': headers.get('etag') ?? '' },
    });
    expect({ status: again.status, body: again.body }).toEqual({ status: 304, body: '' });
  });
});

test.each(PAGES.map(({ path }) => path.replace(/:\w+/g, 'one')))('GET %s is the dashboard', async (path) => {
  const { status, body } = await service.send('GET', path);
  expect({ status, body }).toEqual({ status: 200, body: (await service.send('GET', '/')).body });
});

test.each([
  ['/nowhere', 'text/html,*/*;q=0.8', 404, true],
  ['/nowhere/at/all', 'text/html', 404, true],
  ['/nowhere', 'application/json', 404, false],
  ['/nowhere', '*/*', 404, false],
  ['/api/v1/nowhere', 'text/html', 404, false],
])('GET %s for %s is %d, as a page: %p', async (path, accept, status, isPage) => {
  const answer = await service.send('GET', path, { headers: { Accept: accept } });
  expect(answer.status).toBe(status);
  const page = (await service.send('GET', '/')).body;
  expect(answer.body).toEqual(isPage ? page : { error: 'NOT_FOUND', message: 'Route not found' });
});

test('a POST to an unknown address is not answered with a page', async () => {
  const answer = await service.send('POST', '/nowhere', { headers: { Accept: 'text/html' } });
  expect([answer.status, answer.body.error]).toEqual([404, 'NOT_FOUND']);
});

test('GET /docs describes each operation of the document', async () => {
  const { body: html } = await service.send('GET', '/docs');
  const { body: document } = await service.send('GET', '/openapi.json');
  const names = [...JSON.stringify(document).matchAll(/"operationId":"(\w+)"/g)].map(
    ([, name]) => name ?? '',
  );
  expect(names.filter((name) => !String(html).includes(`id="${name}"`))).toEqual([]);
});

test('GET /docs says that open routes need no credentials', async () => {
  const html = String((await service.send('GET', '/docs')).body);
  const ping = html.slice(html.indexOf('id="ping"'), html.indexOf('id="getHealth"'));
  expect(ping).toContain('Needs no credentials.');
});

test('GET /docs/definitions has every chapter of docs/definitions.md', async () => {
  const { body } = await service.send('GET', '/docs/definitions');
  const markdown = await Bun.file(join(import.meta.dir, '../../docs/definitions.md')).text();
  const chapters = [...markdown.matchAll(/^## (.+)$/gm)].map(([, chapter]) => chapter);
  const headings = [...String(body).matchAll(/<h2 id="[^"]+">(.+?)<\/h2>/g)].map(([, heading]) => heading);
  expect(headings).toEqual(chapters);
  expect(chapters.length).toBeGreaterThan(10);
});

describe('the documentation', () => {
  const names = [...new Bun.Glob('**/*.md').scanSync(join(import.meta.dir, '../../docs'))].map((path) =>
    path.replace(/(^|\/)README\.md$/, '').replace(/\.md$/, ''),
  );

  test.each(names.map((name) => `/docs/${name || 'guide'}`))('GET %s answers a page', async (path) => {
    const { status, body } = await service.send('GET', path);
    expect(status).toBe(200);
    expect(String(body)).toMatch(/<h1[^>]*>.+<\/h1>/);
  });

  test('links between its pages lead to pages and headings that exist', async () => {
    const pages = new Map<string, string>();
    for (const name of names) {
      const path = `/docs/${name || 'guide'}`;
      pages.set(path, String((await service.send('GET', path)).body));
    }
    const broken: string[] = [];
    for (const [path, html] of pages)
      for (const [, page = '', heading] of html.matchAll(/href="(\/docs\/[\w/-]+)(?:#([^"]*))?"/g)) {
        const target = pages.get(page);
        if (!target || (heading && !target.includes(`id="${heading}"`)))
          broken.push(`${path}: ${page}#${heading}`);
      }
    expect(broken).toEqual([]);
  });

  test.each(['/docs/nowhere', '/docs/commands/nowhere', '/docs/constructor', '/docs/..%2fREADME'])(
    'GET %s answers 404',
    async (path) => {
      expect((await service.send('GET', path)).status).toBe(404);
    },
  );
});

test('GET /robots.txt asks crawlers to stay away', async () => {
  const { status, body } = await service.send('GET', '/robots.txt');
  expect({ status, body }).toEqual({ status: 200, body: 'User-agent: *\nDisallow: /\n' });
});

test.each(['/favicon.svg', '/favicon.ico'])('GET %s is a picture', async (path) => {
  const { status, headers } = await service.send('GET', path);
  expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'image/svg+xml' });
});

function loadedBy(html: string): string[] {
  const inHead = html.slice(0, html.indexOf('</head>'));
  return [...inHead.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address ?? '');
}

/** Static imports of a script, and theirs in turn. */
async function importedBy(address: string): Promise<string[]> {
  const { body } = await service.send('GET', address);
  const imports = new Bun.Transpiler({ loader: 'js' }).scanImports(String(body));
  const direct = imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => new URL(path, `http://localhost${address}`).pathname);
  return [...direct, ...(await Promise.all(direct.map(importedBy))).flat()];
}

async function sizeOf(address: string): Promise<number> {
  const response = await service.app.handle(
    new Request(`http://localhost${address}`, { headers: { 'Accept-Encoding': 'br' } }),
  );
  expect(response.status).toBe(200);
  return (await response.bytes()).length;
}

test('the service does without its pages when they cannot be written', async () => {
  const crippled = await createTestService({ dataDir: import.meta.path }); // a file, so no folder can be in it
  expect((await crippled.send('GET', '/')).body).toEqual({
    error: 'INTERNAL_ERROR',
    message: 'The pages could not be built; the log of the server says why',
  });
  expect((await crippled.send('GET', '/tracker.js')).status).toBe(200);
  expect((await crippled.send('GET', '/openapi.json')).status).toBe(200);
  expect(String(crippled.errors[0])).toContain('ENOTDIR');
  await crippled.close();
});

test('GET /.well-known/change-password leads to the page that changes it', async () => {
  const { status, headers } = await service.send('GET', '/.well-known/change-password');
  expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/account' });
});

describe('GET /.well-known/security.txt', () => {
  test('answers 404 without SECURITY_CONTACT', async () => {
    expect((await service.send('GET', '/.well-known/security.txt')).status).toBe(404);
  });

  test('names SECURITY_CONTACT, and expires within the year', async () => {
    const contacted = await createTestService({ securityContact: 'mailto:security@example.com' });
    const { status, headers, body } = await contacted.send('GET', '/.well-known/security.txt');
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
    });
    const expires = String(body).match(/^Expires: (\S+Z)$/m)?.[1] ?? '';
    expect(Date.parse(expires) - contacted.clock.now()).toBeWithin(30 * DAY_MS, 366 * DAY_MS);
    expect(String(body).split('\n')[0]).toBe('Contact: mailto:security@example.com');
    await contacted.close();
  });
});
