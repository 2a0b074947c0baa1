import { type ClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';
import { JWT_SECRET, PASSWORD } from '../support/service.ts';
import { startSqld } from '../support/sqld.ts';

/** Two processes on one libSQL server and one ClickHouse, and a website there. */
export type Pair = {
  clickHouse: ClickHouse;
  /** URL of one of the two; any whole number. */
  urlOf(place: number): string;
  killProcess(place: number): Promise<void>;
  startAgain(place: number): Promise<void>;
  token: string;
  website: { id: string; trackingCode: string };
  /** Ids of all stored events. */
  storedIds(): Promise<string[]>;
  stop(): Promise<void>;
};

export async function startPair(more: Record<string, string> = {}): Promise<Pair> {
  const clickHouse = await startClickHouse();
  const sqld = await startSqld();
  if (!sqld) throw new Error('There is no libSQL server for this machine.');
  const eventsUrl = await clickHouse.createDatabase();
  const environment = {
    DATABASE_URL: sqld.url,
    EVENTS_URL: eventsUrl,
    JWT_SECRET,
    BACKUP_EVERY_HOURS: '0',
    ...more,
  };
  const start = (path: string) => startProcess({ ...environment, DATA_DIR: path });
  const places: { dataDir: ReturnType<typeof createDataDir>; service: ServiceProcess }[] = [];
  for (let place = 0; place < 2; place += 1) {
    const dataDir = createDataDir();
    places.push({ dataDir, service: await start(dataDir.path) });
  }
  const placeOf = (place: number) => {
    const own = places[place % places.length];
    if (!own) throw new Error('There are two.');
    return own;
  };
  const urlOf = (place: number) => placeOf(place).service.url;
  const account = { email: 'you@example.com', password: PASSWORD };
  const registered = await call(urlOf(0), 'POST', '/auth/register', account);
  const token: string = registered.body.tokens.accessToken;
  const site = { name: 'One', domain: 'https://example.com' };
  const made = await call(urlOf(0), 'POST', '/websites', site, token);

  async function killProcess(place: number): Promise<void> {
    const { process } = placeOf(place).service;
    process.kill('SIGKILL');
    await process.exited;
  }

  return {
    clickHouse,
    urlOf,
    killProcess,
    async startAgain(place) {
      const own = placeOf(place);
      own.service = await start(own.dataDir.path);
    },
    token,
    website: made.body.website ?? made.body,
    async storedIds() {
      const name = new URL(eventsUrl).pathname.slice(1);
      return (await clickHouse.command(`SELECT id FROM ${name}.events`)).trim().split('\n');
    },
    async stop() {
      for (const { service, dataDir } of places) {
        await service.stop();
        dataDir.remove();
      }
      await sqld.stop();
      await clickHouse.stop();
    },
  };
}

/** Status 0: no answer. */
export async function call(url: string, method: string, path: string, body?: unknown, token?: string) {
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
    return { status: 0, body: undefined };
  }
}
