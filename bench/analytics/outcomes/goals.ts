import type { GoalStats } from '../../../src/contract/metrics/goals.ts';
import type { Asked } from '../ask.ts';
import type { OutcomeContext } from '../outcomes.ts';
import { compareCounts, quote } from './sql.ts';

const TARGET_MS = 60;

/** Each goal is a condition of its own in DuckDB's statement, as goals may overlap. */
export function askGoals({ website, range, where, pages }: OutcomeContext): Asked {
  const counts = pages.map((page, index) => {
    const met = `FILTER (type = 'pageview' AND page = ${quote(page)})`;
    return `count(*) ${met}::DOUBLE AS c${index}, count(DISTINCT visitor) ${met}::DOUBLE AS v${index}`;
  });
  return {
    name: `${pages.length} goals and their rates, 30 days`,
    path: `${website}/stats/goals?${range}`,
    targetMs: TARGET_MS,
    async rival({ connection }) {
      const found = await connection.runAndReadAll(
        `SELECT count(DISTINCT visitor)::DOUBLE AS visitors, ${counts.join(', ')} FROM events WHERE ${where}`,
      );
      const [row = {}] = found.getRowObjectsJS();
      const theirs = pages.map((page, index): [string, string] => [
        page,
        `${row[`c${index}`]} by ${row[`v${index}`]} of ${row.visitors}`,
      ]);
      return (ours) => compareCounts(toCounts(ours), new Map(theirs));
    },
  };
}

/** The same, assuming that all goals are pages, so that no event reaches two of them. */
export function askGoalsAsPages({ website, range, where, pages }: OutcomeContext): Asked {
  return {
    name: '  DuckDB groups by page',
    path: `${website}/stats/goals?${range}`,
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
      return (ours) => compareCounts(toCounts(ours), new Map(theirs));
    },
  };
}

function toCounts(ours: unknown): Map<string, string> {
  const { goals, visitors } = ours as GoalStats; // what the route's schema promises
  return new Map(
    goals.map(({ name, conversions, converters }) => [
      name,
      `${conversions} by ${converters} of ${visitors}`,
    ]),
  );
}
