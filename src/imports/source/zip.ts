import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { FILES_MAX } from '../bounds.ts';
import { ImportError } from '../import-error.ts';
import { bounded } from './decompress.ts';

export type RawFile = { name: string; sizeBytes: number; open: () => AsyncIterable<Uint8Array> };

const FILE_TYPE_BITS = 0o170000;
const SYMLINK = 0o120000;

/** Lists the files of a zip, without folders, links and what systems add. Names are kept without their folders. */
export async function openZip(path: string, name: string): Promise<RawFile[]> {
  const yauzl = await import('yauzl');
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    yauzl.open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, opened) =>
      error || !opened ? reject(toFault(name, error)) : resolve(opened),
    ),
  );
  const entries = await listEntries(zip, name);
  return entries.map((entry) => ({
    name: basename(entry.fileName),
    sizeBytes: entry.compressedSize,
    open: () => readEntry(zip, entry, name),
  }));
}

function listEntries(zip: ZipFile, name: string): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('error', (error) => reject(toFault(name, error)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      const isLink = ((entry.externalFileAttributes >>> 16) & FILE_TYPE_BITS) === SYMLINK;
      const isHidden = entry.fileName.startsWith('__MACOSX/') || basename(entry.fileName).startsWith('.');
      if (!entry.fileName.endsWith('/') && !isLink && !isHidden) entries.push(entry);
      if (entries.length > FILES_MAX) reject(new ImportError(`${name} holds more than ${FILES_MAX} files`));
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

async function* readEntry(
  zip: ZipFile,
  entry: Entry,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (entry.isEncrypted()) throw new ImportError(`${name} is protected by a password`);
  const stream = await new Promise<Readable>((resolve, reject) =>
    zip.openReadStream(entry, (error, opened) =>
      error || !opened ? reject(toFault(name, error)) : resolve(opened),
    ),
  );
  try {
    yield* bounded(stream, `${entry.fileName} in ${name}`, () => Math.max(entry.compressedSize, 1));
  } catch (error) {
    throw error instanceof ImportError ? error : toFault(name, error);
  } finally {
    stream.destroy();
  }
}

function toFault(name: string, error: unknown): ImportError {
  return new ImportError(
    `${name} is not a whole zip file: ${error instanceof Error ? error.message : 'unreadable'}`,
  );
}
