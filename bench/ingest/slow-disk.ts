import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SLOW_FSYNC_MS = 5;

/** The environment that makes each fsync of a process slow; undefined when there is no C compiler. */
export async function buildSlowDisk(): Promise<
  { environment: Record<string, string>; remove(): void } | undefined
> {
  if (!Bun.which('gcc')) return undefined;
  const directory = mkdtempSync(join(tmpdir(), 'pagemeter-bench-'));
  const library = join(directory, 'slow-fsync.so');
  const source = join(import.meta.dir, '../slow-fsync.c');
  await Bun.$`gcc -shared -fPIC -O2 -o ${library} ${source} -ldl`;
  return {
    environment: { LD_PRELOAD: library, SLOW_FSYNC_MS: String(SLOW_FSYNC_MS) },
    remove: () => rmSync(directory, { recursive: true }),
  };
}
