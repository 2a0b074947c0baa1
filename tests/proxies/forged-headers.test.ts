import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { recipesFor } from '../../src/dashboard/install/recipes.ts';
import { CERTIFICATE, KEY } from '../checks/certificate.ts';
import { eventFor } from '../support/event.ts';
import { freePort } from '../support/free-port.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';
import { describeWithProxies, type RunningProxy, startCaddy, startNginx } from '../support/proxies.ts';

/** The files of docs/proxies.md and the recipes of the dashboard, in the real servers. */

setDefaultTimeout(60_000);

const DOCS = readFileSync(join(import.meta.dir, '../../docs/proxies.md'), 'utf8');
/** A visitor's, who is not a proxy; the proxies' own is 127.0.0.1. */
const VISITOR = '127.0.0.50';
const PROXY = '127.0.0.1';
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const PUBLIC = ['8.8.8.8', '194.25.0.60', '133.11.0.1', '2001:4860:4860::8888', '131.111.8.42'];
const NAMES = ['X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP', 'X-Client-IP', 'Fly-Client-IP'];

/** Headers that a client may forge to appear as another. */
function forgery(index: number): Record<string, string> {
  const address = PUBLIC[index % PUBLIC.length] ?? '';
  const name = NAMES[Math.floor(index / PUBLIC.length) % NAMES.length] ?? '';
  const lists = [
    address,
    `${address}, ${PROXY}`,
    `${PROXY}, ${address}`,
    `${`${address}, `.repeat(50)}${PROXY}`,
  ];
  return {
    'X-Forwarded-For': lists[index % lists.length] ?? '',
    Forwarded: `for="${address}"`,
    [name]: address,
  };
}

