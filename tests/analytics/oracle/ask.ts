import type { Analytics } from '../../../src/analytics/analytics.ts';
import type { ExportedEvent } from '../../../src/analytics/interface/people.ts';
import type { Breakdown, QueryAnswer } from '../../../src/analytics/interface/query.ts';
import type { EventPosition } from '../../../src/log/event.ts';
import { METRICS } from '../../../src/vocabulary/analytics.ts';
import type { Question } from './questions.ts';

/** The engine that answers. */
export type Answerer = Pick<Analytics, Question['ask']>;

/** An export is read to its end. */
export async function ask(analytics: Answerer, question: Question): Promise<unknown> {
  switch (question.ask) {
    case 'query':
      return withoutUnasked(await analytics.query(question.request), question.request.breakdowns ?? []);
    case 'exportVisitor':
      return exportAll(analytics, question.request);
    default: {
      // Each other method takes the request of its own question, which the compiler cannot follow over the union.
      const method = analytics[question.ask] as (request: typeof question.request) => Promise<unknown>;
      return method(question.request);
    }
  }
}

/** Metrics that were not asked for may be 0 or not. */
function withoutUnasked(given: QueryAnswer, requests: readonly Breakdown[]): unknown {
  return {
    ...given,
    breakdowns: given.breakdowns?.map((breakdown, index) => {
      const asked = requests[index]?.metrics ?? METRICS;
      const unasked = METRICS.filter((metric) => !asked.includes(metric));
      return {
        ...breakdown,
        rows: breakdown.rows.map((row) => ({
          ...row,
          ...Object.fromEntries(unasked.map((metric) => [metric, 0])),
        })),
      };
    }),
  };
}

async function exportAll(
  analytics: Answerer,
  request: Parameters<Analytics['exportVisitor']>[0],
): Promise<ExportedEvent[]> {
  const events: ExportedEvent[] = [];
  let after: EventPosition | undefined;
  do {
    const page = await analytics.exportVisitor({ ...request, after });
    if (page.events.length > request.limit) throw new Error('More events than the limit');
    if (page.events.length === 0 && page.next !== undefined) throw new Error('An export without an end');
    events.push(...page.events);
    after = page.next;
  } while (after);
  return events;
}
