import type { Figures } from '../analytics.ts';
import { endOf, type Means, type Part, startOf } from './parts.ts';

/** A group as it is read. */
export type Group = {
  value: string;
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
  bounces: number;
  durationMs: number;
  begun: number;
  begunBounces: number;
  begunDurationMs: number;
  ended: number;
};
export type PartAnswer = { groups: Group[]; total: number };

export type PartRow = [part: number, value: string, ...numbers: number[]];

/** @param parts those of the statement */
export function readParts(rows: readonly PartRow[], parts: readonly Part[]): PartAnswer[] {
  const answers = parts.map((): PartAnswer => ({ groups: [], total: 0 }));
  for (const [part, value, ...numbers] of rows) {
    const answer = answers[part];
    const [
      visitors = 0,
      visits = 0,
      pageviews = 0,
      events = 0,
      bounces = 0,
      durationMs = 0,
      begun = 0,
      begunBounces = 0,
      begunDurationMs = 0,
      ended = 0,
      total = 0,
      place = 0,
    ] = numbers;
    const asked = parts[part];
    if (!answer || !asked) continue;
    answer.total = total;
    if (place > startOf(asked) && place <= endOf(asked))
      answer.groups.push({
        value,
        visitors,
        visits,
        pageviews,
        events,
        bounces,
        durationMs,
        begun,
        begunBounces,
        begunDurationMs,
        ended,
      });
  }
  return answers;
}

export const NOTHING: Group = {
  value: '',
  visitors: 0,
  visits: 0,
  pageviews: 0,
  events: 0,
  bounces: 0,
  durationMs: 0,
  begun: 0,
  begunBounces: 0,
  begunDurationMs: 0,
  ended: 0,
};

export function toFigures(group: Group, means: Means = 'all'): Figures {
  const { visitors, visits, pageviews, events } = group;
  const bounceRate =
    means === 'all' ? divide(group.bounces, visits) : divide(group.begunBounces, group.begun);
  const duration =
    means === 'begun' ? divide(group.begunDurationMs, group.begun) : divide(group.durationMs, visits);
  return {
    visitors,
    visits,
    pageviews,
    events,
    viewsPerVisit: divide(pageviews, visits),
    bounceRate,
    visitDuration: duration / 1000,
  };
}

/** A quotient of nothing is 0. */
export function divide(dividend: number, divisor: number): number {
  return divisor === 0 ? 0 : dividend / divisor;
}
