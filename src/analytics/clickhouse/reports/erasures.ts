import { eraseEvents } from '../../../log/clickhouse/erasures.ts';
import { notErased } from '../../../log/clickhouse/rows.ts';
import { sql } from '../../../log/clickhouse/sql.ts';
import type { Analytics } from '../../analytics.ts';
import { ask, toScope } from '../ask.ts';
import type { Source } from '../read-window.ts';
import { createScan, EVENT } from '../scan.ts';

export async function eraseVisitor(
  { websiteKey, visitorId }: Parameters<Analytics['eraseVisitor']>[0],
  { server, now }: Source,
): ReturnType<Analytics['eraseVisitor']> {
  const those = sql`SELECT id, key FROM events
    WHERE website_key = ${websiteKey} AND visitor_id = ${visitorId} AND ${notErased(websiteKey, true)}`;
  return { eventsRemoved: await eraseEvents(server, { websiteKey, those, nowMs: now() }) };
}

/** Counts the events, then erases those it counted: events stored in between are outside the snapshot. */
export async function eraseSelected(
  request: Parameters<Analytics['eraseSelected']>[0],
  source: Source,
): ReturnType<Analytics['eraseSelected']> {
  const { websiteKey, eventsMax } = request;
  const { server, now } = source;
  const { events, those } = await ask(source, toScope(request), async (window) => {
    const scan = createScan(window);
    const matching = scan.matches(request);
    const id = scan.column(sql`id`);
    const selected = sql`SELECT ${id} AS id, ${EVENT.key} AS key FROM (
      SELECT arrayJoin(arrayFilter(e -> ${matching}, es)) AS e FROM ${scan.visits()})`;
    const [[count] = [0]] = await server.read<[number]>(sql`SELECT count() FROM (${selected})`);
    return { events: count, those: selected };
  });
  const isErased = events <= eventsMax;
  if (isErased && events > 0) await eraseEvents(server, { websiteKey, those, nowMs: now() });
  return { events, isErased };
}
