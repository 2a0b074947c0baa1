import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Some wait for processes, and everything takes ten times as long on a machine that others slow down. */
const TEST_MS_MAX = 60_000;

/**
 * `bun test` with a directory of its own for temporary files. What its tests leave behind, as one that fails does, goes
 * with that directory, and so does every process that was given a place in it.
 *
 * @returns its exit code
 */
export async function runTests(args: string[], environment: Record<string, string> = {}): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'pagemeter-tests-'));
  chmodSync(directory, 0o711); // what runs as another user finds its own in it
  const tests = Bun.spawn(
    [process.execPath, 'test', '--only-failures', `--timeout=${TEST_MS_MAX}`, ...args],
    {
      env: { ...process.env, ...environment, TMPDIR: directory },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal));
  const code = await tests.exited;
  for (const pid of pidsThatName(directory)) kill(pid);
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  return code;
}

/** Services are given their directory in the environment, servers and browsers in their arguments. */
function pidsThatName(path: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => ['cmdline', 'environ'].some((file) => read(`/proc/${pid}/${file}`).includes(path)));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // it has ended, or belongs to another user
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}
