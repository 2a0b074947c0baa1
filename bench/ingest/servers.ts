import { join } from 'node:path';
import { openDatabase } from '../../src/db/open.ts';
import { users, websites } from '../../src/db/schema.ts';
import { createDataDir, startProcess } from '../../tests/support/process.ts';
import { type MeasuredProcess, measureProcess } from '../measured-process.ts';

const TRACKING_CODE = 'pm-7Hd82kLmQ0sTzW1x-1763700000000';

export type Server = MeasuredProcess & {
  dataDir: string;
  /** Tracking code of the website under load. */
  trackingCode: string;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
};

/** One address sends everything: the limits are at work (see the Host in `requests`), but never reached. */
export const FLOOD = { LIMIT_COLLECT_PER_S: '1000000', LIMIT_EVENTS_PER_S: '1000000' };

/**
 * Starts the service, or another program in its place, on a new database file that holds one website, and what
 * `prepare` adds.
 */
export async function startServer(
  program: string,
  environment: Record<string, string>,
  prepare: (databasePath: string) => Promise<void> = () => Promise.resolve(),
): Promise<Server> {
  const directory = createDataDir();
  await createWebsite(join(directory.path, 'pagemeter.db'));
  await prepare(join(directory.path, 'pagemeter.db'));
  const started = await startProcess(
    { ...FLOOD, ...environment, DATA_DIR: directory.path },
    {
      program: [process.execPath, program],
    },
  );
  return {
    ...measureProcess(started),
    dataDir: directory.path,
    trackingCode: TRACKING_CODE,
    async remove() {
      started.process.kill('SIGKILL');
      await started.process.exited;
      directory.remove();
    },
  };
}

async function createWebsite(path: string): Promise<void> {
  const database = await openDatabase({ kind: 'file', path }, 'full');
  const nowMs = Date.now();
  await database.db.insert(users).values({
    id: 'owner',
    email: 'owner@example.com',
    emailKey: 'owner@example.com',
    passwordHash: '',
    createdAtMs: nowMs,
  });
  await database.db.insert(websites).values({
    id: 'website',
    userId: 'owner',
    name: 'Example',
    domain: 'https://example.com',
    domainKey: 'example.com',
    description: '',
    trackingCode: TRACKING_CODE,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  });
  database.close();
  Bun.gc(true); // libSQL closes the file when its statements are collected
  await Bun.sleep(0);
}