describeWithProxies('behind nginx and Caddy as the documents have them', () => {
  const dataDir = createDataDir();
  const ports = {
    nginx: freePort(),
    caddy: freePort(),
    nginxTls: freePort(),
    nginxSite: freePort(),
    caddySite: freePort(),
    nginxAdding: freePort(),
    caddyTrusting: freePort(),
  };
  const proxies: RunningProxy[] = [];
  let service: ServiceProcess;
  let owner: Record<string, string>;
  let trackingCode = '';

  beforeAll(async () => {
    service = await startProcess({
      DATA_DIR: dataDir.path,
      TRUST_PROXY: PROXY,
      CLIENT_IP_HEADER: 'CF-Connecting-IP',
    });
    const own = `127.0.0.1:${new URL(service.url).port}`;
    const front = blockAfter('nginx:', 'server {')
      .replace('server_name meter.example.com', 'server_name localhost')
      .replace('127.0.0.1:3000', own);
    const plain = (port: number) => front.replace('listen 443 ssl', `listen ${port}`);
    const adding = plain(ports.nginxAdding).replace('$remote_addr', '$proxy_add_x_forwarded_for');
    for (const [name, text] of Object.entries({ certificate: CERTIFICATE, key: KEY }))
      writeFileSync(join(dataDir.path, name), text);
    const keys = `ssl_certificate ${dataDir.path}/certificate; ssl_certificate_key ${dataDir.path}/key;`;
    const tls = front
      .replace('$remote_addr', '$proxy_add_x_forwarded_for')
      .replace('listen 443 ssl;', `listen ${ports.nginxTls} ssl; ${keys}`);
    // Who does not name the host is refused, as by many servers of several hosts.
    const nameless = `server { listen ${ports.nginxTls} ssl default_server; ssl_reject_handshake on; }`;
    const site = `server { listen ${ports.nginxSite};\n${ownDomain('nginx', `https://localhost:${ports.nginxTls}`)}\n}`;
    proxies.push(
      await startNginx(
        join(dataDir.path, 'nginx'),
        [ports.nginx, ports.nginxAdding, ports.nginxTls, ports.nginxSite],
        [plain(ports.nginx), adding, nameless, tls, site].join('\n'),
      ),
    );
    const caddy = blockAfter('Caddy', 'meter.example.com {').replace('127.0.0.1:3000', own);
    const trusting = caddy.replace(
      `reverse_proxy ${own}`,
      `reverse_proxy ${own} {\n ${/`(trusted_proxies [^`]+)`/.exec(DOCS)?.[1]?.replace('203.0.113.7', PROXY)}\n}`,
    );
    proxies.push(
      await startCaddy(
        join(dataDir.path, 'caddy'),
        [ports.caddy, ports.caddyTrusting, ports.caddySite],
        [
          caddy.replace('meter.example.com', `:${ports.caddy}`),
          trusting.replace('meter.example.com', `:${ports.caddyTrusting}`),
          `:${ports.caddySite} {\n${ownDomain('caddy', `http://localhost:${ports.caddyTrusting}`)}\n}`,
        ].join('\n'),
      ),
    );
    const account = { email: 'you@example.com', password: 'Correct-horse-9' };
    const { tokens } = await post('/api/v1/auth/register', account);
    owner = { Authorization: `Bearer ${tokens.accessToken}` };
    const website = await post('/api/v1/websites', { name: 'Mine', domain: 'https://example.com' }, owner);
    trackingCode = website.trackingCode;
  });
  afterAll(async () => {
    for (const proxy of proxies) await proxy.stop();
    await service?.stop();
    dataDir.remove();
  });

  function blockAfter(mark: string, start: string): string {
    const text = DOCS.slice(DOCS.indexOf(`\n${mark}`));
    const from = text.indexOf(`    ${start}`);
    return text.slice(from, text.indexOf('\n    }\n', from) + 6);
  }

  function ownDomain(id: 'nginx' | 'caddy', origin: string): string {
    const recipes = recipesFor({ origin, script: '/m.js', collect: '/m', trackingCode: 'pm-…' });
    return recipes.find((recipe) => recipe.id === id)?.code ?? '';
  }

  async function post(path: string, body: object, headers: Record<string, string> = {}) {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the tests of each route look at its answer
    return (await answer.json()) as any;
  }

  type Sent = { port: number; path: string; from?: string; headers?: Record<string, string>; body: object };

  /** From an address of this machine; resolves with the status. */
  function send({ port, path, from = VISITOR, headers = {}, body }: Sent) {
    return new Promise<number | undefined>((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        localAddress: from,
        headers: { 'Content-Type': 'application/json', 'User-Agent': CHROME, Host: 'localhost', ...headers },
      });
      sent.on('response', (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode));
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(body));
    });
  }

  const collect = (port: number, path: string, from: string, headers: Record<string, string>) =>
    send({ port, path, from, headers, body: eventFor(trackingCode) });

  async function countries(): Promise<(string | undefined)[]> {
    const answer = await fetch(`${service.url}/api/v1/events?trackingCode=${trackingCode}&limit=1000`, {
      headers: owner,
    });
    const { events } = (await answer.json()) as { events: { location?: string }[] };
    return events.map(({ location }) => location);
  }

  test('200 forged headers are all ignored', async () => {
    const routes: [number, string][] = [
      [ports.nginx, '/m'],
      [ports.caddy, '/m'],
      [ports.nginxSite, '/stats/e'],
      [ports.caddySite, '/stats/e'],
    ];
    for (let index = 0; index < 200; index += 1) {
      const [port, path] = routes[index % routes.length] ?? routes[0] ?? [0, ''];
      expect(await collect(port, path, VISITOR, forgery(Math.floor(index / 4)))).toBe(201);
    }
    const found = await countries();
    expect(found).toHaveLength(200);
    expect(found.filter((country) => country)).toEqual([]);
  });

  test('an excluded visitor stays so, whatever their headers say', async () => {
    const mine = { name: 'Excluding', domain: 'https://excluding.example' };
    const { id, trackingCode: code } = await post('/api/v1/websites', mine, owner);
    await fetch(`${service.url}/api/v1/websites/${id}/settings`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', ...owner },
      body: JSON.stringify({ excludedIps: [VISITOR] }),
    });
    const body = eventFor(code);
    for (let index = 0; index < 100; index += 1) {
      const port = index % 2 ? ports.nginx : ports.caddy;
      expect(await send({ port, path: '/m', headers: forgery(index), body })).toBe(201);
    }
    expect(await send({ port: ports.nginx, path: '/m', from: '127.0.0.51', body })).toBe(201);
    const stats = await fetch(`${service.url}/api/v1/websites/${id}/stats?period=all`, { headers: owner });
    expect(await stats.json()).toMatchObject({ pageviews: 1 });
  });

  test('wrong passwords are counted for the visitor, whatever their headers say', async () => {
    const body = { email: 'you@example.com', password: 'Wrong-horse-9' };
    const statuses: unknown[] = [];
    for (let index = 0; index < 100; index += 1) {
      const port = index % 2 ? ports.nginx : ports.caddy;
      statuses.push(await send({ port, path: '/api/v1/auth/login', headers: forgery(index), body }));
    }
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(90).fill(429)]);
  });

  test.each(['nginxAdding', 'caddyTrusting'] as const)(
    '%s hands on what another proxy says',
    async (name) => {
      await collect(ports[name], '/m', PROXY, { 'X-Forwarded-For': '8.8.8.8' });
      expect((await countries())[0]).toBe('US');
    },
  );

  test.each(['nginxSite', 'caddySite'] as const)('%s serves the script and takes batches', async (name) => {
    const script = await fetch(`http://localhost:${ports[name]}/stats/s.js`);
    expect(await script.text()).toContain('AnalyticsTracker');
    const batch = await fetch(`http://localhost:${ports[name]}/stats/e/batch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ events: [eventFor(trackingCode), eventFor(trackingCode)] }),
    });
    expect(batch.status).toBe(201);
  });

  test('nginx keeps /metrics to itself', async () => {
    expect((await fetch(`http://localhost:${ports.nginx}/metrics`)).status).toBe(403);
  });
});
