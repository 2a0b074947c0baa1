import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { unpackUrl } from '../../../src/db/packed-address.ts';
import { createRandom, type Random } from '../../../src/demo/random.ts';
import { createDataDir, startProcess } from '../../support/process.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { createDisk, type Survival } from '../stage/disk.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { prepareJournal } from '../stage/write-journal.ts';

const FILES = ['pagemeter.db', 'pagemeter.db-wal'];
const DAY_MS = 86_400_000;
/** Events of each page: half of them are derived and on the disk before the first erasure, half are fresh; of two days. */
const EVENTS = 80;
const PURGE_MS_MAX = 20_000;
const PASSWORD = 'Correct-horse-9';

/** How many events each page of a website has. A website that is deleted is not there. */
type Pages = Record<string, number>;
type Websites = Record<string, Pages>;

const FIRST = 'https://example.com';
const SECOND = 'https://second.example';
const PAGES = {
  [FIRST]: ['/kept', '/of-the-visitor', '/of-the-filter'],
  [SECOND]: ['/of-the-website'],
};

type Ids = { first: string; second: string };
type Erasure = {
  what: string;
  method: 'DELETE' | 'POST';
  path: (ids: Ids) => string;
  body?: object;
  /** Events left afterwards; the erasures follow on one another. */
  left: Websites;
};

const ERASURES: readonly Erasure[] = [
  {
    what: 'a visitor',
    method: 'DELETE',
    path: ({ first }) => `/websites/${first}/visitors/erased`,
    left: { [FIRST]: { '/kept': EVENTS, '/of-the-filter': EVENTS }, [SECOND]: { '/of-the-website': EVENTS } },
  },
  {
    what: 'what a filter selects',
    method: 'POST',
    path: ({ first }) => `/websites/${first}/erasures`,
    body: { period: 'all', filters: [['is', 'page', ['/of-the-filter']]], events: EVENTS },
    left: { [FIRST]: { '/kept': EVENTS }, [SECOND]: { '/of-the-website': EVENTS } },
  },
  {
    what: 'a website',
    method: 'DELETE',
    path: ({ second }) => `/websites/${second}`,
    left: { [FIRST]: { '/kept': EVENTS } },
  },
  {
    what: 'an account',
    method: 'DELETE',
    path: () => '/auth/me',
    body: { password: PASSWORD },
    left: {},
  },
];

/**
 * Something is erased, the power is cut as soon as that is answered, and the service starts on what the disk has: what
 * was erased is in neither its log nor its figures, and all the rest is.
 */
export async function tryErasures({ isLong, seed }: BarOptions): Promise<BarResult> {
  const faults: string[] = [];
  const random = createRandom(seed);
  const survivals: Survival[] = ['nothing', ...Array<Survival>(isLong ? 19 : 1).fill('anything')];
  for (const durability of ['full', 'normal'])
    faults.push(...(await tryWith(durability, { survivals, random, isLong })));
  const cuts = survivals.length * ERASURES.length;
  return {
    figure: `a visitor, what a filter selects, a website, an account: ${cuts} power cuts with each durability directly after the answer, ${faults.length} faults`,
    faults,
  };
}

type Cuts = { survivals: readonly Survival[]; random: Random; isLong: boolean };

async function tryWith(durability: string, { survivals, random, isLong }: Cuts): Promise<string[]> {
  const faults: string[] = [];
  const dataDir = createDataDir();
  const journal = prepareJournal(dataDir.path);
  // The same on every disk, so that a login outlives the power cut.
  const settings = { DURABILITY: durability, JWT_SECRET: crypto.randomUUID() };
  const stage = await openStage({
    dataDir: dataDir.path,
    environment: { ...journal.environment, ...settings },
  });
  const disk = createDisk();
  let performed = 0;
  /** Everything that was done to the files up to now. */
  function keepUp(): void {
    const deeds = journal.read();
    for (const deed of deeds.slice(performed)) if (FILES.includes(deed.file)) disk.perform(deed);
    performed = deeds.length;
  }

  const second = await stage.addWebsite(SECOND);
  const ids = { first: stage.website.id, second: second.id };
  await send(stage, second.trackingCode);
  await stage.call('GET', `/websites/${ids.first}/stats`, stage);
  await stage.service().stop(); // one half is derived and on the disk, the other one is not
  await stage.start();
  await send(stage, second.trackingCode);
  keepUp();
  const before = readLog(disk.cutPower('nothing', random));
  for (const page of ['/of-the-visitor', '/of-the-filter'])
    if (!before[FIRST]?.[page]) faults.push(`${page} was never on the disk, so that it could not come back`);
  if (!before[SECOND]) faults.push('the second website was never on the disk');

  for (const { what, method, path, body, left } of ERASURES) {
    const { status } = await stage.call(method, path(ids), { token: stage.token, body });
    keepUp();
    if (status !== 200) faults.push(`${durability}, ${what}: answered ${status}`);
    for (const survival of survivals) {
      const files = disk.cutPower(survival, random);
      const where = `${durability}, ${what}, ${survival} survives`;
      const stored = readLog(files);
      if (!Bun.deepEquals(stored, left)) faults.push(`${where}: the log has ${JSON.stringify(stored)}`);
      if (!isLong && (survival === 'anything' || durability === 'full')) continue; // a start takes its time
      const found = await tryService(files, left, ids, { token: stage.token, settings });
      faults.push(...found.map((fault) => `${where}: ${fault}`));
    }
  }
  await stage.kill();
  journal.remove();
  dataDir.remove();
  return faults;
}

