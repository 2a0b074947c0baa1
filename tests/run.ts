import { runTests } from './support/run-tests.ts';

/**
 * All tests, or those that the arguments name, three files at a time: two of five seconds of a file are waiting. Workers
 * keep what they have loaded from file to file (150 ms each). `bun run test [tests/events]`
 */
process.exit(await runTests(['--parallel=3', '--no-isolate', ...Bun.argv.slice(2)]));
