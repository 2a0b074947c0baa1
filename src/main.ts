import { stepBack } from './process/step-back.ts';
import { addSettingsOf, SYSTEM_FILE } from './settings/system-file.ts';

/** The whole program: `pagemeter [COMMAND]`, which serves without one. */

const args = Bun.argv.slice(2);
process.umask(0o077); // the database, its log and the secret are for the owner alone
if (Bun.isStandaloneExecutable) addSettingsOf(SYSTEM_FILE, process.env);
// As with `pagemeter help | head`: who has read enough closes the pipe.
if (args.length > 0)
  process.stdout.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0);
    throw error;
  });
// First of all: to load the rest is a sixth of a small backup, and the service goes before it.
if (args[0] === 'backup') stepBack();
const { runCommandLine } = await import('./cli/run.ts');
process.exitCode = await runCommandLine(args);
