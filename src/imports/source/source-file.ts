import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { FILES_MAX } from '../bounds.ts';
import { ImportError } from '../import-error.ts';
import { decompress } from './decompress.ts';
import { parquetToJson } from './parquet.ts';
import { toUtf8, withHead } from './text.ts';
import { openZip, type RawFile } from './zip.ts';

/** A file to import, or one of a zip. */
export type SourceFile = {
  name: string;
  /** As it lies there, compressed or not. */
  sizeBytes: number;
  /** The beginning of its text, up to 64 KiB. */
  head: string;
  /** Its text as UTF-8. @throws ImportError while reading */
  text: () => AsyncIterable<Uint8Array>;
  /** Its bytes, decompressed, for formats that are not text. */
  bytes: () => AsyncIterable<Uint8Array>;
  /** Hash of its size, its beginning and its end. */
  fingerprint: string;
};

const CHUNK_BYTES = 256 * 1024;
const ZIP_MAGIC = 'PK\u0003\u0004';
const PARQUET_MAGIC = 'PAR1';

/**
 * Opens the files of an import, also those inside of a zip.
 *
 * @param given paths, or paths with a name for people
 * @throws ImportError naming the file that cannot be read
 */
export async function openSource(
  given: readonly (string | { path: string; name: string })[],
): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const each of given) {
    const { path, name } = typeof each === 'string' ? { path: each, name: basename(each) } : each;
    const sizeBytes = sizeOf(path);
    const fingerprint = await fingerprintOf(path, sizeBytes);
    const raw = await openRaw(path, { name, sizeBytes });
    for (const file of raw) files.push(await toSourceFile(file, fingerprint));
    if (files.length > FILES_MAX) throw new ImportError(`More than ${FILES_MAX} files`);
  }
  return files;
}

async function openRaw(path: string, file: { name: string; sizeBytes: number }): Promise<RawFile[]> {
  const magic = await Bun.file(path).slice(0, ZIP_MAGIC.length).text();
  if (magic === ZIP_MAGIC) return openZip(path, file.name);
  if (magic === PARQUET_MAGIC) return [{ ...file, open: () => parquetToJson(path, file.name) }];
  return [{ ...file, open: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }) }];
}

function sizeOf(path: string): number {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new ImportError(`${path} is not a file`);
    return found.size;
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function toSourceFile(raw: RawFile, fingerprint: string): Promise<SourceFile> {
  const bytes = () => decompress(withHead(raw.open()), raw.name);
  const text = () => toUtf8(bytes(), raw.name);
  return {
    name: raw.name,
    sizeBytes: raw.sizeBytes,
    head: await readHead(bytes, raw.name),
    text,
    bytes,
    fingerprint,
  };
}

/** Empty for a file that is not text: a format may know it by its name. */
async function readHead(bytes: () => AsyncIterable<Uint8Array>, name: string): Promise<string> {
  try {
    for await (const chunk of toUtf8(bytes(), name)) return new TextDecoder().decode(chunk);
  } catch (error) {
    if (error instanceof ImportError && error.message.endsWith('not a text file')) return '';
    throw error;
  }
  return '';
}

async function fingerprintOf(path: string, sizeBytes: number): Promise<string> {
  const file = Bun.file(path);
  const hasher = new Bun.CryptoHasher('sha256').update(String(sizeBytes));
  hasher.update(await file.slice(0, CHUNK_BYTES).bytes());
  hasher.update(await file.slice(Math.max(0, sizeBytes - CHUNK_BYTES)).bytes());
  return hasher.digest('hex').slice(0, 32);
}
