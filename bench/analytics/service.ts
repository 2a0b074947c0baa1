import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEVEL_MAX } from '../../packaging/executable.ts';
import { createDataDir, startProcess } from '../../tests/support/process.ts';
import { buildOwnExecutable } from '../../tests/support/program.ts';
import { type MeasuredProcess, measureProcess } from '../measured-process.ts';

/** The real service, as a process of its own, on a database file that outlives it. */
export type Service = MeasuredProcess & {
  /** Asks it to stop, so that the file alone is the whole database, and waits until it has. */
  end(): Promise<void>;
};

export async function startService(file: string, environment: Record<string, string> = {}): Promise<Service> {
  const directory = createDataDir(); // for its secret and its assets
  executable ??= build();
  const started = await startProcess(
    { ...environment, DATA_DIR: directory.path, DATABASE_URL: `file:${file}` },
    { program: [await executable] },
  );
  const kill = () => started.process.kill('SIGKILL');
  process.on('exit', kill); // when the bench fails
  return {
    ...measureProcess(started),
    async end() {
      const code = await started.stop();
      process.off('exit', kill);
      directory.remove();
      if (code !== 0) throw new Error(`The service ended with ${code}: ${started.errors()}`);
    },
  };
}

let executable: Promise<string> | undefined;

/** As people install it: from source the same takes 15 MiB more, of code that is not mapped from a file. */
async function build(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pagemeter-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  const path = join(folder, 'pagemeter');
  await buildOwnExecutable(path, LEVEL_MAX);
  return path;
}

/** Asks the API, and reads the whole answer as JSON. @throws Error for a status that is not of success */
export async function call(
  { url }: { url: string },
  path: string,
  { apiKey, body }: { apiKey?: string; body?: unknown } = {},
): Promise<unknown> {
  const response = await fetch(`${url}/api/v1${path}`, {
    headers: { 'Content-Type': 'application/json', ...(apiKey && { 'X-API-Key': apiKey }) },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}
