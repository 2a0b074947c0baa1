import { FORMATS, type Format } from '../../contract/vocabulary.ts';
import type { Parameters } from '../question/parameters.ts';
import { type Row, type Table, toFile } from './format.ts';

export function readFormat(parameters: Parameters): Format {
  return parameters.choice('format', FORMATS) ?? 'json';
}

/**
 * The answer as JSON, or its table as a file. A file is a Response, which Elysia hands on without looking at the
 * schema; typed as the answer, so that the schema and typed clients speak of JSON alone.
 */
export function respond<Answer, R extends Row>(
  format: Format,
  answer: Answer,
  toTable: (answer: Answer) => Table<R>,
): Answer {
  return format === 'json' ? answer : (toFile(toTable(answer), format) as Answer);
}

/** What the files of a website begin with. */
export function fileNameOf({ domain }: { domain: string }, report: string): string {
  return `${URL.parse(domain)?.hostname ?? 'website'}-${report}`;
}
