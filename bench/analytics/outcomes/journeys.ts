import type { Journeys } from '../../../src/metrics/reports/journeys.ts';
import { JOURNEYS_A_BRANCH } from '../../../src/vocabulary/analytics.ts';
import type { Asked } from '../ask.ts';
import type { OutcomeContext } from '../outcomes.ts';
import { compareCounts } from './sql.ts';

const TARGET_MS = 200;
const PAGEVIEWS = JSON.stringify([['is', 'eventType', ['pageview']]]);

/** From the beginning of all visits. Of pages alone, because DuckDB's table has no names of events. */
export function askJourneys({ website, range, where }: OutcomeContext): Asked {
  return {
    name: 'journeys of all visits, 30 days',
    path: `${website}/stats/journeys?${range}&filters=${encodeURIComponent(PAGEVIEWS)}`,
    targetMs: TARGET_MS,
    async rival({ connection }) {
      const found = await connection.runAndReadAll(
        `WITH seen AS (SELECT visit, page, created_at AS t,
                              lag(page) OVER (PARTITION BY visit ORDER BY created_at) AS before
                       FROM events WHERE ${where} AND type = 'pageview'),
              walked AS (SELECT list(page ORDER BY t) AS path FROM seen
                         WHERE page IS DISTINCT FROM before GROUP BY visit),
              counted AS (SELECT path[1] AS a, path[2] AS b, path[3] AS c, path[4] AS d, path[5] AS e, count(*) AS visits
                          FROM walked GROUP BY ALL)
         SELECT a::VARCHAR AS a, b::VARCHAR AS b, c::VARCHAR AS c, d::VARCHAR AS d, e::VARCHAR AS e,
                5 - bit_count(grouping_id(a, b, c, d, e)) AS step, sum(visits)::DOUBLE AS visits
         FROM counted GROUP BY ROLLUP (a, b, c, d, e)
         HAVING sum(visits) * ${JOURNEYS_A_BRANCH} >= (SELECT sum(visits) FROM counted)`,
      );
      const theirs = found.getRowObjectsJS().map(({ a, b, c, d, e, step, visits }): [unknown[], unknown] => {
        return [[a, b, c, d, e].slice(0, Number(step)), visits];
      });
      const went = theirs.filter(([path]) => !path.includes(null)); // null: the visit ended there
      return (ours) =>
        compareCounts(
          toCounts(ours as Journeys), // what the route's schema promises
          new Map(went.map(([path, visits]) => [JSON.stringify(path), visits])),
        );
    },
  };
}

/** By path; all visits by that of no step. */
function toCounts({ visits, branches }: Journeys): Map<string, number> {
  const paths: unknown[][] = [];
  const counts = new Map([[JSON.stringify([]), visits]]);
  for (const branch of branches) {
    const path = [...(branch.parent === null ? [] : (paths[branch.parent] ?? [])), branch.value];
    paths.push(path);
    if (branch.stop !== 'other') counts.set(JSON.stringify(path), branch.visits);
  }
  return counts;
}
