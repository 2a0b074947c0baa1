import { DAY_MS, LARGEST } from '../analytics/questions.ts';
import { END_MS, keyOf } from '../analytics/quick/load.ts';
import type { Asked } from '../analytics/quick/questions.ts';

const WEEKS = 12;

/** Retention, journeys and attribution: what reads more than the range, and what walks visits. */
export function listOutcomes(days = 30): Asked[] {
  const range = { websiteKey: keyOf(LARGEST), fromMs: END_MS - days * DAY_MS, toMs: END_MS };
  const fromMs = END_MS - WEEKS * 7 * DAY_MS;
  const bounds = Array.from({ length: WEEKS + 1 }, (_, week) => fromMs + week * 7 * DAY_MS);
  const condition = {
    op: 'match' as const,
    dimension: 'page' as const,
    operator: 'is' as const,
    values: ['/signup'],
  };
  return [
    {
      name: `retention, ${WEEKS} weeks`,
      ask: (analytics) => analytics.retention({ ...range, fromMs, bounds }),
    },
    {
      name: `journeys, ${days} days`,
      ask: (analytics) => analytics.journeys({ ...range, direction: 'from' }),
    },
    {
      name: `attribution, ${days} days`,
      ask: (analytics) =>
        analytics.attribution({ ...range, condition, dimension: 'source', lookbackMs: 30 * DAY_MS }),
    },
  ];
}
