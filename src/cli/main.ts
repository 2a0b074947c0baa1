import { stepBack } from '../backup/step-back.ts';

const args = Bun.argv.slice(2);
process.umask(0o077);
// First of all: to load the rest is a sixth of a small backup, and the service goes before it.
if (args[0] === 'backup') stepBack();
const { runCommandLine } = await import('./run.ts');
process.exitCode = await runCommandLine(args);
