import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from './support/install.ts';
import { buildOwnExecutable } from './support/program.ts';
import { runTests } from './support/run-tests.ts';

/**
 * Runs all tests, or those that the arguments name: `bun run test [tests/events]`. `--fast` runs those that need no
 * second process, browser or server.
 *
 * Three files run at a time, because two of five seconds of a file are waiting. Workers keep what they have loaded from
 * file to file (150 ms each). The longest files come first, by timings.json (`--update-timings` measures again).
 *
 * The whole battery tests the executable wherever a process is started; a part of it tests the source. The oracle runs in
 * a process of its own: it collects garbage all the time, which takes fifty times as long in a process that has loaded
 * much.
 */
const ORACLE = 'oracle.test.ts';
const TIMINGS = join(import.meta.dir, 'timings.json');
/** Folders whose tests start processes, browsers or servers, and the oracle. */
const NOT_FAST = [
  ...[
    'backup',
    'browser',
    'cli',
    'clickhouse',
    'demo',
    'faults',
    'packaging',
    'proxies',
    'remote',
    'start',
  ].map((name) => `tests/${name}/**`),
  '**/clickhouse*.test.ts',
  'tests/packages/recipes.test.ts',
  `**/${ORACLE}`,
];

const isFast = Bun.argv.includes('--fast');
const chosen = Bun.argv.slice(2).filter((argument) => argument !== '--fast');
const isAll = !isFast && chosen.every((argument) => argument.startsWith('--'));
for (const server of ['tests/clickhouse', 'tests/remote'] as const)
  if (isAll || chosen.some((path) => path.includes(server))) installPackages(server);
const left = isFast ? NOT_FAST : isAll ? [`**/${ORACLE}`] : [];
const folder = mkdtempSync(join(tmpdir(), 'pagemeter-executable-'));
const environment: Record<string, string> = isFast ? { TEST_IN_PROCESS: '1' } : {};
if (isAll) {
  environment.TEST_EXECUTABLE = join(folder, 'pagemeter');
  await buildOwnExecutable(environment.TEST_EXECUTABLE);
}
const codes = await Promise.all([
  runTests(
    [
      '--parallel=3',
      '--no-isolate',
      `--timings=${TIMINGS}`,
      ...chosen,
      ...left.map((pattern) => `--path-ignore-patterns=${pattern}`),
    ],
    environment,
  ),
  isAll ? runTests([join(import.meta.dir, 'analytics', ORACLE)], environment) : 0,
]);
rmSync(folder, { recursive: true });
process.exit(Math.max(...codes));
