import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { unpackUrl } from '../../../src/db/packed-address.ts';
import { createRandom } from '../../../src/demo/random.ts';
import { createDataDir, startProcess } from '../../support/process.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { createDisk } from '../stage/disk.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { type Deed, prepareJournal } from '../stage/write-journal.ts';

const FILES = ['pagemeter.db', 'pagemeter.db-wal'];
const DAY_MS = 86_400_000;
const DAYS = 3;
/** So many that an erasure takes three steps. */
const EVENTS_A_DAY = 200;
const ALL = DAYS * EVENTS_A_DAY;
const SETTLED_MS_MAX = 20_000;
const KEPT = '/kept';

type Erasure = { page: string; method: 'DELETE' | 'POST'; path: string; body?: object };
const ERASURES: readonly Erasure[] = [
  { page: '/of-the-visitor', method: 'DELETE', path: '/visitors/erased' },
  {
    page: '/of-the-filter',
    method: 'POST',
    path: '/erasures',
    body: { period: 'all', filters: [['is', 'page', ['/of-the-filter']]], events: ALL },
  },
];

/** How many events each page has. */
type Pages = Record<string, number>;

/**
 * The service is killed after every commit of an erasure (in the short version after those which take a part of the
 * events) and starts on what is left: the rest goes without anybody asking, or nothing was begun. Figures and log agree.
 */
export async function tryCutErasures({ isLong }: BarOptions): Promise<BarResult> {
  const faults: string[] = [];
  const dataDir = createDataDir();
  const journal = prepareJournal(dataDir.path);
  const settings = { JWT_SECRET: crypto.randomUUID() };
  const stage = await openStage({
    dataDir: dataDir.path,
    environment: { ...journal.environment, ...settings },
  });
  const { token, website } = stage;
  const read = () => journal.read().filter(({ file }) => FILES.includes(file));
  await send(stage);
  await stage.call('GET', `/websites/${website.id}/stats`, { token });
  await stage.service().stop(); // the figures are on the disk
  await stage.start();

  let [cuts, inTheMiddle] = [0, 0];
  for (const { page, method, path, body } of ERASURES) {
    const before = read();
    const { status } = await stage.call(method, `/websites/${website.id}${path}`, { token, body });
    if (status !== 200) faults.push(`${page}: answered ${status}`);
    const moments = momentsOf(before, read().slice(before.length), page);
    for (const { files, left, isNew } of moments) {
      const isPart = left > 0 && left < ALL;
      if (!isLong && !(isNew && isPart)) continue;
      cuts += 1;
      if (isPart) inTheMiddle += 1;
      const found = await startOn(files, page, { token, websiteId: website.id, settings });
      faults.push(...found.map((fault) => `${page}, ${left} left: ${fault}`));
    }
  }
  if (inTheMiddle === 0) faults.push('no moment had a part of the events');
  await stage.kill();
  journal.remove();
  dataDir.remove();
  const figure = `a visitor, what a filter selects: ${cuts} kills, ${inTheMiddle} with a part of the events gone, ${faults.length} faults`;
  return { figure, faults };
}

type Files = ReadonlyMap<string, Uint8Array>;

/**
 * After each commit, which is all that a kill leaves: `left` are the events that are to be erased and still there,
 * `isNew` says that this has changed.
 */
function momentsOf(before: readonly Deed[], during: readonly Deed[], page: string) {
  const disk = createDisk();
  const random = createRandom(0); // of everything nothing is chosen
  for (const deed of before) disk.perform(deed);
  let last: number | undefined;
  return during.flatMap((deed, index) => {
    disk.perform(deed);
    if (!isCommit(during[index - 1])) return [];
    const files = disk.cutPower('everything', random);
    const left = leftIn(files, page);
    const isNew = left !== last;
    last = left;
    return [{ files, left, isNew }];
  });
}

const FRAME_HEAD_BYTES = 24;

/**
 * The head of a frame of the log that ends a transaction, before its page
 * (https://sqlite.org/fileformat.html#walformat).
 */
function isCommit(deed: Deed | undefined): boolean {
  if (deed?.what !== 'write' || !deed.file.endsWith('-wal') || deed.bytes.length !== FRAME_HEAD_BYTES)
    return false;
  return Buffer.from(deed.bytes).readUInt32BE(4) !== 0;
}

function leftIn(files: Files, page: string): number {
  const directory = writeFiles(files);
  const left = readPages(join(directory.path, 'pagemeter.db'))[page] ?? 0;
  directory.remove();
  return left;
}

async function send({ call, website }: Stage): Promise<void> {
  const nowMs = Date.now();
  for (const page of [KEPT, ...ERASURES.map(({ page }) => page)]) {
    const events = Array.from({ length: ALL }, (_, index) => ({
      trackingCode: website.trackingCode,
      eventType: 'pageview',
      url: `https://example.com${page}`,
      visitorId: page === '/of-the-visitor' ? 'erased' : `visitor-${index % 5}`,
      sessionId: `session-${index % 5}`,
      timestamp: nowMs - (index % DAYS) * DAY_MS,
    }));
    const { status } = await call('POST', '/events/batch', { body: { events } });
    if (status !== 201) throw new Error(`The events were answered ${status}.`);
  }
}

type Access = { token: string; websiteId: string; settings: Record<string, string> };

/** Starts the service on what a kill has left, and says what is not as it should be. */
async function startOn(
  files: Files,
  page: string,
  { token, websiteId, settings }: Access,
): Promise<string[]> {
  const directory = writeFiles(files);
  const path = join(directory.path, 'pagemeter.db');
  const service = await startProcess({ ...settings, DATA_DIR: directory.path });
  try {
    const isWhole = (count: number) => count === 0 || count === ALL;
    const deadlineMs = performance.now() + SETTLED_MS_MAX;
    while (!isWhole(readPages(path)[page] ?? 0)) {
      if (performance.now() > deadlineMs) return [`a part of it stays: ${JSON.stringify(readPages(path))}`];
      await Bun.sleep(20);
    }
    const answer = await fetch(`${service.url}/api/v1/websites/${websiteId}/pages?period=all&traffic=all`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    // The contract's answer, whose form other tests check.
    const { pages = [] } = (await answer.json()) as { pages?: { page: string; pageviews: number }[] };
    const said = Object.fromEntries(pages.map(({ page, pageviews }) => [page, pageviews]));
    const logged = readPages(path);
    if (!isWhole(logged[page] ?? 0)) return [`a part of it is there: ${JSON.stringify(logged)}`];
    if (logged[KEPT] !== ALL) return [`others are gone: ${JSON.stringify(logged)}`];
    return Bun.deepEquals(said, logged)
      ? []
      : [`the log has ${JSON.stringify(logged)}, said is ${JSON.stringify(said)}`];
  } finally {
    service.process.kill('SIGKILL');
    await service.process.exited;
    directory.remove();
  }
}

function writeFiles(files: Files) {
  const directory = createDataDir();
  for (const [name, bytes] of files) writeFileSync(join(directory.path, name), bytes, { mode: 0o600 });
  return directory;
}

function readPages(path: string): Pages {
  const database = new Database(path);
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    const rows = database.prepare('SELECT url, count(*) AS count FROM events GROUP BY url').all();
    return Object.fromEntries(
      // The columns of the query.
      (rows as { url: string; count: number }[]).map(({ url, count }) => [
        new URL(unpackUrl(url)).pathname,
        count,
      ]),
    );
  } finally {
    database.close();
    Bun.gc(true); // libSQL closes the file only when its statements are collected
  }
}
