import type { ResolvedRange } from '../../contract/metrics/figures.ts';
import type { Format } from '../../vocabulary/contract.ts';
import { type Row, type Table, toFile } from './format.ts';

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

type Range = typeof ResolvedRange.static;

/** What a file of a website is called: its host, the report, and the days that the answer is about. */
export function fileNameOf({ domain }: { domain: string }, report: string, answer?: unknown): string {
  const { range } = (answer ?? {}) as { range?: Range }; // answers that are of a range have it
  return [URL.parse(domain)?.hostname ?? 'website', report, ...(range ? daysOf(range) : [])].join('-');
}

/** By the clocks of its zone; one when both are the same. */
function daysOf({ from, to, timezone }: Range): string[] {
  const { format } = new Intl.DateTimeFormat('sv', { timeZone: timezone }); // as ISO 8601 has them
  return [...new Set([format(Date.parse(from)), format(Date.parse(to) - 1)])];
}
