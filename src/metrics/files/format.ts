import type { Format } from '../../vocabulary/contract.ts';

type Cell = string | number | boolean | null | undefined;
/** One line of NDJSON. Its cells are columns in CSV, where values that are not scalars are written as JSON. */
export type Row = Record<string, unknown>;
export type Table<R extends Row = Row> = {
  /** Name of the file. Letters, digits, dots and hyphens are kept. */
  name: string;
  columns: readonly (keyof R & string)[];
  rows: Iterable<R> | AsyncIterable<R>;
};

/** Amount of money in a row: exact as text, and recognised as a number by spreadsheets, also with a minus sign. */
export class Amount {
  constructor(readonly text: string) {}
  toJSON(): string {
    return this.text;
  }
}

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const;

/** Converts a table to a file. Rows are streamed, so a file may be larger than memory. */
export function toFile<R extends Row>(table: Table<R>, format: Exclude<Format, 'json'>): Response {
  const { columns, rows } = table;
  const name = `${table.name}.${format}`;
  if (Symbol.asyncIterator in rows) return streamFile(toLines(table, format), CONTENT_TYPES[format], name);
  const lines = Iterator.from(rows).map((row) => toLine(columns, row, format));
  const bytes = Buffer.from((format === 'csv' ? toCsvLine(columns) : '') + [...lines].join(''));
  const headers = fileHeaders(CONTENT_TYPES[format], name);
  return new Response(bytes, { headers: { ...headers, 'Content-Length': String(bytes.length) } });
}

function toLine<R extends Row>(columns: Table<R>['columns'], row: R, format: 'csv' | 'ndjson'): string {
  return format === 'csv' ? toCsvLine(columns.map((column) => row[column])) : `${JSON.stringify(row)}\n`;
}

function fileHeaders(contentType: string, name: string) {
  return {
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${toFileName(name)}"`,
  };
}

/** @param name name of the file, with its extension */
export function streamFile(lines: AsyncIterator<string>, contentType: string, name: string): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return?.();
    },
  });
  return new Response(body, { headers: fileHeaders(contentType, name) });
}

/** Rows per chunk: a chunk for each row would take longer than the row. */
const CHUNK_ROWS = 500;

async function* toLines<R extends Row>({ columns, rows }: Table<R>, format: 'csv' | 'ndjson') {
  let lines = format === 'csv' ? [toCsvLine(columns)] : [];
  for await (const row of rows) {
    lines.push(toLine(columns, row, format));
    if (lines.length < CHUNK_ROWS) continue;
    yield lines.join('');
    lines = [];
  }
  if (lines.length > 0) yield lines.join('');
}

/** Formats a line as RFC 4180 specifies. */
export function toCsvLine(cells: readonly unknown[]): string {
  return `${cells.map(toCsvCell).join(',')}\r\n`;
}

function toCsvCell(value: unknown): string {
  if (value instanceof Amount) return value.text;
  const text = isCell(value) ? neutralise(value) : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function isCell(value: unknown): value is Cell {
  return value === null || typeof value !== 'object';
}

/**
 * Escapes texts that a spreadsheet would take for a formula, full-width signs included: pages and referrers are untrusted
 * (OWASP, CSV injection). A text that begins like an escaped one is escaped again, so that an import finds it as it was.
 */
function neutralise(value: Cell): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' && /^'*[=+\-@＝＋－＠\t\r\n]/.test(value) ? `'${value}` : String(value);
}

const FILE_NAME_LENGTH_MAX = 120;

function toFileName(text: string): string {
  return text
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[.-]+/g, '')
    .slice(-FILE_NAME_LENGTH_MAX);
}
