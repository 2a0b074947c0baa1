import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOwnExecutable } from './support/program.ts';
import { runTests } from './support/run-tests.ts';

/**
 * All tests, or those that the arguments name, three files at a time: two of five seconds of a file are waiting. Workers
 * keep what they have loaded from file to file (150 ms each). The longest files come first, as timings.json has them, so
 * that none is alone at the end. The oracle stands first with a number of its own: it collects garbage all the time, which
 * takes fifty times as long in a worker that has loaded much. `--update-timings` measures anew, that number too: set it
 * back. A file that is not listed comes first. `bun run test [tests/events]`
 *
 * The whole battery tries the executable wherever a process of its own is tried; a part of it, the source.
 */
const TIMINGS = join(import.meta.dir, 'timings.json');

const chosen = Bun.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'pagemeter-executable-'));
const environment: Record<string, string> = {};
if (chosen.length === 0) {
  environment.TEST_EXECUTABLE = join(folder, 'pagemeter');
  await buildOwnExecutable(environment.TEST_EXECUTABLE);
}
const code = await runTests(['--parallel=3', '--no-isolate', `--timings=${TIMINGS}`, ...chosen], environment);
rmSync(folder, { recursive: true });
process.exit(code);
