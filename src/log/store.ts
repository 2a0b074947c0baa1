import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  max,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { eventCounts, events } from '../db/log-schema.ts';
import type { Db } from '../db/open.ts';
import { storedUrls } from '../db/packed-address.ts';
import { uuidToBytes } from '../db/packed-id.ts';
import { websites } from '../db/schema.ts';
import type { EventType } from '../vocabulary/contract.ts';
import { PLACE_NAME, toLoggedEvent } from './columns.ts';
import type { EventPosition, LoggedEvent } from './event.ts';
import { toTypeCode } from './event-type.ts';

type EventsFilter = {
  websiteKey: number;
  eventType?: EventType | undefined;
  /** Half-open: [fromMs, toMs). */
  fromMs?: number | undefined;
  toMs?: number | undefined;
  sessionId?: string | undefined;
  visitorId?: string | undefined;
  url?: string | undefined;
};
export type ListRequest = EventsFilter & {
  limit: number;
  offset: number /** The list, newest first, continues after this event. */;
  after?: EventPosition | undefined;
};

export type EventList = { events: LoggedEvent[]; total: number; next: EventPosition | undefined };

const COLUMNS = { ...getTableColumns(events), place: sql<string | null>`${sql.raw(PLACE_NAME)}` };

/** Newest first; events of one instant in the reverse order of their arrival. */
const NEWEST_FIRST = [desc(events.createdAtMs), desc(events.key)];

export async function listEvents(db: Db, request: ListRequest): Promise<EventList> {
  const { limit, offset, after } = request;
  const matching = toCondition(request);
  const page =
    after &&
    or(
      lt(events.createdAtMs, after.atMs),
      and(eq(events.createdAtMs, after.atMs), lt(events.key, after.key)),
    );
  // The keys come from the index alone, so that a deep offset does not read the rows that it skips.
  const keys = db
    .select({ key: events.key })
    .from(events)
    .where(and(matching, page))
    .orderBy(...NEWEST_FIRST)
    .limit(limit + 1)
    .offset(offset);
  const rows = await db
    .select(COLUMNS)
    .from(events)
    .where(inArray(events.key, keys))
    .orderBy(...NEWEST_FIRST);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    events: rows.slice(0, limit).map(toLoggedEvent),
    total: await countEvents(db, request),
    next: last && { atMs: last.createdAtMs, key: last.key },
  };
}

export type FoundEvent = { event: LoggedEvent; websiteId: string; ownerId: string | null };

/** @param id a UUID; the events of deleted websites are not found */
export async function findEvent(db: Db, id: string): Promise<FoundEvent | undefined> {
  const [row] = await db
    .select({ event: COLUMNS, websiteId: websites.id, ownerId: websites.userId })
    .from(events)
    .innerJoin(websites, and(eq(websites.key, events.websiteKey), isNull(websites.deletedAtMs)))
    .where(eq(events.eventId, uuidToBytes(id)))
    .limit(1);
  return row && { ...row, event: toLoggedEvent(row.event) };
}

/** Returns the key of the newest event of any website; 0 without events. */
export async function findNewestKey(db: Db): Promise<number> {
  const [row] = await db.select({ key: max(events.key) }).from(events);
  return row?.key ?? 0;
}

export async function hasEvents(db: Db, websiteKey: number): Promise<boolean> {
  const rows = await db
    .select({ count: eventCounts.count })
    .from(eventCounts)
    .where(and(eq(eventCounts.websiteKey, websiteKey), gt(eventCounts.count, 0)))
    .limit(1);
  return rows.length > 0;
}

/** Whether the table of a database has events, whatever keeps those of now. */
export async function hasEventsOfBefore(db: Db): Promise<boolean> {
  return (await db.select({ key: events.key }).from(events).limit(1)).length > 0;
}

/** Counts events, with the stored counters if the type is the only filter. */
async function countEvents(db: Db, filter: EventsFilter): Promise<number> {
  const { websiteKey, eventType, fromMs, toMs, sessionId, visitorId, url } = filter;
  const isCounted = [fromMs, toMs, sessionId, visitorId, url].every((value) => value === undefined);
  const [row] = isCounted
    ? await db
        .select({ total: sql<number>`coalesce(sum(${eventCounts.count}), 0)` })
        .from(eventCounts)
        .where(
          and(
            eq(eventCounts.websiteKey, websiteKey),
            eventType && eq(eventCounts.type, toTypeCode(eventType)),
          ),
        )
    : await db.select({ total: sql<number>`count(*)` }).from(events).where(toCondition(filter));
  return row?.total ?? 0;
}

function toCondition(filter: EventsFilter): SQL | undefined {
  const { websiteKey, eventType, fromMs, toMs, sessionId, visitorId, url } = filter;
  return and(
    eq(events.websiteKey, websiteKey),
    eventType && eq(events.type, toTypeCode(eventType)),
    fromMs === undefined ? undefined : gte(events.createdAtMs, fromMs),
    toMs === undefined ? undefined : lt(events.createdAtMs, toMs),
    sessionId === undefined ? undefined : eq(events.sessionId, sessionId),
    visitorId === undefined ? undefined : eq(events.visitorId, visitorId),
    url === undefined ? undefined : inArray(events.url, storedUrls(url)),
  );
}
