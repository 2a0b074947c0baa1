import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from './program.ts';

const ROOT = join(import.meta.dir, '../..');
/** A quarter of a second where nothing else is done; twenty times as long on a machine that others slow down. */
const START_MS_MAX = 30_000;

export type ServiceProcess = {
  url: string;
  process: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  /** Text printed on standard error so far. */
  errors: () => string;
  /** Text printed on standard output so far. */
  output: () => string;
  /** Asks it to stop and resolves with its exit code. */
  stop(): Promise<number>;
};

/** In place of the program in the folder of the repository. */
type Start = { program?: string[] | undefined; cwd?: string };

/** A directory of its own for a test; `remove` when done. */
export function createDataDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'pagemeter-data-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * The real program, or another that says that it is ready in the same words. Resolves when it does.
 */
export async function startProcess(
  environment: Record<string, string>,
  { program = PROGRAM, cwd = ROOT }: Start = {},
): Promise<ServiceProcess> {
  const child = spawnService(environment, { program, cwd });
  let printed = '';
  let errors = '';
  void collect(child.stderr, (text) => {
    errors += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The service did not start: ${errors}`));
    }, START_MS_MAX);
    void collect(child.stdout, (text) => {
      printed += text;
      const address = printed.match(/ready at (http:\S+)/)?.[1];
      if (address) {
        clearTimeout(timer);
        resolve(address.replace('localhost', '127.0.0.1'));
      }
    });
    void child.exited.then((code) => {
      clearTimeout(timer);
      reject(new Error(`The service ended with ${code}: ${errors}`));
    });
  });
  return {
    url,
    process: child,
    errors: () => errors,
    output: () => printed,
    stop() {
      child.kill('SIGTERM');
      return child.exited;
    },
  };
}

/** Spawns the service without waiting, for starts that are expected to fail. */
export function spawnService(
  environment: Record<string, string>,
  { program = PROGRAM, cwd = ROOT }: Start = {},
): Bun.Subprocess<'ignore', 'pipe', 'pipe'> {
  return Bun.spawn(program, {
    cwd,
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** Why a start has failed, from its one line of the log. */
export async function startFailure(child: { stderr: ReadableStream<Uint8Array> }): Promise<string> {
  const { level, message } = JSON.parse(await new Response(child.stderr).text());
  if (level !== 'error') throw new Error(`A failed start is logged as ${level}.`);
  return message;
}

async function collect(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }));
}
