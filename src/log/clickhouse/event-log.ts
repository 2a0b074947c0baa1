import { sendPatiently } from '../../db/send-patiently.ts';
import type { NewEvent, Outcome } from '../event.ts';
import type { EventLog } from '../event-log.ts';
import { createKeys } from './keys.ts';
import {
  type Derive,
  dayOf,
  EVENT_COLUMNS,
  type EventCells,
  type StoredEvent,
  toRow,
  toStoredEvent,
} from './rows.ts';
import { type EventsServer, INGEST_PATIENCE_MS } from './server.ts';
import { isOneOf, type Sql, sql } from './sql.ts';

/** How long an insert whose sender has given up may take to arrive, and how many of them are remembered. */
const DOUBTFUL_MS = 5 * 60_000;
const DOUBTFUL_MAX = 10;

type Options = {
  server: EventsServer;
  /** Which of these websites are there and not deleted. */
  findLive: (websiteKeys: readonly number[]) => Promise<ReadonlySet<number>>;
  derive: Derive;
  /** Other processes store events too. */
  isShared: boolean;
  now: () => number;
};

/**
 * The log on ClickHouse. The server has no unique index, so an event is looked up by its id before it is stored, and a
 * batch whose answer is lost is sent again under its token, which the server takes once. What is appended while something
 * else is being inserted is looked up and made ready meanwhile. Two processes may store one event
 * in the same moment: then whoever is second sees it twice right afterwards, before it answers, and takes the later one
 * back. Likewise when an insert arrives after its sender has given up. What nobody is left to see, `keepUp` finds.
 */
export function createClickHouseLog({ server, findLive, derive, isShared, now }: Options): EventLog {
  const takeKeys = createKeys(now);
  /** Whose insert failed: it may arrive after all, when they were stored a second time. */
  let doubtful: { ids: readonly string[]; atMs: number }[] = [];
  /** By the id of an event: the last one that may store it, and has not ended. */
  const atWork = new Map<string, Promise<Outcome[]>>();
  /** Settles after the last insert: those of one process become visible in the order of their keys. */
  let lastInsert: Promise<unknown> = Promise.resolve();
  return { append };

  async function append(events: readonly NewEvent[]): Promise<Outcome[]> {
    const others = new Set(events.map(({ id }) => atWork.get(id)));
    const own = Promise.allSettled(others).then(() => lookUpAndStore(events));
    for (const { id } of events) atWork.set(id, own);
    try {
      return await own;
    } finally {
      for (const { id } of events) if (atWork.get(id) === own) atWork.delete(id);
    }
  }

  async function lookUpAndStore(events: readonly NewEvent[]): Promise<Outcome[]> {
    const [live, known] = await Promise.all([
      findLive([...new Set(events.map(({ website }) => website.key))]),
      findStored(
        server,
        events.map(({ id }) => id),
      ),
    ]);
    const first = new Map<string, Pick<StoredEvent, 'event' | 'websiteKey'>>(known);
    const fresh: NewEvent[] = [];
    for (const event of events) {
      if (first.has(event.id) || !live.has(event.website.key)) continue;
      first.set(event.id, { event, websiteKey: event.website.key });
      fresh.push(event);
    }
    if (fresh.length > 0) await store(fresh);
    return events.map((event): Outcome => {
      if (!live.has(event.website.key)) return { kind: 'gone' };
      const stored = first.get(event.id);
      if (!stored) return { kind: 'failed' };
      return stored.websiteKey === event.website.key
        ? { kind: 'stored', event: stored.event }
        : { kind: 'conflict' };
    });
  }

  async function store(events: readonly NewEvent[]): Promise<void> {
    const firstKey = takeKeys(events.length);
    const before = lastInsert;
    const inserted = Promise.withResolvers<void>();
    lastInsert = inserted.promise;
    const ids = events.map(({ id, createdAtMs, website }) => ({
      first_half: firstHalf(id),
      website_key: website.key,
      day: dayOf(createdAtMs),
    }));
    const own = events.map(({ id }) => id);
    try {
      const rows = events.map((event, index) => toRow(event, firstKey + index, derive));
      const insertEvents = server.toInsert('events', rows);
      await sendPatiently(server.toInsert('event_ids', ids));
      await before;
      await sendPatiently(insertEvents);
    } catch (error) {
      doubtful = [...doubtful, { ids: own, atMs: performance.now() }].slice(-DOUBTFUL_MAX);
      throw error;
    } finally {
      inserted.resolve();
    }
    const suspects = [...(isShared ? own : []), ...doubtful.flatMap(({ ids: failed }) => failed)];
    if (suspects.length > 0) await takeBackRepeats(server, { ids: suspects });
    doubtful = doubtful.filter(({ atMs }) => performance.now() - atMs < DOUBTFUL_MS);
  }
}

