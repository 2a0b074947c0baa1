import { tmpdir } from 'node:os';
import { CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { createProgram } from './program.ts';

/**
 * Administration from the command line, beside a running service or without one, and the service itself.
 *
 * @returns the exit code: 0 done, 1 failed, 2 not understood (arguments or settings), 130 stopped by Ctrl-C
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = createProgram((ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // it has said why
    console.error(explain(error));
    return error instanceof ConfigError ? 2 : 1;
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!('code' in error) || error.code !== 'ERR_DLOPEN_FAILED') return error.message;
  if (error.message.includes('shared object file'))
    return `SQLite's library cannot be loaded: this system lacks what it needs (${error.message}). Of Debian these are the packages libc6 and libgcc-s1.`;
  return `SQLite's library cannot be loaded: ${error.message}
It is unpacked into TMPDIR (${tmpdir()}). Set TMPDIR to a directory that this user can write to, on a file system that is not mounted noexec.`;
}
