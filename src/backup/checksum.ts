import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename } from 'node:path';

/** Checksum files: each copy has its SHA-256 next to it, in the format of `sha256sum -c`. */

const PIECE_BYTES = 1024 * 1024;
/** A line may begin with a backslash, which `sha256sum` writes when it had to escape the name. */
const FORM = /^\\?([0-9a-f]{64})(?:\s|$)/i;

/** Returns the path, or object name, of a copy's checksum. */
export function checksumName(name: string): string {
  return `${name}.sha256`;
}

export function toChecksumText(sha256: string, path: string): string {
  return `${sha256}  ${basename(path)}\n`;
}

/** Parses a checksum file. @throws Error with a sentence when it contains no checksum */
export function parseChecksum(text: string, name: string): string {
  const sha256 = text.match(FORM)?.[1];
  if (sha256 === undefined)
    throw new Error(`${name} holds no SHA-256. If the copy is known to be right, remove that file.`);
  return sha256.toLowerCase();
}

/** Reads the checksum of a copy; undefined without one. @throws Error with a sentence */
export function readChecksum(path: string): string | undefined {
  const name = checksumName(path);
  try {
    return parseChecksum(readFileSync(name, 'latin1'), name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The SHA-256 of a file, hexadecimal. */
export function hashFile(path: string): string {
  const hash = new Bun.CryptoHasher('sha256');
  const piece = Buffer.alloc(PIECE_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let size = readSync(file, piece); size > 0; size = readSync(file, piece))
      hash.update(piece.subarray(0, size));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}
