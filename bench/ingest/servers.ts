import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/open.ts';
import { users, websites } from '../../src/db/schema.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../../tests/support/process.ts';

export const TRACKING_CODE = 'pm-7Hd82kLmQ0sTzW1x-1763700000000';

export type Server = ServiceProcess & {
  /** Processor time that it has used, of all its threads. */
  cpuMs(): number;
  rssBytes(): number;
  /** Asks it to stop and removes its data. */
  remove(): Promise<void>;
};

const MS_A_TICK = 10; // Linux counts a process's time in hundredths of a second (USER_HZ)
const MIB = 1024 * 1024;

/** Starts the service, or another program in its place, on a new database file that holds one website. */
export async function startServer(program: string, environment: Record<string, string>): Promise<Server> {
  const directory = createDataDir();
  await createWebsite(join(directory.path, 'pagemeter.db'));
  const started = await startProcess({ ...environment, DATA_DIR: directory.path }, program);
  const { pid } = started.process;
  return {
    ...started,
    cpuMs: () => {
      const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * MS_A_TICK; // utime and stime
    },
    rssBytes: () => Number(readProc(pid, 'status').match(/VmRSS:\s+(\d+) kB/)?.[1]) * 1024,
    async remove() {
      started.process.kill('SIGKILL');
      await started.process.exited;
      directory.remove();
    },
  };
}

export function toMiB(sizeBytes: number): number {
  return sizeBytes / MIB;
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

function readProc(pid: number, name: string): string {
  return readFileSync(`/proc/${pid}/${name}`, 'utf8');
}
