import { PROGRAM } from './program.ts';

/** Long commands print one every ten seconds, so a slow machine prints some: `copying: 25 %, 120 MiB/s, 6 s left`. */
const PROGRESS_LINES = /^[a-z ]+: (\d+ %.*|\d+ (s|min))\n/gm;

/** Runs `pagemeter …` in a process of its own. `err` is without lines of progress. */
export async function runCommand(environment: Record<string, string>, ...args: string[]) {
  const child = spawnCommand(environment, ...args);
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err: err.replace(PROGRESS_LINES, '') };
}

/** Spawns the command without waiting. */
export function spawnCommand(environment: Record<string, string>, ...args: string[]) {
  return Bun.spawn([...PROGRAM, ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}
