import { PROGRAM } from './program.ts';

/** Runs `pagemeter …` in a process of its own. */
export async function runCommand(environment: Record<string, string>, ...args: string[]) {
  const child = spawnCommand(environment, ...args);
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

/** The same without waiting. */
export function spawnCommand(environment: Record<string, string>, ...args: string[]) {
  return Bun.spawn([...PROGRAM, ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}
