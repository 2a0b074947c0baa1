import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { partialOf, placeCopy, putInPlace } from '../backup/files.ts';
import { takeLock } from '../db/instance-lock.ts';
import type { Reached, Sink } from './run.ts';

/** How often the progress is written: what is repeated after an interruption. */
const PROGRESS_MS = 1_000;

/** State of an unfinished file. */
type Progress = {
  /** Identifies the export: another one does not continue it. */
  fingerprint: string;
  bytes: number;
  /** End of the range as it was when the export began. */
  toMs: number;
  reached: Reached;
};

export type ExportFile = Sink & {
  /** Where the export continues; undefined for a new file. */
  from: Reached | undefined;
  toMs: number;
  /** Closes the file and keeps what is written, to be continued. */
  close(): void;
  /** Closes the file and removes what is written. */
  remove(): void;
  sizeBytes(): number;
  sha256(): string;
};

type ExportFileOptions = {
  path: string;
  /** Identifies the export: another one does not continue its file. */
  fingerprint: string;
  /** End of the range, unless a file is continued. */
  toMs: number;
  progressMs?: number;
  /** Whether its SHA-256 is written next to it. */
  hasChecksum?: boolean;
};

/**
 * Opens a file that receives its name only when it is whole, next to its SHA-256. Until then it is hidden, and its
 * progress is a second hidden file, so that the same export continues it.
 *
 * @throws Error with a sentence when another process is writing it
 */
export function openExportFile({
  path,
  fingerprint,
  toMs,
  progressMs = PROGRESS_MS,
  hasChecksum = true,
}: ExportFileOptions): ExportFile {
  const partial = partialOf(path);
  const progressPath = progressOf(path);
  const lockPath = join(dirname(path), `.${basename(path)}.lock`);
  const unlock = takeLock(
    lockPath,
    (pid) => `${path} is being written by another process${pid === undefined ? '' : ` (${pid})`}.`,
  );
  const before = readProgress(progressPath, partial, fingerprint);
  const hash = new Bun.CryptoHasher('sha256');
  let bytes = before?.bytes ?? 0;
  const range = { toMs: before?.toMs ?? toMs };
  const file = openSync(partial, before ? 'r+' : 'w+', 0o600);
  let writtenMs = performance.now();
  let isOpen = true;
  let sha256 = '';
  if (before) {
    ftruncateSync(file, bytes);
    hashBytes(file, bytes, hash);
  }

  function write(piece: Uint8Array): void {
    for (let done = 0; done < piece.length; )
      done += writeSync(file, piece, done, piece.length - done, bytes + done);
    hash.update(piece);
    bytes += piece.length;
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    closeSync(file);
    unlock();
    rmSync(lockPath, { force: true });
  }

  return {
    from: before?.reached,
    toMs: range.toMs,
    async append(piece, reached) {
      write(piece);
      if (performance.now() - writtenMs < progressMs) return;
      fdatasyncSync(file); // what the progress counts is on the disk
      const progress: Progress = { fingerprint, bytes, toMs: range.toMs, reached };
      const draft = partialOf(progressPath);
      writeFileSync(draft, serialize(progress), { mode: 0o600 });
      putInPlace(draft, progressPath);
      writtenMs = performance.now();
    },
    async finish(piece) {
      write(piece);
      sha256 = hash.digest('hex');
      if (hasChecksum) placeCopy(path, sha256);
      else putInPlace(partial, path);
      rmSync(progressPath, { force: true });
      close();
    },
    close,
    remove() {
      close();
      for (const left of [partial, progressPath]) rmSync(left, { force: true });
    },
    sizeBytes: () => bytes,
    sha256: () => sha256,
  };
}

function progressOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.progress`);
}

function readProgress(path: string, partial: string, fingerprint: string): Progress | undefined {
  if (!existsSync(path) || !existsSync(partial)) return undefined;
  const progress = readWhole(path);
  if (!progress) return undefined;
  const isUsable = progress.fingerprint === fingerprint && statSync(partial).size >= progress.bytes;
  return isUsable ? progress : undefined;
}

function readWhole(path: string): Progress | undefined {
  try {
    return deserialize(readFileSync(path)) as Progress; // as it was written
  } catch {
    return undefined; // cut short
  }
}

const PIECE_BYTES = 1024 * 1024;

function hashBytes(file: number, bytes: number, hash: Bun.CryptoHasher): void {
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let done = 0; done < bytes; ) {
    const size = readSync(file, piece, 0, Math.min(PIECE_BYTES, bytes - done), done);
    if (size === 0) throw new Error('The unfinished file became shorter.');
    hash.update(piece.subarray(0, size));
    done += size;
  }
}
