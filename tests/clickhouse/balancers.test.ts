import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../faults/stage/until.ts';
import { eventFor } from '../support/event.ts';
import { freePort } from '../support/free-port.ts';
import { createDataDir } from '../support/process.ts';
import { describeWithProxies, startCaddy, startNginx } from '../support/proxies.ts';
import { isOnClickHouse } from '../support/test-events.ts';
import { call, startPair } from './pair.ts';

setDefaultTimeout(300_000);

/** The two recipes of docs/scale.md, as they stand there but for addresses, while one of the two processes is killed. */

const DOCS = readFileSync(join(import.meta.dir, '../../docs/scale.md'), 'utf8');
const EVENTS_A_STAGE = 40;
const SENDERS = 4;
const METRICS_TOKEN = 'a token for Prometheus';

/** The indented lines from one that begins so. */
function recipe(begin: string): string {
  const lines = DOCS.split('\n');
  const first = lines.indexOf(`    ${begin}`);
  const count = lines.slice(first).findIndex((line) => line !== '' && !line.startsWith('    '));
  return lines.slice(first, first + count).join('\n');
}

/** First message of an open stream. */
async function firstOfStream(url: string, token: string): Promise<string> {
  const stop = new AbortController();
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` }, signal: stop.signal });
  const reader = answer.body?.getReader();
  let text = '';
  while (!text.includes('\n\n')) text += new TextDecoder().decode((await reader?.read())?.value);
  stop.abort();
  return text;
}

async function seeNoStream(url: string): Promise<true | undefined> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return text.includes('\npagemeter_open_streams 0\n') || undefined;
}

const BALANCERS = {
  nginx: (folder: string, port: number, names: (text: string) => string) =>
    startNginx(
      folder,
      [port],
      names(recipe('upstream pagemeter {')).replace(
        'server_name meter.example.com;',
        `listen 127.0.0.1:${port};`,
      ),
    ),
  Caddy: (folder: string, port: number, names: (text: string) => string) =>
    startCaddy(
      folder,
      [port],
      names(recipe('meter.example.com {')).replace('meter.example.com', `http://127.0.0.1:${port}`),
    ),
};

describeWithProxies('a load balancer', () => {
  test.if(isOnClickHouse).each(Object.keys(BALANCERS) as (keyof typeof BALANCERS)[])(
    '%s sends to the process that is left, and nothing is lost or doubled',
    async (name) => {
      const pair = await startPair({ TRUST_PROXY: 'loopback', METRICS_TOKEN });
      const { path: folder, remove } = createDataDir();
      const port = freePort();
      const [one = '', other = ''] = [0, 1].map((place) => new URL(pair.urlOf(place)).host);
      const names = (text: string) => text.replace('127.0.0.1:3001', one).replace('127.0.0.1:3002', other);
      const balancer = await BALANCERS[name](join(folder, name), port, names);
      const url = `http://127.0.0.1:${port}`;
      const { trackingCode, id: websiteId } = pair.website;

      const acknowledged = new Set<string>();
      let isOver = false;
      async function send(): Promise<void> {
        while (!isOver) {
          const event = eventFor(trackingCode, { id: Bun.randomUUIDv7() });
          while (!isOver && (await call(url, 'POST', '/events', event)).status !== 201) await Bun.sleep(20);
          if (!isOver) acknowledged.add(String(event.id));
        }
      }
      const more = async () => {
        const before = acknowledged.size;
        while (acknowledged.size < before + EVENTS_A_STAGE) await Bun.sleep(10);
      };
      const sending = Array.from({ length: SENDERS }, send);
      await more();
      await pair.killProcess(0);
      await more();
      const shown = await call(url, 'GET', `/websites/${websiteId}/stats/dashboard`, undefined, pair.token);
      expect(shown.status).toBe(200);
      expect(
        await firstOfStream(`${url}/api/v1/websites/${websiteId}/stats/realtime/stream`, pair.token),
      ).toContain('data: {');
      // One that does not say that its client is gone keeps the stream for three quarters of a minute.
      expect(await until(() => seeNoStream(pair.urlOf(1)))).toBe(true);
      isOver = true;
      await Promise.all(sending);

      const ids = await pair.storedIds();
      expect(new Set(ids).size).toBe(ids.length);
      expect([...acknowledged].filter((id) => !ids.includes(id))).toEqual([]);
      await balancer.stop();
      remove();
      await pair.stop();
    },
  );
});
