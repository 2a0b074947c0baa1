import { runTests } from './support/run-tests.ts';

/**
 * All tests, or those that the arguments name, two files at a time: one waits where the other computes. Workers keep
 * what they have loaded from file to file (150 ms each). `bun run test [tests/events]`
 */
process.exit(await runTests(['--parallel=2', '--no-isolate', ...Bun.argv.slice(2)]));
