import { join } from 'node:path';
import { runTests } from './support/run-tests.ts';

/**
 * All tests, or those that the arguments name, three files at a time: two of five seconds of a file are waiting. Workers
 * keep what they have loaded from file to file (150 ms each). The longest files come first, as timings.json has them
 * (`--update-timings` writes it): none of them is alone at the end, and those that collect garbage often have a worker
 * whose heap is small yet. `bun run test [tests/events]`
 */
const TIMINGS = join(import.meta.dir, 'timings.json');

process.exit(await runTests(['--parallel=3', '--no-isolate', `--timings=${TIMINGS}`, ...Bun.argv.slice(2)]));
