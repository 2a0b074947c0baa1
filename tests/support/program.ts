import { join } from 'node:path';
import { buildExecutable } from '../../packaging/executable.ts';

const ROOT = join(import.meta.dir, '../..');

export const SOURCE = [process.execPath, join(ROOT, 'src/main.ts')];

/**
 * The command line that starts Pagemeter in a process of its own: the executable that `run.ts` has built for the whole
 * battery, else its source. A start of the executable takes 0.1 s of the processor, one of the source 0.35 s.
 */
export const PROGRAM = process.env.TEST_EXECUTABLE ? [process.env.TEST_EXECUTABLE] : SOURCE;

/** The executable for this system, with the Bun that runs: by default one that is started often. */
export function buildOwnExecutable(path: string, compression: number | 'none' = 'none'): Promise<void> {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  const library = join(ROOT, `node_modules/@libsql/linux-${arch}-gnu/index.node`);
  return buildExecutable({ name: `linux-${arch}`, bun: process.execPath, library }, path, compression);
}
