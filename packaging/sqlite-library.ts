import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The descriptor of the library that this process has unpacked, for its threads: `PROCESS:DESCRIPTOR`. */
const VARIABLE = 'PAGEMETER_SQLITE_LIBRARY';

/**
 * Loads SQLite's library out of the executable, where it is compressed. A library is loaded from a file, so it is unpacked
 * into TMPDIR and its name removed at once. All threads load the same file: locks of files belong to the process, and two
 * copies of SQLite would not see each other's.
 *
 * @param packed path inside the executable
 * @throws Error with code ERR_DLOPEN_FAILED
 */
export function loadLibrary(packed: string): unknown {
  const [pid, known] = process.env[VARIABLE]?.split(':') ?? [];
  const descriptor = pid === String(process.pid) ? Number(known) : unpack(packed);
  Bun.gc(true); // frees what was unpacked
  process.env[VARIABLE] = `${process.pid}:${descriptor}`;
  const loaded = { exports: {} };
  process.dlopen(loaded, `/proc/self/fd/${descriptor}`);
  return loaded.exports;
}

function unpack(packed: string): number {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'pagemeter-'));
    const path = join(folder, 'libsql.node');
    writeFileSync(path, Bun.zstdDecompressSync(readFileSync(packed)), { mode: 0o600 });
    return openSync(path, 'r');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw Object.assign(new Error(message, { cause: error }), { code: 'ERR_DLOPEN_FAILED' });
  } finally {
    if (folder) rmSync(folder, { recursive: true, force: true });
  }
}
