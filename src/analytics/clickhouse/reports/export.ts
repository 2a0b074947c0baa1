import { addEngagement } from '../../../log/clickhouse/engagement.ts';
import {
  EVENT_COLUMNS,
  type EventCells,
  notErased,
  POSITION,
  toPosition,
  toStoredEvent,
} from '../../../log/clickhouse/rows.ts';
import { sql } from '../../../log/clickhouse/sql.ts';
import type { Analytics } from '../../analytics.ts';
import type { Source } from '../read-window.ts';

export async function exportVisitor(
  { websiteKey, visitorId, after, limit }: Parameters<Analytics['exportVisitor']>[0],
  { server }: Source,
): ReturnType<Analytics['exportVisitor']> {
  const rest = after ? sql`${POSITION} > ${toPosition(after)}` : sql`1`;
  const rows = await server.read<EventCells>(
    sql`SELECT ${EVENT_COLUMNS} FROM events
      WHERE website_key = ${websiteKey} AND visitor_id = ${visitorId} AND ${notErased(websiteKey, true)} AND ${rest}
      ORDER BY created_at_ms, key, id LIMIT ${limit + 1}`,
  );
  const found = await addEngagement(server, rows.map(toStoredEvent));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    events: page.map(({ event }) => event),
    next:
      last && found.length > limit
        ? { atMs: last.event.createdAtMs, key: last.key, id: last.event.id }
        : undefined,
  };
}
