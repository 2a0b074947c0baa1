import { join } from 'node:path';
import { HOUR_MS } from '../vocabulary/durations.ts';
import { stepBack } from './step-back.ts';

/** The executable is the program; from source Bun is given it. */
const PROGRAM = Bun.isStandaloneExecutable ? [] : [join(import.meta.dir, '../main.ts')];
/** A server that takes the bytes one by one must not keep the next backup from being tried. */
const DEADLINE_MS = 6 * HOUR_MS;
const ERROR_LENGTH_MAX = 500;

/**
 * A command in a process of its own: it takes a processor for as long as it lasts, and a fault in it cannot harm the
 * service.
 *
 * @throws Error with what the process said, when it failed
 */
export async function runCommandProcess(
  args: readonly string[],
  environment: Record<string, string | undefined>,
  signal: AbortSignal,
): Promise<void> {
  const child = Bun.spawn([process.execPath, ...PROGRAM, ...args], {
    env: environment,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    signal,
    timeout: DEADLINE_MS,
  });
  stepBack(child.pid); // the child may do so itself, too, but only once it has started
  const said = (await new Response(child.stderr).text()).trim();
  const code = await child.exited;
  if (code !== 0)
    throw new Error(said.slice(0, ERROR_LENGTH_MAX) || `the process ended with ${child.signalCode ?? code}`);
}
