import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { transactInSteps } from '../../src/analytics/embedded/write/transact.ts';
import { openLocalDatabase } from '../../src/db/local-database.ts';
import { createDataDir } from '../support/process.ts';

test('a waiting writer gets in between two of many transactions', async () => {
  const directory = createDataDir();
  const path = join(directory.path, 'any.db');
  const statistics = openLocalDatabase(path, 'normal');
  const ingest = openLocalDatabase(path, 'normal');
  statistics.exec('CREATE TABLE written (number INTEGER)');
  const insert = statistics.prepare('INSERT INTO written VALUES (?)');
  const numbers = Array.from({ length: 2_500 }, (_, number) => number);

  const all = transactInSteps(
    statistics,
    numbers.map((number) => () => void insert.run([number])),
  );
  await new Promise((resolve) => setImmediate(resolve));
  ingest.exec('BEGIN IMMEDIATE');
  const meanwhile = ingest.prepare('SELECT count(*) AS count FROM written').all([]);
  ingest.exec('COMMIT');
  await all;

  expect(meanwhile).toEqual([{ count: 500 }]);
  expect(ingest.prepare('SELECT count(*) AS count FROM written').all([])).toEqual([{ count: 2_500 }]);
  ingest.close();
  statistics.close();
  directory.remove();
});
