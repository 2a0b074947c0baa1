import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClickHouseAnalytics } from '../../src/analytics/clickhouse/engine.ts';
import { createEngine } from '../../src/analytics/embedded/engine.ts';
import { findInstallationId } from '../../src/db/installation.ts';
import { type OpenDatabase, openDatabase } from '../../src/db/open.ts';
import { generateTraffic } from '../../src/demo/traffic.ts';
import { toNewEvent } from '../../src/demo/traffic-event.ts';
import { DEMO_SITE } from '../../src/demo/website.ts';
import { findLiveWebsites } from '../../src/log/live-websites.ts';
import { moveEvents } from '../../src/move/move-events.ts';
import { createPositionFile } from '../../src/move/position.ts';
import { openEvents, openMovableServerLog } from '../../src/storage/clickhouse.ts';
import { openMovableDatabaseLog } from '../../src/storage/embedded.ts';
import type { MovableLog } from '../../src/storage/storage.ts';
import { createInstallation, type Installation } from '../backup/support.ts';
import { type ClickHouse, hasClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { runCommand, spawnCommand } from '../support/command.ts';
import { runOnTerminal } from '../support/on-terminal.ts';
import { createDataDir, startProcess } from '../support/process.ts';
import { readLog } from '../support/read-log.ts';
import { isOnClickHouse } from '../support/test-events.ts';

setDefaultTimeout(600_000);

/** Two pages. */
const EVENTS = 12_000;
const END_MS = Date.UTC(2026, 9, 5);

let clickHouse: ClickHouse;
/** A website with events, and the same without. */
let full: Installation;
let empty: { path: string; remove(): void };

beforeAll(async () => {
  if (!hasClickHouse) return;
  clickHouse = await startClickHouse();
  full = await createInstallation(0);
  await withDatabase(full.path, ({ db }) => findInstallationId(db)); // as a start does
  empty = createDataDir();
  cpSync(full.path, empty.path, { recursive: true });
  const website = { key: 1, id: '', userId: '', allowedOrigins: [], excludedRanges: [] };
  const traffic = generateTraffic({
    seed: 1,
    websites: [DEMO_SITE],
    days: 60,
    events: EVENTS,
    endMs: END_MS,
  });
  await withDatabase(full.path, async (database) => {
    await openMovableDatabaseLog(database).log.append(
      [...traffic].map((event) => toNewEvent(event, website)),
    );
  });
});
afterAll(async () => {
  full?.remove();
  empty?.remove();
  await clickHouse?.stop();
});

async function withDatabase<Result>(
  folder: string,
  work: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase({ kind: 'file', path: join(folder, 'pagemeter.db') }, 'normal');
  try {
    return await work(database);
  } finally {
    database.close();
    Bun.gc(true); // libSQL closes the file when its statements are collected
  }
}

/** Events, those of one instant in the order of their arrival. */
function eventsOf(folder: string) {
  return withDatabase(folder, async ({ local }) => {
    if (!local) throw new Error('A file is local.');
    return readLog(local)
      .toSorted((one, other) => one.createdAtMs - other.createdAtMs || one.key - other.key)
      .map(({ key: _, ...event }) => event);
  });
}

const tableOf = (url: string) => `${new URL(url).pathname.slice(1)}.events`;
const count = (url: string) => clickHouse.command(`SELECT count(), uniqExact(id) FROM ${tableOf(url)}`);

/** A move in this process, with fewer questions. @param onCopied may end it */
function moveHere(folder: string, url: string, isTo: boolean, onCopied: (events: number) => void) {
  return withDatabase(folder, async (database) => {
    const { local, db } = database;
    const server = await openEvents({ url, caFile: undefined });
    if (!local) throw new Error('A file is local.');
    const engine = createEngine({ database: local, cacheBytesMax: 2 ** 24, onError: () => {} });
    const logs: [MovableLog, MovableLog] = [
      openMovableDatabaseLog(database),
      openMovableServerLog(database, server),
    ];
    const [from, to] = isTo ? logs : logs.toReversed();
    if (!from || !to) throw new Error('There are two.');
    try {
      return await moveEvents({
        from,
        to,
        engines: { database: engine, server: createClickHouseAnalytics({ server, now: Date.now }) },
        position: createPositionFile(folder, 'test'),
        questions: 12,
        findLive: (keys) => findLiveWebsites(db, keys),
        onStep: () => {},
        onCopied,
      });
    } finally {
      await engine.close();
      await server.close();
    }
  });
}

const none = () => {};
function stopAt(events: number) {
  const seen: number[] = [];
  return {
    seen,
    onCopied(copied: number) {
      seen.push(copied);
      if (copied === events) throw new Error('stopped');
    },
  };
}

describe.if(hasClickHouse)('a move', () => {
  test('a move resumes where it was stopped, both ways, and copies each event once', async () => {
    const url = await clickHouse.createDatabase();
    for (const [folder, isTo] of [
      [full.path, true],
      [empty.path, false],
    ] as const) {
      const [first, second] = [stopAt(10_000), stopAt(Number.NaN)];
      await expect(moveHere(folder, url, isTo, first.onCopied)).rejects.toThrow('stopped');
      const moved = await moveHere(folder, url, isTo, second.onCopied);
      expect(moved).toEqual({ events: EVENTS, websites: 1, added: [], answers: 12 });
      expect([first.seen, second.seen]).toEqual([
        [0, 10_000],
        [10_000, EVENTS],
      ]);
      expect(existsSync(join(folder, 'move.json'))).toBe(false);
    }
    expect(await count(url)).toBe(`${EVENTS}\t${EVENTS}\n`);
    const events = await eventsOf(full.path);
    expect(events).toHaveLength(EVENTS);
    expect(await eventsOf(empty.path)).toEqual(events);
  });

  test('looks at all events once more when some are missing that had been copied', async () => {
    const url = await clickHouse.createDatabase();
    await expect(moveHere(full.path, url, true, stopAt(10_000).onCopied)).rejects.toThrow('stopped');
    await clickHouse.command(`DELETE FROM ${tableOf(url)} WHERE type = 1`);
    expect(await moveHere(full.path, url, true, none)).toMatchObject({ events: EVENTS, answers: 12 });
    expect(await count(url)).toBe(`${EVENTS}\t${EVENTS}\n`);
  });

  test('says of which website the copy has more, and names the first answer that differs', async () => {
    const url = await clickHouse.createDatabase();
    await moveHere(full.path, url, true, none);
    await clickHouse.command(
      `ALTER TABLE ${tableOf(url)} UPDATE page = '/elsewhere' WHERE 1 SETTINGS mutations_sync = 2`,
    );
    await expect(moveHere(full.path, url, true, none)).rejects.toThrow(
      /^The answers differ \(breakdown by page, website 1, 2026-10-04T.*\)\. The database and the server say: breakdowns\.0\.rows\.0\.value: "\/.*", not "\/elsewhere"\.$/,
    );
    const own = 'SELECT * REPLACE (generateUUIDv4() AS id, key + 1 AS key)';
    await clickHouse.command(`INSERT INTO ${tableOf(url)} ${own} FROM ${tableOf(url)} LIMIT 3`);
    expect(await moveHere(full.path, url, true, none)).toEqual({
      events: EVENTS,
      websites: 1,
      added: [{ websiteKey: 1, from: EVENTS, to: EVENTS + 3 }],
      answers: 0,
    });
  });
});

describe.if(hasClickHouse)('pagemeter move', () => {
  const run = (...args: string[]) => runCommand({ DATA_DIR: full.path }, 'move', ...args);

  test('refuses to work while the service runs', async () => {
    const url = await clickHouse.createDatabase();
    const service = await startProcess({ DATA_DIR: full.path });
    expect(await run('--to', url)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Another Pagemeter is already running'),
    });
    await service.stop();
  });

  test('explains itself', async () => {
    const wrong = async (...args: string[]) => (await run(...args)).err;
    expect(await run()).toMatchObject({ code: 2, err: 'error: one of --to and --from is needed\n' });
    expect(await wrong('--to', 'a', '--from', 'b')).toContain("error: option '--to [URL]' cannot be used");
    expect(await wrong('--to')).toBe('Which server? Name it, or set EVENTS_URL.\n');
    expect(await wrong('--to', 'clickhouse')).toBe(
      'The address of the server must be http(s)://user:password@host:port/database; a password has %25 for %, %2F for / and %40 for @.\n',
    );
    expect(await wrong('--from', await clickHouse.createDatabase())).toBe('There are no events to move.\n');
  });

  test('shows a bar, and Ctrl-C stops it', async () => {
    const terminal = runOnTerminal(
      { DATA_DIR: full.path },
      'move',
      '--to',
      await clickHouse.createDatabase(),
    );
    await terminal.waitFor('events/s');
    terminal.type('\x03');
    expect(await terminal.exited).toBe(130);
    expect(terminal.shown()).toMatch(/copying {2}\[[#-]{24}\] {2}\d+ %/);
    expect(terminal.shown()).toContain('Stopped. The same command continues from there.');
    rmSync(join(full.path, 'move.json'));
  });

  test.if(isOnClickHouse)('survives kills, and asks 200 questions', async () => {
    const url = await clickHouse.createDatabase();
    const other = createDataDir();
    cpSync(empty.path, other.path, { recursive: true });
    await withDatabase(other.path, async ({ db }) => {
      await db.$client.execute('DELETE FROM events');
    });
    for (const [folder, option, place] of [
      [full.path, '--to', 'the server'],
      [other.path, '--from', 'the database'],
    ] as const) {
      const environment = { DATA_DIR: folder };
      const first = spawnCommand(environment, 'move', option, url, '--quiet');
      while (!existsSync(join(folder, 'move.json')) && first.exitCode === null) await Bun.sleep(5);
      first.kill('SIGKILL');
      await first.exited;
      const { code, out, err } = await runCommand(environment, 'move', option, url, '--quiet');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain(`All ${EVENTS} events of 1 website are in ${place}, and 200 questions have`);
    }
    expect(await count(url)).toBe(`${EVENTS}\t${EVENTS}\n`);
    expect(await eventsOf(other.path)).toEqual(await eventsOf(full.path));
    other.remove();
  });
});
