import { readLines } from './lines.ts';
import type { SourceFile } from './source-file.ts';

/** Rows of one table of a dump, by the names of their columns; null: NULL. */
export type DumpGroup = { table: string; rows: { line: number; fields: Record<string, string> }[] };

/** `COPY public.session (session_id, website_id) FROM stdin;` */
const COPY = /^COPY (?:"?[\w$]+"?\.)?"?([\w$]+)"? \((.+)\) FROM stdin;$/;
const END = '\\.';
const GROUP_ROWS = 500;

export function isPgDump({ head }: Pick<SourceFile, 'head'>): boolean {
  return head.includes('PostgreSQL database dump');
}

/** Reads rows of some tables of a plain dump of pg_dump. @throws ImportError when the file cannot be read to its end */
export async function* readPgDump(
  file: SourceFile,
  tables: ReadonlySet<string>,
): AsyncGenerator<DumpGroup, void, undefined> {
  let current: { table: string; columns: string[] } | undefined;
  let rows: DumpGroup['rows'] = [];
  for await (const { firstLine, lines } of readLines(file.text())) {
    for (const [index, line] of lines.entries()) {
      if (line === null) continue; // longer than any row of these tables
      if (!current) {
        const [, table = '', columns = ''] = COPY.exec(line) ?? [];
        if (tables.has(table)) current = { table, columns: columns.split(', ').map(withoutQuotes) };
        continue;
      }
      if (line === END || rows.length === GROUP_ROWS) {
        if (rows.length > 0) yield { table: current.table, rows };
        rows = [];
      }
      if (line === END) current = undefined;
      else rows.push({ line: firstLine + index, fields: toFields(current.columns, line) });
    }
  }
  if (current && rows.length > 0) yield { table: current.table, rows };
}

function withoutQuotes(name: string): string {
  return name.replace(/^"(.*)"$/, '$1');
}

function toFields(columns: readonly string[], line: string): Record<string, string> {
  const values = line.split('\t');
  const present = columns.flatMap((column, index): [string, string][] => {
    const value = values[index];
    return value === undefined || value === '\\N' ? [] : [[column, withoutEscapes(value)]];
  });
  return Object.fromEntries(present);
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

function withoutEscapes(value: string): string {
  return value.includes('\\')
    ? value.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter)
    : value;
}
