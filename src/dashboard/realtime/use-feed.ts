import type { EventsPage, ListedEvent, StoredEvent } from '../../contract/event.ts';
import type { SessionList } from '../../contract/metrics/lists.ts';
import type { Website } from '../../contract/website.ts';
import { call } from '../api/client.ts';
import { ask, type Place } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';

const ROWS = 12;
/** Events to request: more than are shown, because some are from bots. */
const EVENTS = 100;

type FeedEvent = ListedEvent & { name?: string | undefined };
export type FeedAnswer = {
  events: FeedEvent[];
  /** Whether filters were applied. */
  isFiltered: boolean;
};

/**
 * The latest events of people, newest first. The API's event list includes bots and has no filters; the sessions of
 * the last day exclude bots and apply filters, so an event counts when its session does.
 *
 * @param at asks again when it changes; undefined asks nothing
 */
export function useFeed(place: Place, filters: string | undefined, at: string | undefined) {
  const website = useAnswer(at === undefined ? undefined : `website ${place.base}`, (signal) =>
    call<Website>('GET', `/websites/${encodeURIComponent(place.websiteId)}`, { signal }),
  );
  const trackingCode = website.answer?.trackingCode;
  const question =
    trackingCode === undefined || at === undefined ? undefined : `feed ${place.base} ${filters} ${at}`;
  const feed = useAnswer(question, async (signal): Promise<FeedAnswer> => {
    const [{ events }, { sessions }] = await Promise.all([
      call<EventsPage>('GET', '/latest', { signal, query: { trackingCode, limit: EVENTS } }),
      ask<SessionList>(place, '/sessions', { period: '24h', filters, limit: EVENTS }, signal),
    ]);
    const shown = new Set(sessions.map(({ sessionId }) => sessionId));
    const rows = events.filter(({ sessionId }) => shown.has(sessionId)).slice(0, ROWS);
    const named = await Promise.all(rows.map((event) => withName(event, signal)));
    return { events: named, isFiltered: filters !== undefined };
  });
  const { fault, retry } = website.fault ? website : feed;
  return { answer: feed.answer, fault, retry };
}

/** Names by the id of their event, which never changes. */
const names = new Map<string, string | undefined>();
const NAMES_MAX = 500;

/** Adds the name of a custom event or click from its properties, which the list omits. */
async function withName(event: ListedEvent, signal: AbortSignal): Promise<FeedEvent> {
  if (event.eventType === 'pageview') return event;
  if (!names.has(event.id)) {
    const { properties } = await call<StoredEvent>('GET', `/latest/${event.id}`, { signal });
    const name = event.eventType === 'custom' ? properties?.name : (properties?.text ?? properties?.href);
    if (names.size >= NAMES_MAX) names.clear();
    names.set(event.id, typeof name === 'string' ? name : undefined);
  }
  return { ...event, name: names.get(event.id) };
}
