import type { EventPosition } from '../log/event.ts';
import type { AttributionModel, Dimension, NamedDimension, Traffic } from '../vocabulary/analytics.ts';
import type {
  CustomEvent,
  Page,
  PageDetail,
  PagesRequest,
  PropertyKey,
  PropertyValues,
  PropertyValuesRequest,
} from './interface/pages.ts';
import type {
  ExportedEvent,
  ExportRequest,
  Session,
  SessionDetail,
  Visitor,
  VisitorDetail,
} from './interface/people.ts';
import type {
  ConditionsAnswer,
  ConditionsRequest,
  Query,
  QueryAnswer,
  Value,
  ValuesRequest,
} from './interface/query.ts';
import type { Revenue } from './interface/revenue.ts';
import type { Filter, List, ListPage, ListRequest, Selection } from './interface/selection.ts';
import type { ListedVisit, VisitsRequest } from './interface/visits.ts';

/**
 * Interface of the analytics engines, independent of storage and HTTP. Instants are milliseconds since the epoch, UTC;
 * ranges are half-open [fromMs, toMs). Engines know no time zones: the caller converts days and intervals to instants.
 * Metrics are defined in docs/definitions.md.
 *
 * Every answer includes every event that was committed before the question was asked.
 */
export type Analytics = {
  /** Returns totals, a series and any number of breakdowns of the same events, from one pass. */
  query(request: Query): Promise<QueryAnswer>;
  /** Returns the totals of a selection, and of its events that meet each of some conditions, from one pass. */
  conditions(request: ConditionsRequest): Promise<ConditionsAnswer>;
  /** Returns the revenue of the selected events. */
  revenue(request: RevenueRequest): Promise<RevenueAnswer>;
  /** Returns how many visits or visitors reached each step. Of people or of bots, not of all. */
  funnel(request: FunnelRequest): Promise<FunnelAnswer>;
  /** Returns the retention of each bucket's new visitors. Of people or of bots, not of all. */
  retention(request: RetentionRequest): Promise<RetentionAnswer>;
  /** Returns how visits continued from an event, or reached it. */
  journeys(request: JourneysRequest): Promise<JourneysAnswer>;
  /** Returns which visits led to the events that meet a condition. */
  attribution(request: AttributionRequest): Promise<AttributionAnswer>;
  /** Returns values of a dimension for autocomplete, most events first. */
  values(request: ValuesRequest): Promise<Value[]>;
  realtime(request: RealtimeRequest): Promise<Realtime>;
  /** Lists client sessions (one sessionId each), the one with the latest matching event first. */
  sessions(request: ListRequest): Promise<List<Session>>;
  session(request: ListPage & { websiteKey: number; sessionId: string }): Promise<SessionDetail | undefined>;
  /** Lists whole visits that have a matching event, the most recently active first. */
  visits(request: VisitsRequest): Promise<List<ListedVisit>>;
  /** Lists visitors, the one with the latest matching event first. */
  visitors(request: ListRequest): Promise<List<Visitor>>;
  visitor(request: ListPage & { websiteKey: number; visitorId: string }): Promise<VisitorDetail | undefined>;
  /** Lists pages, by visitors or another column. */
  pages(request: PagesRequest): Promise<List<Page>>;
  /** Returns the pageviews before and after a page. `undefined` when no event of the selection is on the page. */
  page(request: Selection & { page: string; limit: number }): Promise<PageDetail | undefined>;
  /** Lists the names of custom events. */
  customEvents(request: Selection & { limit: number; offset: number }): Promise<List<CustomEvent>>;
  /** Lists property keys, of all events or of those that the filter selects (`event is signup`). */
  propertyKeys(request: Selection & { limit: number; offset: number }): Promise<List<PropertyKey>>;
  /** Lists the values of one property key. */
  propertyValues(request: PropertyValuesRequest): Promise<PropertyValues>;
  /** Returns visitors, visits and pageviews of many websites, for an overview page. Traffic of people, without filters. */
  headlines(request: HeadlinesRequest): Promise<Headline[]>;
  /** Exports everything stored about one visitor, in order of time and in pages: omit `after` first, then pass `next`. */
  exportVisitor(
    request: ExportRequest,
  ): Promise<{ events: ExportedEvent[]; next: EventPosition | undefined }>;
  /** Removes a visitor's events from the log and from everything derived. */
  eraseVisitor(request: { websiteKey: number; visitorId: string }): Promise<{ eventsRemoved: number }>;
  /**
   * Removes the events that a query of the same selection counts, from the log and from everything derived. Events that
   * arrive during the erasure stay.
   *
   * @param request.eventsMax nothing is removed when more are selected
   * @returns the number of selected events
   */
  eraseSelected(request: Selection & { eventsMax: number }): Promise<{ events: number; isErased: boolean }>;
  /** Deletes everything derived and derives it again from the log. */
  rebuild(): Promise<{ events: number }>;
  /** Reads everything stored before the call, and completes pending erasures. */
  catchUp(): Promise<void>;
  /** Returns the key of the last event read from the log; undefined when the engine is not running or stores nothing. */
  readUntil(): Promise<number | undefined>;
  /** Called after events were stored, so that derived data may follow. Returns at once. */
  wake(): void;
  /** Waits for running work, then releases all resources. */
  close(): Promise<void>;
};

