import { sql } from '../../../log/clickhouse/sql.ts';
import type { RetentionAnswer, RetentionRequest } from '../../analytics.ts';
import { ask, toScope } from '../ask.ts';
import type { Source } from '../read-window.ts';
import { AT, createScan } from '../scan.ts';

export async function answerRetention(request: RetentionRequest, source: Source): Promise<RetentionAnswer> {
  const { bounds } = request;
  const [first, last] = [bounds[0], bounds.at(-1)];
  if (bounds.length < 2 || first === undefined || last === undefined) return { cohorts: [] };
  const starts = sql`${bounds.map((ms) => sql`toInt64(${ms})`)}`;
  const bucket = (atMs: typeof AT) => sql`indexOf(${starts}, roundDown(${atMs}, ${starts}))`;
  const rows = await ask(source, toScope(request), (window) => {
    const scan = createScan(window);
    const matching = sql`${scan.matches(request)} AND ${AT} >= ${first} AND ${AT} < ${last}`;
    const visitors = sql`SELECT visitor_id,
        arrayJoin(arrayMap(e -> ${bucket(AT)}, arrayFilter(e -> ${matching}, es))) AS bucket
      FROM ${scan.visits()}`;
    // Over all time, regardless of the filter.
    const began = sql`SELECT visitor_id, min(created_at_ms) AS began_ms FROM events
      WHERE ${window.visible}
      GROUP BY visitor_id HAVING began_ms >= ${first} AND began_ms < ${last}`;
    return source.server.read<[cohort: number, bucket: number, visitors: number]>(
      sql`SELECT cohort, bucket, count() FROM (
        SELECT visitor_id, arrayJoin(buckets) AS bucket, cohort FROM (
          SELECT visitor_id, groupUniqArray(bucket) AS buckets FROM (${visitors}) GROUP BY visitor_id) AS seen
        INNER JOIN (SELECT visitor_id, ${bucket(sql`began_ms`)} AS cohort FROM (${began})) AS fresh
          USING (visitor_id)
        WHERE has(buckets, cohort))
      GROUP BY cohort, bucket`,
    );
  });
  const counts = new Map(rows.map(([cohort, at, visitors]) => [`${cohort} ${at}`, visitors]));
  const count = bounds.length - 1;
  return {
    cohorts: Array.from({ length: count }, (_, cohort) =>
      Array.from(
        { length: count - cohort },
        (_, later) => counts.get(`${cohort + 1} ${cohort + later + 1}`) ?? 0,
      ),
    ),
  };
}
