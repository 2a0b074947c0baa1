import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { prepareLibrary } from '../db/library.ts';
import { findWriteFault } from '../process/data-directory.ts';
import { logStartFailure } from '../process-log.ts';
import { CONFIG_EXIT_CODE, ConfigError } from '../settings/config.ts';

/**
 * Runs a command: administration, with or without a running service, or the service itself.
 *
 * @returns the exit code: 0 done, 1 failed, 2 invalid arguments, 78 invalid settings, 130 stopped by Ctrl-C
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    return isService(args) ? await runService() : await runCommand(args);
  } catch (error) {
    if (isService(args)) logStartFailure(explain(error));
    else console.error(explain(error));
    return error instanceof ConfigError ? CONFIG_EXIT_CODE : 1;
  }
}

/** The service starts without what reads commands: 17 ms of 210. */
function isService([command = 'serve', ...rest]: readonly string[]): boolean {
  return command === 'serve' && rest.length === 0;
}

async function runService(): Promise<number> {
  prepareLibrary();
  const { serve } = await import('../serve.ts');
  await serve();
  return 0;
}

async function runCommand(args: readonly string[]): Promise<number> {
  const [{ CommanderError }, { createProgram }] = await Promise.all([
    import('commander'),
    import('./program.ts'),
  ]);
  let code = 0;
  const program = createProgram((ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // it has said why
    throw error;
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('code' in error) || error.code !== 'ERR_DLOPEN_FAILED') return error.message;
  if (error.message.includes('shared object file'))
    return `SQLite's library cannot be loaded: this system lacks what it needs (${error.message}). Of Debian these are the packages libc6 and libgcc-s1.`;
  const fault = existsSync(tmpdir()) ? findWriteFault(tmpdir()) : undefined;
  // In the image, and with the unit, that is the data directory.
  if (fault) return `SQLite's library cannot be unpacked into TMPDIR. ${fault}`;
  return `SQLite's library cannot be loaded: ${error.message}
It is unpacked into TMPDIR (${tmpdir()}). Set TMPDIR to a directory that this user can write to, on a file system that is not mounted noexec.`;
}