async function send(stage: Stage, secondCode: string): Promise<void> {
  const events = ([FIRST, SECOND] as const).flatMap((domain) =>
    PAGES[domain].flatMap((page) =>
      Array.from({ length: EVENTS / 2 }, (_, index) => ({
        trackingCode: domain === FIRST ? stage.website.trackingCode : secondCode,
        eventType: 'pageview',
        url: domain + page,
        visitorId: page === '/of-the-visitor' ? 'erased' : `visitor-${index % 5}`,
        sessionId: `session-${index % 5}`,
        timestamp: Date.now() - (index % 2) * 2 * DAY_MS,
      })),
    ),
  );
  const { status } = await stage.call('POST', '/events/batch', { body: { events } });
  if (status !== 201) throw new Error(`The events were answered ${status}.`);
}

type Access = { token: string; settings: Record<string, string> };

/** Starts the service on what a disk has left, and says what it answers and keeps that it should not. */
async function tryService(
  files: ReadonlyMap<string, Uint8Array>,
  left: Websites,
  ids: Ids,
  { token, settings }: Access,
): Promise<string[]> {
  const faults: string[] = [];
  const directory = writeDisk(files);
  const service = await startProcess({ ...settings, DATA_DIR: directory.path });
  const get = (path: string) =>
    fetch(`${service.url}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
  for (const [domain, id] of [
    [FIRST, ids.first],
    [SECOND, ids.second],
  ] as const) {
    const answer = await get(`/websites/${id}/pages?period=all&traffic=all`);
    const expected = left[domain];
    if (!expected) {
      if (answer.ok) faults.push(`${domain} is there again`);
      continue;
    }
    // The contract's answer, whose form other tests check.
    const { pages = [] } = (await answer.json()) as { pages?: { page: string; pageviews: number }[] };
    const derived = Object.fromEntries(pages.map(({ page, pageviews }) => [page, pageviews]));
    if (!Bun.deepEquals(derived, expected))
      faults.push(`${domain} is said to have ${JSON.stringify(derived)}`);
  }
  faults.push(...(await waitForPurge(directory.path, left)));
  service.process.kill('SIGKILL');
  await service.process.exited;
  directory.remove();
  return faults;
}

/** The events of a deleted website go in the background. */
async function waitForPurge(directory: string, left: Websites): Promise<string[]> {
  const expected = Object.values(left).flatMap((pages) => Object.values(pages));
  const sum = expected.reduce((total, count) => total + count, 0);
  const deadlineMs = performance.now() + PURGE_MS_MAX;
  for (;;) {
    const rows = ask(join(directory, 'pagemeter.db'), 'SELECT count(*) AS count FROM events');
    if (rows[0]?.count === sum) return [];
    if (performance.now() > deadlineMs) return [`${rows[0]?.count} events are stored, ${sum} should be`];
    await Bun.sleep(20);
  }
}

function writeDisk(files: ReadonlyMap<string, Uint8Array>) {
  const directory = createDataDir();
  for (const [name, bytes] of files) writeFileSync(join(directory.path, name), bytes, { mode: 0o600 });
  return directory;
}

/** The events of websites that are not deleted, as they are found without the service. */
function readLog(files: ReadonlyMap<string, Uint8Array>): Websites {
  const directory = writeDisk(files);
  const rows = ask(
    join(directory.path, 'pagemeter.db'),
    `SELECT domain, url, count(*) AS count FROM events JOIN websites ON websites.key = website_key
     WHERE deleted_at_ms IS NULL AND user_id IS NOT NULL GROUP BY domain, url`,
  );
  directory.remove();
  const websites: Websites = {};
  for (const { domain, url, count } of rows) {
    websites[domain] ??= {};
    websites[domain][new URL(unpackUrl(url)).pathname] = count;
  }
  return websites;
}

function ask(path: string, sql: string): { domain: string; url: string; count: number }[] {
  const database = new Database(path);
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    return database.prepare(sql).all() as ReturnType<typeof ask>; // the columns of the queries
  } finally {
    database.close();
    Bun.gc(true); // libSQL closes the file only when its statements are collected
  }
}
