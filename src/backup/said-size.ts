import { closeSync, openSync, readSync } from 'node:fs';

const MARK = 'SQLite format 3\0';
const HEAD_BYTES = 100;
/** Value in the header that means 65,536, which does not fit into its two bytes. */
const LARGEST_PAGE = 1;

/** How many bytes a database has by its own head (https://sqlite.org/fileformat.html); undefined for any other file. */
export function readSaidSize(path: string): number | undefined {
  const head = Buffer.alloc(HEAD_BYTES);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, head) < HEAD_BYTES) return undefined;
  } finally {
    closeSync(file);
  }
  if (head.toString('latin1', 0, MARK.length) !== MARK) return undefined;
  const pageBytes = head.readUInt16BE(16);
  return head.readUInt32BE(28) * (pageBytes === LARGEST_PAGE ? 65_536 : pageBytes);
}
