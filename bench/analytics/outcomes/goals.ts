import type { GoalStats } from '../../../src/contract/metrics-goals.ts';
import type { Asked } from '../ask.ts';
import type { OutcomeContext } from '../outcomes.ts';
import { compareCounts, quote } from './sql.ts';

const TARGET_MS = 60;

export function askGoals({ website, range, where, pages }: OutcomeContext): Asked {
  return {
    name: `${pages.length} goals and their rates, 30 days`,
    path: `${website}/stats/goals?${range}`,
    targetMs: TARGET_MS,
    async rival({ connection }) {
      const found = await connection.runAndReadAll(
        `SELECT page::VARCHAR AS page, count(*)::DOUBLE AS conversions, count(DISTINCT visitor)::DOUBLE AS converters,
                (SELECT count(DISTINCT visitor) FROM events WHERE ${where})::DOUBLE AS visitors
         FROM events WHERE ${where} AND type = 'pageview' AND page IN (${pages.map(quote).join(', ')}) GROUP BY page`,
      );
      const theirs = found
        .getRowObjectsJS()
        .map((row): [string, string] => [
          `${row.page}`,
          `${row.conversions} by ${row.converters} of ${row.visitors}`,
        ]);
      return (ours) => {
        const { goals, visitors } = ours as GoalStats; // what the route's schema promises
        const mine = goals.map(({ name, conversions, converters }): [string, string] => [
          name,
          `${conversions} by ${converters} of ${visitors}`,
        ]);
        return compareCounts(new Map(mine), new Map(theirs));
      };
    },
  };
}
