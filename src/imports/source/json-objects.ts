import { RECORD_BYTES_MAX } from '../bounds.ts';
import type { ImportRow, RowContent } from '../format.ts';
import { ImportError } from '../import-error.ts';
import type { SourceFile } from './source-file.ts';

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];

type Json = Record<string, unknown>;

/** Reads the objects of files: one after the other, or the entries of a list, over as many lines as they like. */
export async function* eachObject(
  files: readonly SourceFile[],
  toRows: (value: Json) => RowContent[],
): AsyncGenerator<ImportRow[], void, undefined> {
  for (const file of files) {
    let line = 0;
    for await (const texts of splitObjects(file)) {
      const rows: ImportRow[] = [];
      for (const text of texts) {
        line += 1;
        const at = { file: file.name, line };
        const value = parse(text);
        if (!value) rows.push({ ...at, reason: 'Not a JSON object' });
        else for (const row of toRows(value)) rows.push({ ...at, ...row });
      }
      yield rows;
    }
  }
}

/** Returns the first object of a file, if it is whole within the head. */
export function firstObject(head: string): Json | undefined {
  if (!/^\s*[[{]/.test(head)) return undefined;
  const splitter = new Splitter();
  const [first] = splitter.push(Buffer.from(head.trimStart()));
  return first === undefined ? undefined : parse(first);
}

async function* splitObjects(file: SourceFile): AsyncGenerator<string[], void, undefined> {
  const splitter = new Splitter();
  for await (const chunk of file.text()) {
    const texts = splitter.push(chunk);
    if (texts.length > 0) yield texts;
    if (splitter.openBytes > RECORD_BYTES_MAX)
      throw new ImportError(`${file.name}: a JSON object is longer than ${RECORD_BYTES_MAX} bytes`);
  }
  if (splitter.openBytes > 0) throw new ImportError(`${file.name} ends within a JSON object`);
}

/** Cuts bytes into JSON objects by counting braces outside of strings. */
class Splitter {
  #rest: Uint8Array = new Uint8Array();
  #scanned = 0;
  #depth = 0;
  #isInString = false;

  /** Bytes of the object that has not ended yet. */
  get openBytes(): number {
    return this.#rest.length;
  }

  push(chunk: Uint8Array): string[] {
    const data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : Buffer.from(chunk);
    const texts: string[] = [];
    let start = this.#depth > 0 ? 0 : -1;
    let at = this.#scanned;
    for (; at < data.length; at += 1) {
      const byte = data[at];
      if (this.#isInString) {
        if (byte === BACKSLASH) at += 1;
        else if (byte === QUOTE) this.#isInString = false;
      } else if (byte === QUOTE) this.#isInString = this.#depth > 0;
      else if (byte === OPEN) {
        if (this.#depth === 0) start = at;
        this.#depth += 1;
      } else if (byte === CLOSE && this.#depth > 0) {
        this.#depth -= 1;
        if (this.#depth > 0) continue;
        texts.push(data.toString('utf8', start, at + 1));
        start = -1;
      }
    }
    this.#rest = start < 0 ? new Uint8Array() : data.subarray(start);
    // One beyond the end: the byte after a backslash is in the next chunk.
    this.#scanned = start < 0 ? 0 : at - start;
    return texts;
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json; // it begins with a brace
  } catch {
    return undefined;
  }
}
