import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { eventFor } from '../support/event.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';
import { JWT_SECRET, PASSWORD } from '../support/service.ts';
import { type Sqld, startSqld } from '../support/sqld.ts';
import { isOnClickHouse } from '../support/test-events.ts';

setDefaultTimeout(300_000);

/** Two processes, one libSQL server, one ClickHouse: whatever of it is killed under load. */

const SENDERS = 8;
const EVENTS_A_KILL = 60;
const ROUNDS = 2;
/** How long a process may remember a website that another one has deleted. */
const REMEMBERED_MS_MAX = 10_000;

let clickHouse: ClickHouse | undefined;
let sqld: Sqld | undefined;
const places: { dataDir: ReturnType<typeof createDataDir>; service: ServiceProcess }[] = [];
afterAll(async () => {
  for (const { service, dataDir } of places) {
    await service.stop();
    dataDir.remove();
  }
  await sqld?.stop();
  await clickHouse?.stop();
});

async function call(url: string, method: string, path: string, body?: unknown, token?: string) {
  try {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what is read of it, the test says
    return { status: answer.status, body: (await answer.json().catch(() => undefined)) as any };
  } catch {
    return { status: 0, body: undefined }; // the process is away
  }
}

describe.if(isOnClickHouse)('two processes', () => {
  test('lose nothing and double nothing, whoever is killed, and say the same', async () => {
    clickHouse = await startClickHouse();
    sqld = await startSqld();
    if (!sqld) throw new Error('There is no libSQL server for this machine.');
    const environment = {
      DATABASE_URL: sqld.url,
      EVENTS_URL: await clickHouse.createDatabase(),
      JWT_SECRET,
      BACKUP_EVERY_HOURS: '0',
    };
    const start = (path: string) => startProcess({ ...environment, DATA_DIR: path });
    for (let place = 0; place < 2; place += 1) {
      const dataDir = createDataDir();
      places.push({ dataDir, service: await start(dataDir.path) });
    }
    const urlOf = (place: number) => places[place % places.length]?.service.url ?? '';
    async function killProcess(place: number): Promise<void> {
      const own = places[place];
      if (!own) throw new Error('There are two.');
      own.service.process.kill('SIGKILL');
      await own.service.process.exited;
      own.service = await start(own.dataDir.path);
    }

    const account = { email: 'you@example.com', password: PASSWORD };
    const { body } = await call(urlOf(0), 'POST', '/auth/register', account);
    const token: string = body.tokens.accessToken;
    const made = await call(
      urlOf(0),
      'POST',
      '/websites',
      { name: 'One', domain: 'https://example.com' },
      token,
    );
    const { id: websiteId, trackingCode } = made.body.website ?? made.body;

    const acknowledged = new Set<string>();
    const refusals = new Set<number>();
    let isOver = false;
    /** Sends each event until it is taken, to one process and then to the other, as behind a load balancer. */
    async function send(sender: number): Promise<void> {
      for (let sent = 0; !isOver; sent += 1) {
        const event = eventFor(trackingCode, { id: Bun.randomUUIDv7(), visitorId: `visitor-${sender}` });
        for (let attempt = 0; !isOver; attempt += 1) {
          const { status } = await call(urlOf(sender + sent + attempt), 'POST', '/events', event);
          if (status === 201) {
            acknowledged.add(String(event.id));
            break;
          }
          refusals.add(status);
          await Bun.sleep(20);
        }
      }
    }
    const sending = Array.from({ length: SENDERS }, (_, sender) => send(sender));
    const server = clickHouse;
    const kills = [
      () => killProcess(0),
      () => killProcess(1),
      () => server.kill().then(() => server.start()),
    ];
    for (const kill of Array.from({ length: ROUNDS }, () => kills).flat()) {
      const before = acknowledged.size;
      while (acknowledged.size < before + EVENTS_A_KILL) await Bun.sleep(10);
      await kill();
    }
    isOver = true;
    await Promise.all(sending);
    await killProcess(0); // its start takes back what a killed process has left twice

    const name = new URL(environment.EVENTS_URL).pathname.slice(1);
    const ids = (await server.command(`SELECT id FROM ${name}.events`)).trim().split('\n');
    const stored = new Set(ids);
    expect(ids.length).toBe(stored.size);
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    expect(stored.size - acknowledged.size).toBeLessThanOrEqual(SENDERS); // on their way when everybody stopped
    expect([...refusals].filter((status) => status !== 0 && status !== 503)).toEqual([]);

    for (const path of [
      `/events?trackingCode=${trackingCode}`,
      `/websites/${websiteId}/stats/dashboard?breakdowns=page,source`,
    ]) {
      const [one, other] = await Promise.all(
        [0, 1].map((place) => call(urlOf(place), 'GET', path, undefined, token)),
      );
      expect(one?.status).toBe(200);
      expect(other).toEqual(one);
    }
    const listed = await call(urlOf(1), 'GET', `/events?trackingCode=${trackingCode}`, undefined, token);
    expect(listed.body.pagination.total).toBe(stored.size);

    expect((await call(urlOf(0), 'DELETE', `/websites/${websiteId}`, undefined, token)).status).toBeLessThan(
      300,
    );
    const deletedAtMs = performance.now();
    const late = () => call(urlOf(1), 'POST', '/events', eventFor(trackingCode));
    while ((await late()).status !== 404) await Bun.sleep(100);
    expect(performance.now() - deletedAtMs).toBeLessThan(REMEMBERED_MS_MAX);
  });
});
