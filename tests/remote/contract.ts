import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import { installPackages } from '../support/install.ts';
import { runTests } from '../support/run-tests.ts';
import { startSqld } from '../support/sqld.ts';

/**
 * Runs the tests of the contract with a real libSQL server in the place of the database in memory: all of them, or
 * those whose path contains an argument. `bun run test:remote [tests/events]`
 */

const FOLDERS = 'tests/{accounts,websites,events,imports,metrics}/**/*.test.ts';
/** Others have nothing to do with the database. Single tests that need the embedded one say so (`isOnServer`). */
const USES_SERVICE = /createTestService|startMetrics|startImporting/;

const wanted = Bun.argv.slice(2);
const files = [...new Glob(FOLDERS).scanSync()]
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .filter((file) => USES_SERVICE.test(readFileSync(file, 'utf8')))
  .toSorted();

installPackages('tests/remote');
const sqld = await startSqld({ hasNamespaces: true });
if (!sqld) throw new Error(`There is no sqld for ${process.platform}-${process.arch}.`);
const code = await runTests(
  files.map((file) => `./${file}`),
  { TEST_SQLD: `${sqld.url} ${sqld.adminUrl}` },
);
await sqld.stop();
process.exit(code);
