import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ImportError } from '../import-error.ts';
import type { SourceFile } from './source-file.ts';
import { HEAD_BYTES } from './text.ts';

const EVERY_MS = 1_000;
const CHUNK_BYTES = 256 * 1024;

/**
 * Opens a log that grows: its text has no end. When the file is rotated, what is left of the old one is read, then the new
 * one from its beginning; when it is emptied, it is read from its beginning.
 *
 * @param signal ends the text
 */
export async function followFile(path: string, signal: AbortSignal): Promise<SourceFile> {
  const name = basename(path);
  const head = await readHead(path);
  if (head.includes('\0')) throw new ImportError(`${name} is not a text file`);
  const text = () => readOn(path, signal);
  // By its name: the content changes all the time.
  const fingerprint = `follow ${path}`;
  return { name, sizeBytes: 0, head, text, bytes: text, fingerprint };
}

async function readHead(path: string): Promise<string> {
  try {
    return await Bun.file(path).slice(0, HEAD_BYTES).text();
  } catch (error) {
    throw new ImportError(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function* readOn(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  let file = await open(path);
  let position = 0;
  try {
    while (!signal.aborted) {
      for (let chunk = await readAt(file, position); chunk.length > 0; chunk = await readAt(file, position)) {
        position += chunk.length;
        yield chunk;
        if (signal.aborted) return;
      }
      const next = await findNext(path, file, position);
      if (next === 'same') await pause(signal);
      else {
        // The last lines of a rotated file may have come since.
        for (let chunk = await readAt(file, position); next !== 'emptied' && chunk.length > 0; ) {
          position += chunk.length;
          yield chunk;
          chunk = await readAt(file, position);
        }
        position = 0;
        await file.close();
        file = await open(path);
      }
    }
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, position: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
  return buffer.subarray(0, bytesRead);
}

/** Between two files of a rotation there may be none for a moment. */
async function findNext(
  path: string,
  file: FileHandle,
  position: number,
): Promise<'same' | 'rotated' | 'emptied'> {
  const [own, current] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
  if (!current) return 'same';
  if (current.ino !== own.ino) return 'rotated';
  return current.size < position ? 'emptied' : 'same';
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, EVERY_MS);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
