import { join } from 'node:path';
import { runTests } from './support/run-tests.ts';

/**
 * All tests, or those that the arguments name, three files at a time: two of five seconds of a file are waiting. Workers
 * keep what they have loaded from file to file (150 ms each). The longest files come first, as timings.json has them, so
 * that none is alone at the end. The oracle stands first with a number of its own: it collects garbage all the time, which
 * takes fifty times as long in a worker that has loaded much. `--update-timings` measures anew, that number too: set it
 * back. A file that is not listed comes first. `bun run test [tests/events]`
 */
const TIMINGS = join(import.meta.dir, 'timings.json');

process.exit(await runTests(['--parallel=3', '--no-isolate', `--timings=${TIMINGS}`, ...Bun.argv.slice(2)]));