/** As text: it has more digits than a number of JavaScript. */
function firstHalf(id: string): string {
  return BigInt(`0x${id.replaceAll('-', '').slice(0, 16)}`).toString();
}

/** The websites and days in which events of some ids may be; with `isTwice` only those whose id was stored twice. */
async function findPlaces(
  server: EventsServer,
  ids: readonly string[],
  { isTwice }: { isTwice: boolean },
): Promise<Sql | undefined> {
  // One text: the server reads a list of ten thousand numbers in a third of the time that it takes over as many literals.
  const halves = sql`SELECT arrayJoin(CAST(${`[${ids.map(firstHalf).join(',')}]`}, 'Array(UInt64)'))`;
  const places = await server.read<[websiteKeys: number[], days: number[]]>(
    sql`SELECT groupUniqArray(website_key), groupUniqArray(day) FROM event_ids WHERE first_half IN (${halves})
      GROUP BY first_half HAVING count() >= ${isTwice ? 2 : 1}`,
    INGEST_PATIENCE_MS,
  );
  if (places.length === 0) return undefined;
  const websiteKeys = [...new Set(places.flatMap(([keys]) => keys))];
  const days = [...new Set(places.flatMap(([, own]) => own))];
  return sql`${isOneOf(sql`website_key`, websiteKeys)} AND ${isOneOf(sql`day`, days)}`;
}

/** What is stored under some ids. */
export async function findStored(
  server: EventsServer,
  ids: readonly string[],
): Promise<Map<string, StoredEvent>> {
  const places = await findPlaces(server, ids, { isTwice: false });
  if (!places) return new Map();
  const rows = await server.read<EventCells>(
    sql`SELECT ${EVENT_COLUMNS} FROM events WHERE ${places} AND ${isIdOneOf(ids)}
        AND (id, key) NOT IN (SELECT id, key FROM erased_events)
      ORDER BY key DESC, website_key DESC`,
    INGEST_PATIENCE_MS,
  );
  return new Map(rows.map(toStoredEvent).map((stored) => [stored.event.id, stored])); // the first one last
}

function isIdOneOf(ids: readonly string[]): Sql {
  return isOneOf(sql`id`, ids);
}

/**
 * Of events that are there twice, all but the first go: of some ids, or of those stored since a key.
 *
 * @returns how many there were
 */
export async function takeBackRepeats(
  server: EventsServer,
  which: { ids: readonly string[] } | { sinceKey: number },
): Promise<number> {
  const places =
    'ids' in which ? await findPlaces(server, which.ids, { isTwice: true }) : sql`key >= ${which.sinceKey}`;
  if (!places) return 0;
  const those = 'ids' in which ? sql`${places} AND ${isIdOneOf(which.ids)}` : places;
  const doubled = await server.read<
    [events: [key: number, websiteKey: number, visitorId: string][], id: string]
  >(
    sql`SELECT arraySort(groupArray((key, website_key, visitor_id))), id FROM events WHERE ${those}
      AND id IN (SELECT id FROM events WHERE ${those} GROUP BY id HAVING count() > 1) GROUP BY id`,
  );
  const repeats = doubled.flatMap(([events, id]) => events.slice(1).map((event) => [id, ...event] as const));
  for (const [id, key, websiteKey, visitorId] of repeats)
    await server.command(
      sql`DELETE FROM events WHERE website_key = ${websiteKey} AND id = ${id} AND key = ${key} AND visitor_id = ${visitorId}`,
    );
  return repeats.length;
}
