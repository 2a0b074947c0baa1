import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { createDataDir } from '../support/process.ts';
import { createTestService } from '../support/service.ts';

export const BACKUP_NAME = /^pagemeter-\d{8}T\d{9}Z\.db$/;

/** A directory with a database that holds `events` events of one website, which no process has open. */
export async function createInstallation(events: number) {
  const umask = process.umask(0o077); // as the program has it
  const dataDir = createDataDir();
  const path = join(dataDir.path, 'pagemeter.db');
  const service = await createTestService({ database: { kind: 'file', path }, dataDir: dataDir.path });
  const { apiKey } = await service.addUser();
  const { trackingCode } = await service.addWebsite(apiKey);
  for (let sent = 0; sent < events; sent += 1_000)
    await service.send('POST', '/api/v1/events/batch', {
      body: { events: Array.from({ length: Math.min(1_000, events - sent) }, () => toEvent(trackingCode)) },
    });
  await service.send('GET', '/api/v1/stats/websites', { token: apiKey }); // derives the statistics
  await service.close();
  Bun.gc(true); // libSQL closes the file when its statements are collected
  process.umask(umask);
  return { ...dataDir, databasePath: path, backupsDir: join(dataDir.path, 'backups'), apiKey, trackingCode };
}

export type Installation = Awaited<ReturnType<typeof createInstallation>>;

/** Copies the same database into its own directory, in a hundredth of the time. */
export function copyInstallation(from: Installation): Installation {
  const dataDir = createDataDir();
  cpSync(from.path, dataDir.path, { recursive: true });
  return {
    ...from,
    ...dataDir,
    databasePath: join(dataDir.path, 'pagemeter.db'),
    backupsDir: join(dataDir.path, 'backups'),
  };
}

function toEvent(trackingCode: string) {
  return {
    trackingCode,
    eventType: 'pageview',
    url: 'https://example.com/',
    sessionId: 'session-1',
    visitorId: 'visitor-1',
  };
}

/** The first column of the first row. Nothing else of this process may have the file open. */
export function readValue(path: string, sql: string): unknown {
  const database = new Database(path);
  try {
    return (database.prepare(sql).raw().get() as unknown as unknown[])?.[0];
  } finally {
    database.close();
    Bun.gc(true);
  }
}

export function change(path: string, ...statements: string[]): void {
  const database = new Database(path);
  for (const statement of statements) database.exec(statement);
  database.close();
  Bun.gc(true);
}

export function countEvents(path: string): number {
  return Number(readValue(path, 'SELECT count(*) FROM events'));
}

export function filesOf(directory: string): string[] {
  return readdirSync(directory).sort();
}

/** Why a test that needs to mount a small disk is left out; `undefined` when it can run. */
export const NO_SMALL_DISK =
  process.platform === 'linux' && process.getuid?.() === 0
    ? undefined
    : 'needs root on Linux, to mount a small disk';

/** Mounts a disk of a size at a directory. @returns a function that removes it */
export function mountSmallDisk(directory: string, sizeMiB: number): () => void {
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', directory]);
  if (!mounted.success) throw new Error(`The disk was not mounted: ${mounted.stderr}`);
  return () => void Bun.spawnSync(['umount', directory]);
}

/** Foreign content of a database, and the finding it gives. */
export const HOSTILE_SCHEMAS: [what: string, sql: string, sentence: string][] = [
  [
    'a trigger',
    'CREATE TRIGGER copy AFTER INSERT ON events BEGIN DELETE FROM websites; END',
    'it has a trigger copy, which Pagemeter does not make',
  ],
  ['a view', 'CREATE VIEW seen AS SELECT * FROM users', 'it has a view seen, which Pagemeter does not make'],
  [
    'a virtual table',
    'CREATE VIRTUAL TABLE words USING fts5(word)',
    'it has a table words, which Pagemeter does not make',
  ],
  ['a further column', 'ALTER TABLE users ADD COLUMN extra', 'its table users is not as Pagemeter makes it'],
  [
    'a further index',
    'CREATE INDEX more ON users (name)',
    'it has an index more, which Pagemeter does not make',
  ],
  ['a table less', 'DROP TABLE annotations', 'it lacks the table annotations'],
];
