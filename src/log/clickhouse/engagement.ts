import { type Engagement, isReported } from '../../db/packed-engagement.ts';
import type { NewEvent } from '../event.ts';
import { dayOf, type StoredEvent } from './rows.ts';
import type { EventsServer } from './server.ts';
import { isOneOf, join, sql } from './sql.ts';

const UNREPORTED: Engagement = { engagedSeconds: null, scrollDepth: null };

/** Rows of `engagement`: a row for each report, which the server merges to the greatest values. */
export function toEngagementRows(events: readonly NewEvent[]): Record<string, unknown>[] {
  return events.filter(isReported).map((event) => ({
    website_key: event.website.key,
    day: dayOf(event.createdAtMs),
    id: event.id,
    engaged_seconds: event.engagedSeconds,
    scroll_depth: event.scrollDepth,
  }));
}

/** Reads the engagement of some events; returns a function that finds it by the event's id. */
export async function readEngagement(
  server: EventsServer,
  { websiteKeys, ids }: { websiteKeys: readonly number[]; ids: readonly string[] },
): Promise<(id: string) => Engagement> {
  if (ids.length === 0) return () => UNREPORTED;
  const uuids = join(
    ids.map((id) => sql`toUUID(${id})`),
    ', ',
  );
  const rows = await server.read<[id: string, seconds: number | null, depth: number | null]>(
    sql`SELECT id, max(engaged_seconds), max(scroll_depth) FROM engagement
      WHERE ${isOneOf(sql`website_key`, websiteKeys)} AND id IN (${uuids}) GROUP BY id`,
  );
  const found = new Map(
    rows.map(([id, engagedSeconds, scrollDepth]) => [id, { engagedSeconds, scrollDepth }]),
  );
  return (id) => found.get(id) ?? UNREPORTED;
}

export async function addEngagement(
  server: EventsServer,
  stored: readonly StoredEvent[],
): Promise<StoredEvent[]> {
  const engagementOf = await readEngagement(server, {
    websiteKeys: [...new Set(stored.map(({ websiteKey }) => websiteKey))],
    ids: stored.map(({ event }) => event.id),
  });
  return stored.map((one) => ({ ...one, event: { ...one.event, ...engagementOf(one.event.id) } }));
}
