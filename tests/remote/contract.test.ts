import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { findSqld } from '../support/sqld.ts';

/**
 * Tests that query the database. Most questions about figures do not: the engine reads the log once, for all questions, and
 * those here have an answer out of the log or out of the tables of accounts. `bun run test:remote` runs all of them.
 */
const PARTS = [
  'tests/accounts',
  'tests/websites',
  'tests/events',
  ...['access', 'erasures', 'people', 'plausible/query', 'remains', 'removal', 'stats', 'streams'].map(
    (name) => `tests/metrics/${name}.test.ts`,
  ),
];

test.if(findSqld() !== undefined)(
  'the tests of the contract pass on a remote libSQL server',
  async () => {
    const { TEST_SQLD: _, ...env } = process.env;
    const run = Bun.spawn([process.execPath, join(import.meta.dir, 'contract.ts'), ...PARTS], {
      cwd: join(import.meta.dir, '../..'),
      env,
      stdio: ['ignore', 'ignore', 'pipe'], // the report of the tests
    });
    const report = await new Response(run.stderr).text();
    expect(report.split('\n').filter((line) => line.startsWith('(fail)'))).toEqual([]);
    expect(await run.exited).toBe(0);
  },
  600_000,
);
