import { serverCode } from '../../log/clickhouse/server.ts';
import { type Sql, sql } from '../../log/clickhouse/sql.ts';
import { VISIT_GAP_MS, VISIT_MS_MAX } from '../../vocabulary/analytics.ts';
import type { ReadWindow, Source } from './read-window.ts';

/**
 * Finds the cuts of visits that reach the maximum length. A visit never pauses for 30 minutes, but two bounds cut it, which
 * only bots reach. Each cut depends on the one before it, so the few such visits are read and cut here.
 *
 * @returns ids of the events that begin a visit because of a bound
 */
export async function findCuts({ server }: Source, { rows, visitEventsMax }: ReadWindow): Promise<string[]> {
  const chains = await server.read<[events: [atMs: number, key: number, id: string][]]>(
    sql`SELECT es FROM (
      SELECT arrayJoin(arraySplit((e, d) -> d > ${VISIT_GAP_MS}, whole, arrayDifference(whole.1))) AS es FROM (
        SELECT arraySort(groupArray((created_at_ms, key, id))) AS whole FROM events
        WHERE ${rows} AND (website_key, visitor_id, class) IN (
          SELECT website_key, visitor_id, class FROM events WHERE ${rows} GROUP BY website_key, visitor_id, class
          HAVING count() > ${visitEventsMax} OR max(created_at_ms) - min(created_at_ms) > ${VISIT_MS_MAX})
        GROUP BY website_key, visitor_id, class))
      WHERE length(es) > ${visitEventsMax} OR es[-1].1 - es[1].1 > ${VISIT_MS_MAX}`,
  );
  return chains.flatMap(([events]) => cut(events, visitEventsMax));
}

/** Fails the statement when a visit exceeds the maximum length: its cuts were not computed yet. */
export function refuseLonger(es: Sql, { visitEventsMax }: ReadWindow): Sql {
  return sql`throwIf(length(${es}) > ${visitEventsMax} OR ${es}[-1].1 - ${es}[1].1 > ${VISIT_MS_MAX}) = 0`;
}

const THROWN = '395';

export function isRefusedAsLonger(error: unknown): boolean {
  return serverCode(error) === THROWN;
}

function cut(events: readonly [atMs: number, key: number, id: string][], eventsMax: number): string[] {
  const cuts: string[] = [];
  let startMs = events[0]?.[0] ?? 0;
  let count = 0;
  for (const [atMs, , id] of events) {
    if (count >= eventsMax || atMs - startMs > VISIT_MS_MAX) {
      cuts.push(id);
      startMs = atMs;
      count = 0;
    }
    count += 1;
  }
  return cuts;
}
