import type { ResolvedRange } from '../../contract/metrics/figures.ts';
import type { Format } from '../../vocabulary/contract.ts';
import { type Row, type Table, toFile } from './format.ts';

/**
 * Answers with JSON, or with the answer's table as a file. A file is a Response, which Elysia passes on without validation;
 * its type is the answer, so that the schema and typed clients describe JSON only.
 */
export function respond<Answer, R extends Row>(
  format: Format,
  answer: Answer,
  toTable: (answer: Answer) => Table<R>,
): Answer {
  return format === 'json' ? answer : (toFile(toTable(answer), format) as Answer);
}

type Range = typeof ResolvedRange.static;

/** Returns the name of a website's file: its host, the report, and the days of the answer. */
export function fileNameOf({ domain }: { domain: string }, report: string, answer?: unknown): string {
  const { range } = (answer ?? {}) as { range?: Range }; // answers about a range have one
  return [URL.parse(domain)?.hostname ?? 'website', report, ...(range ? daysOf(range) : [])].join('-');
}

/** Returns the days of a range by its time zone; one when both are the same. */
function daysOf({ from, to, timezone }: Range): string[] {
  const { format } = new Intl.DateTimeFormat('sv', { timeZone: timezone }); // ISO 8601 dates
  return [...new Set([format(Date.parse(from)), format(Date.parse(to) - 1)])];
}
