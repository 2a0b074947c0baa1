import { expect, test } from 'bun:test';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createDataDir, startProcess } from '../support/process.ts';

const DAY_MS = 86_400_000;
const ADDRESS = '2001:db8:7a5e:11f3:9c2d:41bb:6e0f:d375';
/** More than the garbage of one day that a small server keeps. */
const LATER_EVENTS = 1_000;

/** Whether any bytes of a process, which it can write to, hold the given ones. */
function isInMemory(pid: number, wanted: Buffer): boolean {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8')
      .split('\n')
      .map((line) => /^(\w+)-(\w+) rw/.exec(line))
      .some((range) => range && holds(memory, Number(`0x${range[1]}`), Number(`0x${range[2]}`), wanted));
  } finally {
    closeSync(memory);
  }
}

const CHUNK_BYTES = 16 * 1024 * 1024;

function holds(memory: number, from: number, to: number, wanted: Buffer): boolean {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let at = from; at < to; at += CHUNK_BYTES - wanted.length) {
    try {
      const read = readSync(memory, chunk, 0, Math.min(CHUNK_BYTES, to - at), at);
      if (chunk.subarray(0, read).includes(wanted)) return true;
    } catch {
      return false; // reserved, and without pages
    }
  }
  return false;
}

function filesWith(folder: string, wanted: Buffer): string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && readFileSync(path).includes(wanted);
  });
}

test.skipIf(process.platform !== 'linux')(
  'the salt of a day that is over, and the addresses of its visitors, are neither on the disk nor in memory',
  async () => {
    const folder = createDataDir();
    const clock = join(folder.path, '..', `clock-${process.pid}`);
    writeFileSync(clock, '0');
    const service = await startProcess(
      {
        DATA_DIR: folder.path,
        DATABASE_URL: '',
        PORT: '0',
        TRUST_PROXY: '1',
        LIMIT_EVENTS_PER_S: '0',
        CLOCK_FILE: clock,
      },
      { program: [process.execPath, join(import.meta.dir, '../support/moved-clock.ts')] },
    );
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${service.url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    try {
      const account = await post('/auth/register', { email: 'a@example.com', password: 'Correct-horse-9' });
      const { tokens } = (await account.json()) as { tokens: { accessToken: string } };
      const added = await post(
        '/websites',
        { name: 'n', domain: 'https://example.com' },
        { Authorization: `Bearer ${tokens.accessToken}` },
      );
      const { trackingCode } = (await added.json()) as { trackingCode: string };
      const event = { trackingCode, eventType: 'pageview', url: 'https://example.com/', anonymous: true };
      const send = async (address: string) =>
        (await post('/events', event, { 'X-Forwarded-For': address })).status;
      expect(await send(ADDRESS)).toBe(201);
      const salt = readFileSync(join(folder.path, 'salts')).subarray(5, 37);
      const address = Buffer.from(ADDRESS);
      expect(isInMemory(service.process.pid, salt)).toBe(true);
      expect(filesWith(folder.path, salt)).toEqual(['salts']);

      writeFileSync(clock, `${2 * DAY_MS}`);
      for (let sent = 0; sent < LATER_EVENTS; sent += 1)
        expect(await send(`198.51.${sent >> 8}.${sent & 255}`)).toBe(201);
      expect([filesWith(folder.path, salt), filesWith(folder.path, address)]).toEqual([[], []]);
      expect(isInMemory(service.process.pid, salt)).toBe(false);
      expect(isInMemory(service.process.pid, address)).toBe(false);
    } finally {
      await service.stop();
      folder.remove();
      rmSync(clock);
    }
  },
  60_000,
);