/** Questions about one website: each engine has a function for each of them. */
export const QUESTION_NAMES = [
  'query',
  'conditions',
  'revenue',
  'funnel',
  'retention',
  'journeys',
  'attribution',
  'values',
  'realtime',
  'sessions',
  'session',
  'visits',
  'visitors',
  'visitor',
  'pages',
  'page',
  'customEvents',
  'propertyKeys',
  'propertyValues',
  'exportVisitor',
] as const satisfies readonly (keyof Analytics)[];
export type QuestionName = (typeof QUESTION_NAMES)[number];

/** Names of the requests to an engine in a thread. */
export const METHODS = [
  ...QUESTION_NAMES,
  'headlines',
  'eraseVisitor',
  'eraseSelected',
  'rebuild',
  'catchUp',
  'readUntil',
  'close',
] as const satisfies readonly (keyof Analytics)[];
export type Method = (typeof METHODS)[number];

/** `bounds` as in a series. */
export type RevenueRequest = Selection & {
  bounds?: readonly number[];
  dimension?: Dimension;
  conditions?: readonly Filter[];
};
export type RevenueAnswer = {
  /** Revenue of each currency, ordered by code. */
  revenue: Revenue[];
  /** Number of events whose revenue property is not an amount of a currency. */
  unreadable: number;
  /** Revenue of each bucket. */
  points?: Revenue[][];
  /** Revenue of the values that have any, by value; null means absent. */
  values?: { value: string | null; revenue: Revenue[] }[];
  /** Revenue of the events that meet each condition. */
  conditions?: Revenue[][];
};

/** `bounds` as in a series. */
export type RetentionRequest = Omit<Selection, 'traffic'> & {
  traffic?: Exclude<Traffic, 'all'>;
  bounds: readonly number[];
};
/** For each bucket, the number of its new visitors with a matching event in it, in the next bucket, and so on. */
export type RetentionAnswer = { cohorts: number[][] };

/** 2 to FUNNEL_STEPS_MAX steps. `bounds` as in a series. */
export type FunnelRequest = Omit<Selection, 'traffic'> & {
  traffic?: Exclude<Traffic, 'all'>;
  steps: readonly Filter[];
  by: 'visit' | 'visitor';
  /** Allows only clicks between two steps. Default: any event. */
  isStrict?: boolean;
  /** Maximum time from the first step to the last. Default: unlimited. */
  windowMs?: number;
  bounds?: readonly number[];
  dimension?: Dimension;
};
/** Numbers of visits or visitors that reached each step. */
export type FunnelAnswer = {
  reached: number[];
  /** For each step but the last: next pages of those who got no further; null means none. At most five. */
  next: { value: string | null; count: number }[][];
  /** Numbers by the bucket of the first step. */
  points?: number[][];
  /** Numbers by the value of the event that entered, most first. */
  groups?: { value: string | null; reached: number[] }[];
};

export type JourneysRequest = Selection & {
  direction: 'from' | 'to';
  /**
   * A visit's journey begins, or ends, at its first event that meets the filter. Absent: at the begin, or end, of the
   * visit.
   */
  anchor?: Filter;
};
/** `visits`: number of visits that have a journey. */
export type JourneysAnswer = { visits: number; branches: JourneyBranch[] };
/**
 * The next, or previous, stop of visits: a page, a custom event, or `other` for stops of fewer than one visit in a hundred.
 */
export type JourneyBranch = {
  stop: 'page' | 'event' | 'other';
  /** null for an absent page, or for other. */
  value: string | null;
  visits: number;
  /** At most JOURNEY_STEPS levels; none below other. */
  branches: JourneyBranch[];
};

export type AttributionRequest = Selection & {
  /** Events that are conversions. */
  condition: Filter;
  /** A dimension of visits. */
  dimension: NamedDimension;
  /** Maximum time from the start of a visit to a conversion that it is credited for. */
  lookbackMs: number;
};
/** `rows`: values with a share in any conversion, largest share first. */
export type AttributionAnswer = { conversions: number; rows: AttributionRow[] };
export type AttributionRow = Record<AttributionModel, AttributedShare> & { value: string | null };
/** Millionths of conversions, and whole minor units of each currency, ordered by code. */
export type AttributedShare = { millionths: number; revenue: { currency: string; minor: bigint }[] };

export type RealtimeRequest = {
  websiteKey: number;
  nowMs: number;
  traffic?: Traffic;
  filter?: Filter;
  /** Rows of each list. */
  limit: number;
};
export type Realtime = {
  /** Distinct visitors of the last 5 minutes, (nowMs − 5 min, nowMs]. */
  visitors: number;
  /** The last 30 minutes, oldest first; the last one ends at nowMs (inclusive). */
  minutes: { startMs: number; visitors: number; pageviews: number; events: number }[];
  /** Pages of the last 5 minutes, by visitors. */
  pages: NowRow[];
  sources: NowRow[];
  countries: NowRow[];
  events: NowRow[];
};
export type NowRow = { value: string | null; visitors: number; events: number };

/** `bounds` as in a series. */
export type HeadlinesRequest = {
  websiteKeys: readonly number[];
  fromMs: number;
  toMs: number;
  bounds?: readonly number[];
};
/** `points`: visitors of each bucket, when bounds are given. */
export type Headline = {
  websiteKey: number;
  visitors: number;
  visits: number;
  pageviews: number;
  points?: number[];
};
