import { sendPatiently } from '../../db/send-patiently.ts';
import { MINUTE_MS } from '../../vocabulary/durations.ts';
import type { LoggedEvent, NewEvent, Outcome } from '../event.ts';
import type { EventLog } from '../event-log.ts';
import { toEngagementRows } from './engagement.ts';
import { createKeys } from './keys.ts';
import { type Derive, dayOf, toRow } from './rows.ts';
import type { EventsServer } from './server.ts';
import { findStored, firstHalf, takeBackRepeats } from './stored-ids.ts';

/** How long an insert whose sender has given up may take to arrive, and how many of them are remembered. */
const FAILED_INSERTS = { forMs: 5 * MINUTE_MS, max: 10 };

type Options = {
  server: EventsServer;
  /** Which of these websites are there and not deleted. */
  findLive: (websiteKeys: readonly number[]) => Promise<ReadonlySet<number>>;
  /** Which of these imports may add events. */
  findRunning: (importKeys: readonly number[]) => Promise<ReadonlySet<number>>;
  derive: Derive;
  /** Other processes store events too. */
  isShared: boolean;
  now: () => number;
};

/**
 * The log on ClickHouse. The server has no unique index, so an event is looked up by its id before it is stored. Appended
 * events are looked up and prepared while an insert is running. An event could be stored twice when
 *
 * - the response to an insert is lost: the insert is repeated under its token, which the server accepts once;
 * - it is sent twice to this process: the second waits for the first (`atWork`);
 * - two processes store it at the same moment: the second one sees both before it answers, and removes the later one;
 * - an insert arrives after its sender has given up: the next insert removes the later one (`failedInserts`);
 * - no process is left to see it: `keepUp` finds it.
 */
export function createClickHouseLog({
  server,
  findLive,
  findRunning,
  derive,
  isShared,
  now,
}: Options): EventLog {
  const takeKeys = createKeys(now);
  /** They may arrive after all, when their events were stored a second time. */
  let failedInserts: { ids: readonly string[]; atMs: number }[] = [];
  /** Running appends by event id: the last one that may store the event. */
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
    const importKeys = [...new Set(events.flatMap(({ importKey }) => importKey ?? []))];
    const [live, running, known] = await Promise.all([
      findLive([...new Set(events.map(({ website }) => website.key))]),
      importKeys.length > 0 ? findRunning(importKeys) : new Set<number>(),
      findStored(
        server,
        events.map(({ id }) => id),
      ),
    ]);
    const mayStore = ({ website, importKey }: NewEvent) =>
      live.has(website.key) && (!importKey || running.has(importKey));
    const first = new Map<string, { event: LoggedEvent; websiteKey: number }>(known);
    /** Whether an event's id is that of a pageview of its own website and visitor. */
    const mayReport = ({ id, website, visitorId }: NewEvent) => {
      const stored = first.get(id);
      if (stored?.websiteKey !== website.key) return false;
      return stored.event.visitorId === visitorId && stored.event.eventType === 'pageview';
    };
    const fresh: NewEvent[] = [];
    for (const event of events) {
      if (first.has(event.id) || !mayStore(event)) continue;
      first.set(event.id, { event, websiteKey: event.website.key });
      fresh.push(event);
    }
    if (fresh.length > 0) await store(fresh);
    const reports = toEngagementRows(events.filter(mayReport));
    if (reports.length > 0) await sendPatiently(server.toInsert('engagement', reports));
    return events.map((event): Outcome => {
      if (!mayStore(event)) return { kind: 'gone' };
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
      failedInserts = [...failedInserts, { ids: own, atMs: performance.now() }].slice(-FAILED_INSERTS.max);
      throw error;
    } finally {
      inserted.resolve();
    }
    const maybeTwice = [...(isShared ? own : []), ...failedInserts.flatMap(({ ids: failed }) => failed)];
    if (maybeTwice.length > 0) await takeBackRepeats(server, { ids: maybeTwice });
    failedInserts = failedInserts.filter(({ atMs }) => performance.now() - atMs < FAILED_INSERTS.forMs);
  }
}
