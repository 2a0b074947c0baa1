import type { ImportRow, RowContent } from '../format.ts';
import { eachLine } from './lines.ts';
import type { SourceFile } from './source-file.ts';

/** Lines around the objects of a file that is one JSON document with an object a line. */
const ENVELOPE = /^(?:\{.*\[|\[|\],?)$/;
const END = ']}';

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
export function eachJson(
  files: readonly SourceFile[],
  toRow: (fields: Record<string, unknown>) => RowContent,
): AsyncGenerator<ImportRow[], void, undefined> {
  return eachLine(files, (line) => {
    const text = line.trim();
    // Most lines are objects: a look at their last sign is enough.
    if (text === END || (!text.endsWith('}') && ENVELOPE.test(text))) return undefined;
    const fields = parseObject(text);
    return fields ? toRow(fields) : { reason: 'Not a JSON object' };
  });
}

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
