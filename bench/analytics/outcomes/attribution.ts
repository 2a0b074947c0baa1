import type { Attribution } from '../../../src/metrics/reports/attribution.ts';
import { CONVERSION_PARTS } from '../../../src/vocabulary/analytics.ts';
import { ATTRIBUTION_DAYS_DEFAULT } from '../../../src/vocabulary/contract.ts';
import type { Asked } from '../ask.ts';
import type { OutcomeContext } from '../outcomes.ts';
import { DAY_MS } from '../questions.ts';
import { compareCounts, quote, toWhere } from './sql.ts';

const VALUES_MAX = 1_000;

/** Attribution of the most visited page. DuckDB looks at one day more than the lookback, for visits that begin before it. */
export function askAttribution({ website, range, where, fromMs, endMs, pages }: OutcomeContext): Asked {
  const [goal = ''] = pages;
  const seen = toWhere(fromMs - (ATTRIBUTION_DAYS_DEFAULT + 1) * DAY_MS, endMs);
  return {
    name: 'attribution of a goal by source, 30 days',
    path: `${website}/stats/attribution?${range}&goal=${encodeURIComponent(goal)}&limit=${VALUES_MAX}`,
    async rival({ connection }) {
      const found = await connection.runAndReadAll(
        `WITH visits AS (SELECT visit, visitor, source, min(created_at) AS began FROM events WHERE ${seen}
                         GROUP BY ALL),
              reached AS (SELECT row_number() OVER () AS id, visitor, visit, created_at FROM events
                          WHERE ${where} AND type = 'pageview' AND page = ${quote(goal)}),
              led AS (SELECT source, row_number() OVER (PARTITION BY id ORDER BY visits.visit) AS place,
                             count(*) OVER (PARTITION BY id) AS count
                      FROM reached JOIN visits USING (visitor)
                      WHERE visits.visit = reached.visit OR visits.visit < reached.visit
                        AND began >= created_at - INTERVAL ${ATTRIBUTION_DAYS_DEFAULT} DAY)
         SELECT source::VARCHAR AS source, count(*) FILTER (place = 1)::DOUBLE AS first,
                count(*) FILTER (place = count)::DOUBLE AS last,
                sum(${CONVERSION_PARTS} // count + (place <= ${CONVERSION_PARTS} % count)::INTEGER)::DOUBLE AS linear
         FROM led GROUP BY source`,
      );
      const theirs = found
        .getRowObjectsJS()
        .map((row): [string, string] => [
          `${row.source}`,
          toText(row.first, row.last, Number(row.linear) / CONVERSION_PARTS),
        ]);
      return (ours) => {
        const { rows } = ours as Attribution; // what the route's schema promises
        const mine = rows.map(({ value, first, last, linear }): [string, string] => [
          `${value}`,
          toText(first.conversions, last.conversions, linear.conversions),
        ]);
        return compareCounts(new Map(mine), new Map(theirs));
      };
    },
  };
}

function toText(first: unknown, last: unknown, linear: number): string {
  return `first ${first}, last ${last}, linear ${linear}`;
}
