import { LINE_BYTES_MAX } from '../bounds.ts';
import type { ImportRow } from '../format.ts';
import { readLines } from './lines.ts';
import type { SourceFile } from './source-file.ts';

type Rest = ImportRow extends infer Row ? (Row extends ImportRow ? Omit<Row, 'line'> : never) : never;

/** Lines around the objects of a file that is one JSON document with an object a line. */
const ENVELOPE = /^(?:\{.*\[|\[|\],?|\]\}|\])$/;

/** Returns the first object of a file; undefined when its first lines are not JSON objects. */
export function firstJson(head: string): Record<string, unknown> | undefined {
  for (const line of head.trimStart().split('\n', 2)) {
    const value = parseObject(line.trim());
    if (value) return value;
    if (!ENVELOPE.test(line.trim())) return undefined;
  }
  return undefined;
}

/** Reads files with a JSON object on each line. */
export async function* eachJson(
  files: readonly SourceFile[],
  toRow: (fields: Record<string, unknown>) => Rest,
): AsyncGenerator<ImportRow[], void, undefined> {
  for (const file of files)
    for await (const { firstLine, lines } of readLines(file.text())) {
      const rows: ImportRow[] = [];
      for (const [index, text] of lines.entries()) {
        const line = firstLine + index;
        const trimmed = text?.trim();
        if (trimmed === '' || (trimmed && ENVELOPE.test(trimmed))) continue;
        const fields = trimmed && parseObject(trimmed);
        if (!fields) rows.push({ line, reason: trimmed ? 'Not a JSON object' : TOO_LONG });
        else rows.push({ line, ...toRow(fields) } as ImportRow); // a row without its line
      }
      if (rows.length > 0) yield rows;
    }
}

export const TOO_LONG = `Longer than ${LINE_BYTES_MAX} bytes`;

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.endsWith(',') ? text.slice(0, -1) : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
