import { LINE_BYTES_MAX } from '../bounds.ts';
import type { ImportRow, RowContent } from '../format.ts';
import type { SourceFile } from './source-file.ts';

const LINE_FEED = 0x0a;

/** Reason for which a line is rejected. */
export const TOO_LONG = `Longer than ${LINE_BYTES_MAX} bytes`;

/** Lines in a row; `null` is one that is too long. */
export type LineGroup = { firstLine: number; lines: (string | null)[] };

/** Splits UTF-8 into lines, a chunk at a time. A line beyond the bound takes no memory. */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<LineGroup, void, undefined> {
  let rest: Uint8Array = new Uint8Array();
  let isSkipping = false;
  let firstLine = 1;
  for await (const chunk of bytes) {
    let data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const lines: (string | null)[] = [];
    if (isSkipping) {
      const end = data.indexOf(LINE_FEED);
      if (end === -1) {
        rest = new Uint8Array();
        continue;
      }
      isSkipping = false;
      lines.push(null);
      data = data.subarray(end + 1);
    }
    const end = data.lastIndexOf(LINE_FEED);
    lines.push(...(end === -1 ? [] : split(data.subarray(0, end))));
    rest = data.subarray(end + 1);
    if (rest.length > LINE_BYTES_MAX) {
      isSkipping = true;
      rest = new Uint8Array();
    }
    if (lines.length > 0) yield { firstLine, lines };
    firstLine += lines.length;
  }
  if (isSkipping) yield { firstLine, lines: [null] };
  else if (rest.length > 0) yield { firstLine, lines: split(rest) };
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function split(data: Uint8Array): (string | null)[] {
  return utf8.decode(data).split('\n').map(toLine);
}

function toLine(line: string): string | null {
  if (line.length > LINE_BYTES_MAX) return null;
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Reads files with a record each line. @param toRow returns a row without its line; undefined for what is not a record */
export async function* eachLine(
  files: readonly SourceFile[],
  toRow: (line: string) => RowContent | undefined,
): AsyncGenerator<ImportRow[], void, undefined> {
  for (const file of files)
    for await (const { firstLine, lines } of readLines(file.text())) {
      const rows: ImportRow[] = [];
      for (const [index, text] of lines.entries()) {
        if (text?.trim() === '') continue;
        const row = typeof text === 'string' ? toRow(text) : { reason: TOO_LONG };
        if (row) rows.push({ file: file.name, line: firstLine + index, ...row });
      }
      yield rows;
    }
}
