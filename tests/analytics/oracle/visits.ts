import {
  type ClientDimension,
  type OriginDimension,
  type Traffic,
  VISIT_GAP_MS,
} from '../../../src/vocabulary/analytics.ts';
import type { EventFacts } from './facts.ts';
import { classOf, DAY_MS, inOrder } from './raw-event.ts';

/** A visit has at most so many events, and lasts at most so long. */
export const VISIT_EVENTS_MAX = 65_535;
const VISIT_MS_MAX = 30 * DAY_MS;

/** A whole visit; '' where a text is absent. */
export type NaiveVisit = {
  /** In order; at least one. */
  events: EventFacts[];
  startMs: number;
  endMs: number;
  isBounce: boolean;
  entryPage: string;
  exitPage: string;
  origin: Record<OriginDimension, string>;
  client: Record<ClientDimension, string>;
  /** First visit of the same visitor and class; a visit may be its own. */
  first: NaiveVisit;
};

/** @param facts of all events of one website */
export function toVisits(facts: readonly EventFacts[], traffic: Traffic, eventsMax: number): NaiveVisit[] {
  const inTraffic = facts.filter(({ event }) => traffic === 'all' || classOf(event) === traffic);
  const ofOne = Map.groupBy(inTraffic, ({ event }) => `${classOf(event)} ${event.visitorId}`);
  return [...ofOne.values()].flatMap((events) => {
    const visits = cut(events, eventsMax).map(toVisit);
    const first = visits[0] as NaiveVisit; // is one from here on
    return visits.map((visit) => Object.assign(visit, { first }));
  });
}

/** @param facts of one visitor and class */
function cut(facts: readonly EventFacts[], eventsMax: number): EventFacts[][] {
  const visits: EventFacts[][] = [];
  for (const next of facts.toSorted((a, b) => inOrder(a.event, b.event))) {
    const visit = visits.at(-1);
    const atMs = next.event.createdAtMs;
    const goesOn =
      visit !== undefined &&
      atMs - lastOf(visit).event.createdAtMs <= VISIT_GAP_MS &&
      atMs - firstOf(visit).event.createdAtMs <= VISIT_MS_MAX &&
      visit.length < eventsMax;
    if (goesOn) visit.push(next);
    else visits.push([next]);
  }
  return visits;
}

function toVisit(events: EventFacts[]): Omit<NaiveVisit, 'first'> {
  const first = firstOf(events);
  const pageviews = pageviewsOf(events);
  return {
    events,
    startMs: first.event.createdAtMs,
    endMs: lastOf(events).event.createdAtMs,
    isBounce: events.length === 1 && pageviews.length === 1,
    entryPage: pageviews[0]?.page ?? '',
    exitPage: pageviews.at(-1)?.page ?? '',
    origin: first.origin,
    client: first.client,
  };
}

export function pageviewsOf<Facts extends EventFacts>(events: readonly Facts[]): Facts[] {
  return events.filter(({ event }) => event.eventType === 'pageview');
}

function firstOf(events: readonly EventFacts[]): EventFacts {
  const [first] = events;
  if (!first) throw new Error('a visit has events');
  return first;
}

function lastOf(events: readonly EventFacts[]): EventFacts {
  const last = events.at(-1);
  if (!last) throw new Error('a visit has events');
  return last;
}
