import type { Figures } from '../interface/query.ts';
import { endOf, type Means, type Part, startOf } from './parts.ts';

/** Counts of a group, in the order of the columns. */
const COUNTS = [
  'visitors',
  'visits',
  'pageviews',
  'events',
  'bounces',
  'durationMs',
  'begun',
  'begunBounces',
  'begunDurationMs',
  'ended',
] as const;
export type Group = Record<(typeof COUNTS)[number], number> & { value: string };
export type PartAnswer = { groups: Group[]; total: number };

/** A group: its part, value, counts, the number of groups of its part, and its rank among them. */
type PartRow = [part: number, value: string, ...numbers: number[]];

/** @param parts the parts of the statement */
export function readParts(rows: readonly PartRow[], parts: readonly Part[]): PartAnswer[] {
  const answers = parts.map((): PartAnswer => ({ groups: [], total: 0 }));
  for (const [part, value, ...numbers] of rows) {
    const answer = answers[part];
    const asked = parts[part];
    if (!answer || !asked) continue;
    const [total = 0, place = 0] = numbers.slice(COUNTS.length);
    answer.total = total;
    if (place > startOf(asked) && place <= endOf(asked)) answer.groups.push(toGroup(value, numbers));
  }
  return answers;
}

function toGroup(value: string, numbers: readonly number[]): Group {
  const counts = COUNTS.map((name, index) => [name, numbers[index] ?? 0]);
  return { value, ...(Object.fromEntries(counts) as Record<(typeof COUNTS)[number], number>) };
}

export const NOTHING = toGroup('', []);

export function toFigures(group: Group, means: Means = 'all', withWeights = false): Figures {
  const { visitors, visits, pageviews, events } = group;
  const [bounces, bouncing] = means === 'all' ? [group.bounces, visits] : [group.begunBounces, group.begun];
  const [durationMs, lasting] =
    means === 'begun' ? [group.begunDurationMs, group.begun] : [group.durationMs, visits];
  return {
    visitors,
    visits,
    pageviews,
    events,
    viewsPerVisit: divide(pageviews, visits),
    bounceRate: divide(bounces, bouncing),
    visitDuration: divide(durationMs, lasting) / 1000,
    ...(withWeights && { weights: { bounceRate: bouncing, visitDuration: lasting } }),
  };
}

/** Divides; the result is 0 without a divisor. */
export function divide(dividend: number, divisor: number): number {
  return divisor === 0 ? 0 : dividend / divisor;
}
