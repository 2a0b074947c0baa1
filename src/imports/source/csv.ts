import type { CsvError } from 'csv-parse';
import { LINE_BYTES_MAX } from '../bounds.ts';
import type { ImportRow, RowContent } from '../format.ts';
import { ImportError } from '../import-error.ts';
import type { SourceFile } from './source-file.ts';

/** Records of a CSV file by the names of their columns, with the line of each. */
export type CsvGroup = { line: number; fields: Record<string, string> }[];

const GROUP_RECORDS = 500;
const DELIMITERS = [',', ';', '\t'] as const;

/** Sentences for the faults that the parser finds. */
const FAULTS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'there is text behind a closing quote',
  CSV_MAX_RECORD_SIZE: `a record is longer than ${LINE_BYTES_MAX} bytes, perhaps because a quote is not closed`,
};

/** Returns the names of the columns; empty for a file that has no first line. */
export function readHeader(head: string): string[] {
  const [line = ''] = head.split(/\r?\n/, 1);
  return line.split(delimiterOf(head)).map(toName);
}

/**
 * Reads the records after the header. Names of columns are compared in lower case, so their order and case do not matter.
 *
 * @throws ImportError naming the line that cannot be read
 */
export async function* readCsv(file: SourceFile): AsyncGenerator<CsvGroup, void, undefined> {
  const [{ parse }, { Readable }] = await Promise.all([import('csv-parse'), import('node:stream')]);
  const parser = parse({
    delimiter: delimiterOf(file.head),
    columns: (names: string[]) => names.map(toName),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LINE_BYTES_MAX,
  });
  const input = Readable.from(file.text(), { objectMode: false });
  input.on('error', (error) => parser.destroy(error));
  input.pipe(parser);
  let group: CsvGroup = [];
  try {
    for await (const { record, info } of parser) {
      group.push({ line: info.lines, fields: record });
      if (group.length < GROUP_RECORDS) continue;
      yield group;
      group = [];
    }
  } catch (error) {
    throw toFault(error, file.name);
  } finally {
    input.destroy();
  }
  if (group.length > 0) yield group;
}

function toName(name: string): string {
  return name
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .toLowerCase();
}

function delimiterOf(head: string): string {
  const [line = ''] = head.split(/\r?\n/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

function toFault(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('lines' in error)) return error;
  const { code, lines, message } = error as CsvError & { lines: number };
  return new ImportError(`${name}, line ${lines}: ${FAULTS[code] ?? message}`);
}

/** Reads files with a record each row. @param toRow returns a row without its line */
export async function* eachRecord(
  files: readonly SourceFile[],
  toRow: (fields: Record<string, string>) => RowContent,
): AsyncGenerator<ImportRow[], void, undefined> {
  for (const file of files)
    for await (const group of readCsv(file))
      yield group.map(({ line, fields }) => ({ file: file.name, line, ...toRow(fields) }));
}
