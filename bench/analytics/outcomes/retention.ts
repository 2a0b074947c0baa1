import type { Retention } from '../../../src/metrics/reports/retention.ts';
import type { Asked } from '../ask.ts';
import type { OutcomeContext } from '../outcomes.ts';
import { DAY_MS } from '../questions.ts';
import { compareCounts, toWhere } from './sql.ts';

const WEEKS = 12;
const WEEK_MS = 7 * DAY_MS;
/** 1 January 1970 was a Thursday. */
const MONDAY_MS = 4 * DAY_MS;
const TARGET_MS = 200;

/** The last whole weeks. Visitors seen before them are new in none. */
export function askRetention({ website, endMs }: OutcomeContext): Asked {
  const toMs = endMs - ((endMs - MONDAY_MS) % WEEK_MS);
  const fromMs = toMs - WEEKS * WEEK_MS;
  return {
    name: `who came again, ${WEEKS} weeks`,
    path: `${website}/stats/retention?from=${fromMs}&to=${toMs}&timezone=UTC&interval=week`,
    targetMs: TARGET_MS,
    async rival({ connection }) {
      const found = await connection.runAndReadAll(
        `WITH seen AS (SELECT DISTINCT visitor, date_trunc('week', created_at) AS week
                       FROM events WHERE ${toWhere(0, toMs)}),
              known AS (SELECT week, min(week) OVER (PARTITION BY visitor) AS cohort FROM seen)
         SELECT epoch_ms(cohort)::DOUBLE AS cohort, date_diff('week', cohort, week)::DOUBLE AS later,
                count(*)::DOUBLE AS visitors
         FROM known WHERE cohort >= make_timestamp_ms(${fromMs}) GROUP BY ALL`,
      );
      const theirs = found
        .getRowObjectsJS()
        .map((row): [string, unknown] => [toName(Number(row.cohort), Number(row.later)), row.visitors]);
      return (ours) => {
        const { cohorts } = ours as Retention; // what the route's schema promises
        const mine = cohorts.flatMap(({ time, returned }) =>
          returned.map((count, later): [string, number] => [toName(Date.parse(time), later), count]),
        );
        return compareCounts(new Map(mine.filter(([, count]) => count > 0)), new Map(theirs));
      };
    },
  };
}

function toName(cohortMs: number, later: number): string {
  return `${new Date(cohortMs).toISOString()} + ${later}`;
}
