import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { websites } from '../../db/schema.ts';
import { toTypeCode } from '../event-type.ts';
import type { LogReads } from '../log-reads.ts';
import type { EventList, ListRequest } from '../store.ts';
import { addEngagement } from './engagement.ts';
import { hasErased } from './erasures.ts';
import {
  dayOf,
  EVENT_COLUMNS,
  type EventCells,
  notErased,
  POSITION,
  toPosition,
  toStoredEvent,
} from './rows.ts';
import type { EventsServer } from './server.ts';
import { allOf, isOneOf, type Sql, sql } from './sql.ts';
import { findStored } from './stored-ids.ts';

/** The log on ClickHouse for those who read it as it is. @param db has the websites */
export function createClickHouseReads(server: EventsServer, db: Db): LogReads {
  return {
    list: (request) => listEvents(server, request),

    async find(id) {
      const found = (await findStored(server, [id])).get(id.toLowerCase());
      const [stored] = await addEngagement(server, found ? [found] : []);
      if (!stored) return undefined;
      const [website] = await db
        .select({ websiteId: websites.id, ownerId: websites.userId })
        .from(websites)
        .where(and(eq(websites.key, stored.websiteKey), isNull(websites.deletedAtMs)))
        .limit(1);
      return website && { event: stored.event, ...website };
    },

    async hasEvents(websiteKey) {
      const some = notErased(websiteKey, await hasErased(server, websiteKey));
      const rows = await server.read(
        sql`SELECT 1 FROM events WHERE website_key = ${websiteKey} AND ${some} LIMIT 1`,
      );
      return rows.length > 0;
    },

    findFirstMs: async (websiteKey) => (await findFirst(server, [websiteKey])).get(websiteKey),

    async findEarliestMs(websiteKeys) {
      const [first, created] = await Promise.all([
        findFirst(server, websiteKeys),
        db
          .select({ key: websites.key, createdAtMs: websites.createdAtMs })
          .from(websites)
          .where(inArray(websites.key, websiteKeys)),
      ]);
      const instants = created.map(({ key, createdAtMs }) => first.get(key) ?? createdAtMs);
      return instants.length === 0 ? undefined : Math.min(...instants);
    },

    close: () => Promise.resolve(),
  };
}

/** Returns the time of the oldest event of each website that has events. */
async function findFirst(server: EventsServer, websiteKeys: readonly number[]): Promise<Map<number, number>> {
  const those = isOneOf(sql`website_key`, websiteKeys);
  const there = sql`${those} AND (id, key) NOT IN (SELECT id, key FROM erased_events WHERE ${those})`;
  const rows = await server.read<[websiteKey: number, firstMs: number]>(
    sql`SELECT website_key, min(created_at_ms) FROM events WHERE ${there} AND (website_key, day) IN
      (SELECT website_key, min(day) FROM events WHERE ${there} GROUP BY website_key)
    GROUP BY website_key`,
  );
  return new Map(rows);
}

async function listEvents(server: EventsServer, request: ListRequest): Promise<EventList> {
  const { websiteKey, limit, offset, after } = request;
  const matching = toCondition(request, await hasErased(server, websiteKey));
  const page = after ? sql`day <= ${dayOf(after.atMs)} AND ${POSITION} < ${toPosition(after)}` : sql`1`;
  const [rows, [[total] = [0]]] = await Promise.all([
    server.read<EventCells>(
      sql`SELECT ${EVENT_COLUMNS} FROM events WHERE ${matching} AND ${page}
        ORDER BY day DESC, created_at_ms DESC, key DESC, id DESC LIMIT ${limit + 1} OFFSET ${offset}`,
    ),
    server.read<[number]>(sql`SELECT count() FROM events WHERE ${matching}`),
  ]);
  const found = await addEngagement(server, rows.map(toStoredEvent));
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    events: found.slice(0, limit).map(({ event }) => event),
    total,
    next: last && { atMs: last.event.createdAtMs, key: last.key, id: last.event.id },
  };
}

function toCondition(filter: ListRequest, hasSomeErased: boolean): Sql {
  const { websiteKey, eventType, fromMs, toMs, sessionId, visitorId, url } = filter;
  const conditions = [sql`website_key = ${websiteKey}`];
  if (hasSomeErased) conditions.push(notErased(websiteKey, true));
  if (eventType !== undefined) conditions.push(sql`type = ${toTypeCode(eventType)}`);
  if (fromMs !== undefined) conditions.push(sql`day >= ${dayOf(fromMs)} AND created_at_ms >= ${fromMs}`);
  if (toMs !== undefined) conditions.push(sql`day <= ${dayOf(toMs)} AND created_at_ms < ${toMs}`);
  if (sessionId !== undefined) conditions.push(sql`session_id = ${sessionId}`);
  if (visitorId !== undefined) conditions.push(sql`visitor_id = ${visitorId}`);
  if (url !== undefined) conditions.push(sql`url = ${url}`);
  return allOf(conditions);
}
