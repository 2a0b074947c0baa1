import { DAY_MS } from '../../vocabulary/durations.ts';
import type { SourceFile } from './source-file.ts';

/** A file without the comments above its header, such as `# Start date: 20240101`. */
export type Commented = SourceFile & {
  skippedLines: number;
  /** First day that the comments name, in days from 1970-01-01. */
  startDay: number | undefined;
};

export function afterComments(file: SourceFile): Commented {
  const comments = /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*/.exec(file.head)?.[0] ?? '';
  const skippedBytes = Buffer.byteLength(comments);
  return {
    ...file,
    head: file.head.slice(comments.length),
    text: () => skipBytes(file.text(), skippedBytes),
    skippedLines: comments.split('\n').length - 1,
    startDay: dayOfDigits(/^#.*?(\d{8})/m.exec(comments)?.[1] ?? ''),
  };
}

async function* skipBytes(
  text: AsyncIterable<Uint8Array>,
  count: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = count;
  for await (const chunk of text) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/** Reads `20240131` as days from 1970-01-01; undefined for a date that does not exist. */
export function dayOfDigits(digits: string): number | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(digits) ?? [];
  if (year === undefined) return undefined;
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return new Date(ms).toISOString().slice(0, 10) === `${year}-${month}-${day}` ? ms / DAY_MS : undefined;
}
