import { isUtf8 } from 'node:buffer';
import { LINE_BYTES_MAX } from '../bounds.ts';
import { ImportError } from '../import-error.ts';

/** Bytes that are looked at to find the encoding and the line ends, and by which formats recognise a file. */
export const HEAD_BYTES = 64 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const UTF_16: readonly { mark: [number, number]; name: 'utf-16le' | 'utf-16be' }[] = [
  { mark: [0xff, 0xfe], name: 'utf-16le' },
  { mark: [0xfe, 0xff], name: 'utf-16be' },
];

/**
 * Converts a file to UTF-8 without a byte order mark. UTF-16 is recognised by its mark; lines that end with a carriage
 * return alone get line feeds; a line that is not UTF-8 is read as Latin-1, because old logs mix both.
 *
 * @throws ImportError for a binary file
 */
export function toUtf8(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  return repairLines(convert(bytes, name));
}

async function* convert(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let toText: ((chunk: Uint8Array) => Uint8Array) | undefined;
  for await (const chunk of withHead(bytes)) {
    if (!toText) {
      const encoding = UTF_16.find(({ mark }) => chunk[0] === mark[0] && chunk[1] === mark[1])?.name;
      if (!encoding && chunk.subarray(0, HEAD_BYTES).includes(0))
        throw new ImportError(`${name} is not a text file`);
      toText = encoding ? fromUtf16(encoding) : fromBytes(chunk);
      const isMarked = chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
      yield toText(isMarked ? chunk.subarray(3) : chunk);
    } else yield toText(chunk);
  }
}

function fromUtf16(encoding: 'utf-16le' | 'utf-16be'): (chunk: Uint8Array) => Uint8Array {
  const decoder = new TextDecoder(encoding);
  return (chunk) => Buffer.from(decoder.decode(chunk, { stream: true }));
}

function fromBytes(head: Uint8Array): (chunk: Uint8Array) => Uint8Array {
  const endsWithReturn = head.includes(CARRIAGE_RETURN) && !head.includes(LINE_FEED);
  if (!endsWithReturn) return (chunk) => chunk;
  return (chunk) => chunk.map((byte) => (byte === CARRIAGE_RETURN ? LINE_FEED : byte));
}

/** Chunks end with lines, unless a line is too long. */
async function* repairLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of bytes) {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = data.lastIndexOf(LINE_FEED) + 1;
    rest = data.subarray(end);
    if (end > 0) yield repair(data.subarray(0, end));
    if (rest.length <= LINE_BYTES_MAX) continue;
    yield rest;
    rest = new Uint8Array();
  }
  if (rest.length > 0) yield repair(rest);
}

const latin1 = new TextDecoder('windows-1252');

function repair(data: Uint8Array): Uint8Array {
  if (isUtf8(data)) return data;
  const lines: Uint8Array[] = [];
  for (let start = 0; start < data.length; ) {
    const found = data.indexOf(LINE_FEED, start);
    const end = found === -1 ? data.length : found + 1;
    const line = data.subarray(start, end);
    lines.push(isUtf8(line) ? line : Buffer.from(latin1.decode(line)));
    start = end;
  }
  return Buffer.concat(lines);
}

/** The first chunk has `HEAD_BYTES`, unless the file is shorter. */
export async function* withHead(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let head: Uint8Array[] | undefined = [];
  let length = 0;
  for await (const chunk of bytes) {
    if (!head) {
      yield chunk;
      continue;
    }
    head.push(chunk);
    length += chunk.length;
    if (length < HEAD_BYTES) continue;
    yield Buffer.concat(head);
    head = undefined;
  }
  if (head && length > 0) yield Buffer.concat(head);
}
