import type { EventsServer } from '../../src/log/clickhouse/server.ts';
import { sql } from '../../src/log/clickhouse/sql.ts';
import { VISIT_GAP_MS } from '../../src/vocabulary/analytics.ts';
import { DAY_MS } from '../analytics/questions.ts';

/** Columns of the visits, and what they are made of. */
const OF_VISITS: Record<string, string> = {
  source: "CAST(source, 'String')",
  channel: "CAST(channel, 'String')",
  location: "CAST(ifNull(location, ''), 'String')",
  browser: "CAST(ifNull(browser, ''), 'String')",
  os: "CAST(ifNull(os, ''), 'String')",
  device_type: "CAST(ifNull(device_type, ''), 'String')",
};

/**
 * The ten panels of whole UTC days, as fast as they were found to come when written by hand: visits once into a table in
 * memory, then a statement a panel. They know less than the service: no filter, no visit that continues beyond the days,
 * nothing erased, and of a page neither where visits begin nor where they end.
 */
export async function askPanelsByHand(
  server: EventsServer,
  { websiteKey, fromMs, toMs }: { websiteKey: number; fromMs: number; toMs: number },
): Promise<void> {
  const names = Object.keys(OF_VISITS);
  const those = sql`website_key = ${websiteKey} AND class = 0 AND day >= ${fromMs / DAY_MS} AND day < ${toMs / DAY_MS}`;
  const firstOf = { text: names.map((name, index) => `es[1].${index + 5} AS ${name}`).join(', ') };
  const columns = { text: Object.values(OF_VISITS).join(', ') };
  await server.command(sql`CREATE OR REPLACE TABLE visits_by_hand ENGINE = Memory AS
    SELECT visitor_id, length(es) AS events, countEqual(es.3, 0) AS pageviews, events = 1 AND pageviews = 1 AS is_bounce,
      es[-1].1 - es[1].1 AS lasted, arrayFirst(e -> e.3 = 0, es).4 AS entry_page, ${firstOf}
    FROM (SELECT visitor_id, arrayJoin(arraySplit((e, d) -> d > ${VISIT_GAP_MS}, whole, arrayDifference(whole.1))) AS es FROM (
      SELECT visitor_id, arraySort(groupArray((created_at_ms, key, type, page, ${columns}))) AS whole
      FROM events WHERE ${those} GROUP BY visitor_id))`);
  const figures = sql`uniqExact(visitor_id) AS visitors, count(), sum(pageviews), sum(events), avg(is_bounce), avg(lasted)`;
  await server.read(sql`SELECT ${figures} FROM visits_by_hand`);
  const ofEvents = sql`uniqExact(visitor_id) AS visitors, countIf(type = 0), count()`;
  await server.read(sql`SELECT day, ${ofEvents} FROM events WHERE ${those} GROUP BY day ORDER BY day`);
  await server.read(
    sql`SELECT page, ${ofEvents}, count() OVER () FROM events WHERE ${those} AND page != '' GROUP BY page ORDER BY visitors DESC, page LIMIT 10`,
  );
  for (const name of ['entry_page', ...names]) {
    const value = { text: name };
    await server.read(
      sql`SELECT ${value}, ${figures}, count() OVER () FROM visits_by_hand WHERE ${value} != '' GROUP BY ${value} ORDER BY visitors DESC, ${value} LIMIT 10`,
    );
  }
}
