import type { Engagement } from '../../db/packed-engagement.ts';
import type { EventPosition, LoggedEvent } from '../../log/event.ts';
import type { Channel, ClientDimension, OriginDimension } from '../../vocabulary/analytics.ts';
import type { DeviceType, EventType } from '../../vocabulary/contract.ts';
import type { Revenue } from './revenue.ts';

/** Origin of the visit, or of the first event. Absent values are null. */
export type Origin = Record<Exclude<OriginDimension, 'channel'>, string | null> & { channel: Channel | null };
export type Client = Record<Exclude<ClientDimension, 'deviceType'>, string | null> & {
  deviceType: DeviceType | null;
};

/** Events of a session or visitor that a filter selected: their number and revenue, and the last one. */
export type Matched = {
  events: number;
  lastAtMs: number;
  eventType: EventType;
  page: string | null;
  name: string | null;
  revenue: Revenue[];
};

/**
 * Counts and instants are of the whole session: of its events in the visits that have an event in the range, whether a
 * filter selected them or not. `matched` is absent without a filter.
 */
export type Session = Origin &
  Client & {
    sessionId: string;
    visitorId: string;
    firstAtMs: number;
    lastAtMs: number;
    /** (last − first) in seconds. */
    duration: number;
    pageviews: number;
    events: number;
    entryPage: string | null;
    exitPage: string | null;
    matched?: Matched;
  };
export type PathEvent = Engagement & {
  id: string;
  atMs: number;
  eventType: EventType;
  url: string;
  page: string;
  name: string | null;
  properties: string | null;
};
/** `events`: the requested page, in order of time; `session.events` is the total. Covers all time and all traffic. */
export type SessionDetail = { session: Session; events: PathEvent[] };

/** Counts and instants are of the visits that have an event in the range, whether a filter selected them or not. */
export type Visitor = Client & {
  visitorId: string;
  firstAtMs: number;
  lastAtMs: number;
  visits: number;
  pageviews: number;
  events: number;
  matched?: Matched;
};
export type Visit = Origin & {
  startMs: number;
  endMs: number;
  pageviews: number;
  events: number;
  entryPage: string | null;
  exitPage: string | null;
};
/**
 * `visits`: the latest 100. `events`: the requested page, newest first; `visitor.events` is the total. Covers all time and
 * all traffic.
 */
export type VisitorDetail = { visitor: Visitor; visits: Visit[]; events: PathEvent[] };

export type ExportRequest = {
  websiteKey: number;
  visitorId: string;
  after?: EventPosition | undefined;
  limit: number;
};
/** `properties`: JSON text as sent. */
export type ExportedEvent = LoggedEvent & Engagement;
