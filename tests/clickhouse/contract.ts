import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import { installPackages } from '../support/install.ts';
import { runTests } from '../support/run-tests.ts';

/**
 * Runs the tests of the contract with the events on ClickHouse, and those that take too long for every run: all of them, or
 * those whose path contains an argument.
 * `bun run test:clickhouse [tests/events]`
 */

const FOLDERS = 'tests/{websites,events,imports,metrics,goals,checks,clickhouse}/**/*.test.ts';
/** Others have nothing to do with events. Single tests that need them in the database say so (`isOnClickHouse`). */
const USES_SERVICE = /createTestService|startMetrics|startImporting|isOnClickHouse/;

const wanted = Bun.argv.slice(2);
const files = [...new Glob(FOLDERS).scanSync()]
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .filter((file) => USES_SERVICE.test(readFileSync(file, 'utf8')))
  .toSorted();

installPackages('tests/clickhouse');
installPackages('tests/remote'); // tests of two processes need a libSQL server
const { hasClickHouse, startClickHouse } = await import('../support/clickhouse.ts'); // looks for it
if (!hasClickHouse) throw new Error('chdb has no build for this machine.');
const clickHouse = await startClickHouse();
const { origin } = new URL(clickHouse.urlOf('default'));
const code = await runTests(
  files.map((file) => `./${file}`),
  { TEST_CLICKHOUSE: origin },
);
await clickHouse.stop();
process.exit(code);
