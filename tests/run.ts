import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOwnExecutable } from './support/program.ts';
import { runTests } from './support/run-tests.ts';

/**
 * All tests, or those that the arguments name, three files at a time: two of five seconds of a file are waiting. Workers
 * keep what they have loaded from file to file (150 ms each). The longest files come first, as timings.json has them
 * (`--update-timings` measures anew); those that it does not know come before them. `bun run test [tests/events]`
 *
 * The whole battery tries the executable wherever a process of its own is tried; a part of it, the source. The oracle
 * runs in a process of its own beside it: it collects garbage all the time, which takes fifty times as long where much
 * is loaded.
 */
const ORACLE = 'oracle.test.ts';
const TIMINGS = join(import.meta.dir, 'timings.json');

const chosen = Bun.argv.slice(2);
const isAll = chosen.every((argument) => argument.startsWith('--'));
const folder = mkdtempSync(join(tmpdir(), 'pagemeter-executable-'));
const environment: Record<string, string> = {};
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
      ...(isAll ? [`--path-ignore-patterns=**/${ORACLE}`] : []),
    ],
    environment,
  ),
  isAll ? runTests([join(import.meta.dir, 'analytics', ORACLE)], environment) : 0,
]);
rmSync(folder, { recursive: true });
process.exit(Math.max(...codes));
