import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { recipesFor } from '../../src/dashboard/install/recipes.ts';
import { freePort } from '../support/free-port.ts';
import { createDataDir } from '../support/process.ts';
import { describeWithProxies, type RunningProxy, startCaddy, startNginx } from '../support/proxies.ts';

setDefaultTimeout(60_000);

/** The recipes of the dashboard in front of a server that answers with what it was sent. */
describeWithProxies('a website that hands on the script and the events', () => {
  const folder = createDataDir();
  const ports = { nginx: freePort(), caddy: freePort() };
  const proxies: RunningProxy[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url, headers }) =>
      Response.json({ path: new URL(url).pathname, ...Object.fromEntries(headers) }),
  });
  const origin = `http://127.0.0.1:${server.port}`;

  beforeAll(async () => {
    const site = `server { listen ${ports.nginx};\n${recipe('nginx', origin)}\n}`;
    proxies.push(
      await startNginx(join(folder.path, 'nginx'), [ports.nginx], site),
      await startCaddy(
        join(folder.path, 'caddy'),
        [ports.caddy],
        `:${ports.caddy} {\n${recipe('caddy', origin)}\n}`,
      ),
    );
  });
  afterAll(async () => {
    for (const proxy of proxies) await proxy.stop();
    await server.stop(true);
    folder.remove();
  });

  const send = (name: 'nginx' | 'caddy', path: string) =>
    fetch(`http://127.0.0.1:${ports[name]}${path}`, {
      headers: { Cookie: 'session=secret', Authorization: 'Basic c2VjcmV0' },
    });

  const PATHS: [path: string, target: string][] = [
    ['/stats/s.js', '/m.js'],
    ['/stats/e', '/m'],
    ['/stats/e/batch', '/m/batch'],
  ];
  test.each(['nginx', 'caddy'] as const)('%s hands on no cookies and no passwords', async (name) => {
    for (const [path, target] of PATHS) {
      const answer = await send(name, path);
      expect(answer.status).toBe(200);
      const sent = (await answer.json()) as Record<string, string>;
      expect([sent.path, sent.cookie || '', sent.authorization || '']).toEqual([target, '', '']);
      expect(sent['x-forwarded-for']).toBe('127.0.0.1');
    }
  });

  test.each(['nginx', 'caddy'] as const)('%s hands on nothing but these addresses', async (name) => {
    for (const path of [
      '/stats/events',
      '/stats/e/other',
      '/stats/etrics',
      '/stats/e/..%5capi',
      '/stats/s.js/x',
    ]) {
      const answer = await send(name, path);
      expect(await answer.text()).not.toContain('"path"');
    }
  });
});

function recipe(id: string, origin: string): string {
  const recipes = recipesFor({ origin, script: '/m.js', collect: '/m', trackingCode: 'pm-…' });
  return recipes.find((one) => one.id === id)?.code ?? '';
}
