import { mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detach } from '../src/process/garbage.ts';

/** The descriptor of the library that this process has unpacked, for its threads: `PROCESS:DESCRIPTOR`. */
const VARIABLE = 'PAGEMETER_SQLITE_LIBRARY';

let unpacking: Promise<Uint8Array> | undefined;
let unpacked: Uint8Array | undefined;

/**
 * Begins to unpack the library in a thread of Bun's, which takes 20 ms: the program is read meanwhile.
 *
 * @param packed path inside the executable
 */
export function beginUnpacking(packed: string): void {
  unpacking = Bun.zstdDecompress(readFileSync(packed));
}

/** Ends when what was begun has ended; at once where nothing was. */
export async function endUnpacking(): Promise<void> {
  unpacked = await unpacking;
}

/**
 * Loads SQLite's library out of the executable, where it is compressed. A library is loaded from a file, so it is unpacked
 * into one without a name in TMPDIR. All threads load the same file: locks of files belong to the process, and two
 * copies of SQLite would not see each other's.
 *
 * @param packed path inside the executable
 * @throws Error with code ERR_DLOPEN_FAILED
 */
export function loadLibrary(packed: string): unknown {
  const [pid, known] = process.env[VARIABLE]?.split(':') ?? [];
  const descriptor = pid === String(process.pid) ? Number(known) : write(packed);
  process.env[VARIABLE] = `${process.pid}:${descriptor}`;
  const loaded = { exports: {} };
  process.dlopen(loaded, `/proc/self/fd/${descriptor}`);
  return loaded.exports;
}

function write(packed: string): number {
  try {
    const library = unpacked ?? Bun.zstdDecompressSync(readFileSync(packed));
    const file = openNameless();
    writeInPieces(file, library);
    detach(library); // now, and not with some later collection
    return file;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw Object.assign(new Error(message, { cause: error }), { code: 'ERR_DLOPEN_FAILED' });
  }
}

/** Its name is removed before anything is written: a start that is killed leaves no megabytes in TMPDIR. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'pagemeter-'));
  try {
    return openSync(join(folder, 'libsql.node'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Linux keeps a file in memory in the pieces in which it was written, and may give a process all of a piece of which it
 * touches a page: on 6.18, of 9.0 MB of code 8.4 when they are written at once, 4.9 in these pieces, and 4.9 in pieces
 * of 16 KiB.
 */
const PIECE_BYTES = 64 * 1024;

function writeInPieces(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes.subarray(at, at + PIECE_BYTES));
}
