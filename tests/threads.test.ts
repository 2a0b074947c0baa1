import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openDatabase } from '../src/db/open.ts';
import { createWorkerReader } from '../src/log/reader.ts';
import { createThread } from '../src/process/threads.ts';
import { createDataDir } from './support/process.ts';

const dataDir = createDataDir();
const path = join(dataDir.path, 'pagemeter.db');
const database = await openDatabase({ kind: 'file', path }, 'normal');
afterAll(() => {
  database.close();
  dataDir.remove();
});

const FIRST_PAGE = { websiteKey: 1, limit: 1, offset: 0 };

describe('a thread', () => {
  test('ends once, however often it is asked to, and is started again by the next call', async () => {
    const reader = createWorkerReader(path);
    expect(await reader.list(FIRST_PAGE)).toMatchObject({ events: [] });
    await Promise.all([reader.close(), reader.close()]);
    expect(await reader.list(FIRST_PAGE)).toMatchObject({ events: [] });
    await reader.close();
  });

  test('answers what it was asked before it was asked to end', async () => {
    const reader = createWorkerReader(path);
    const answers = Array.from({ length: 3 }, () => reader.list(FIRST_PAGE));
    await reader.close();
    expect(await Promise.all(answers)).toHaveLength(3);
  });

  test('rejects all waiting calls when it cannot start, and is tried again', async () => {
    const reader = createWorkerReader(join(dataDir.path, 'nowhere', 'pagemeter.db'));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const outcomes = await Promise.allSettled([reader.list(FIRST_PAGE), reader.list(FIRST_PAGE)]);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    }
  });

  test('rejects all waiting calls when it exits by itself', async () => {
    const thread = createThread<undefined, 'leave'>({
      path: '../tests/support/leaving-worker.ts',
      name: 'It',
      setup: undefined,
    });
    await expect(thread.call('leave')).rejects.toThrow('It stopped.');
  });
});
