import type { LoggedEvent } from '../log/event.ts';
import type {
  AttributionModel,
  Channel,
  ClientDimension,
  Dimension,
  FilterOperator,
  Metric,
  NamedDimension,
  OriginDimension,
  Traffic,
} from '../vocabulary/analytics.ts';
import type { DeviceType, EventType } from '../vocabulary/contract.ts';

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
  /** Lists client sessions (one sessionId each), the most recently active first. */
  sessions(request: ListRequest): Promise<List<Session>>;
  session(request: ListPage & { websiteKey: number; sessionId: string }): Promise<SessionDetail | undefined>;
  /** Lists visitors, the most recently active first. */
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
  exportVisitor(request: ExportRequest): Promise<{ events: ExportedEvent[]; next: Moment | undefined }>;
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

/** What an engine in a thread can be asked by name. */
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

export type Filter =
  /** At least one filter. */
  | { op: 'and' | 'or'; filters: readonly Filter[] }
  | { op: 'not'; filter: Filter }
  /** Some event of the whole visit passes, regardless of the range and the class of traffic. */
  | { op: 'has_done'; filter: Filter }
  /** Some event of the first visit ever of the same visitor and class passes. */
  | { op: 'first_visit'; filter: Filter }
  /** The visitor's first visit begins in [fromMs, toMs). */
  | { op: 'first_seen'; fromMs: number; toMs: number }
  | {
      op: 'match';
      dimension: Dimension;
      operator: FilterOperator;
      /** Matches when any value does (for `…_not`: when none does). The empty string means absent. */
      values: readonly string[];
      /**
       * Ignores case with `is` and `like` too. `contains`, `starts_with` and `ends_with` always ignore it, `matches` never
       * does.
       */
      ignoresCase?: boolean;
    };

/** Selects events. */
export type Selection = {
  websiteKey: number;
  fromMs: number;
  toMs: number;
  /** Default: people. */
  traffic?: Traffic;
  filter?: Filter;
};

export type Query = Selection & {
  totals?: boolean;
  series?: {
    /**
     * Ascending instants: bucket i is [bounds[i], bounds[i + 1]). They may begin before fromMs and end after toMs; a bucket
     * counts only events within the range.
     */
    bounds: readonly number[];
  };
  breakdowns?: readonly Breakdown[];
};

export type Breakdown = {
  dimension: Dimension;
  /** Default: visitors, descending. Ties are ordered by value, ascending by UTF-16 units. */
  sort?: { by: Metric | 'value'; descending: boolean };
  limit: number;
  offset?: number;
  /** Restricts to values that contain this text, ignoring case. */
  search?: string;
  /** Restricts to these values; null means absent. The matching events stay the same. */
  only?: readonly (string | null)[];
  /** Adds a row for events without a value (`value: null`). Default: false. */
  withAbsent?: boolean;
  /** Metrics that are needed; others may be left at 0 to save time. Default: all of METRICS. */
  metrics?: readonly Metric[];
};

export type Figures = {
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
  /** pageviews ÷ visits; 0 without visits. */
  viewsPerVisit: number;
  /** Share of visits that bounced, 0 to 1; 0 without visits. */
  bounceRate: number;
  /** Mean in seconds; 0 without visits. */
  visitDuration: number;
};

export type QueryAnswer = {
  totals?: Figures;
  /** Figures of each bucket, in order. */
  series?: Figures[];
  /** Answers in the order of the request. */
  breakdowns?: BreakdownAnswer[];
};
export type BreakdownRow = Figures & { value: string | null };
/** `total`: number of values regardless of limit and offset, after `search`. */
export type BreakdownAnswer = { dimension: Dimension; rows: BreakdownRow[]; total: number };

export type ConditionsRequest = Selection & { conditions: readonly Filter[] };
/** `rows`: the totals of the matching events that meet each condition, in the order of the conditions. */
export type ConditionsAnswer = { totals: Figures; rows: Figures[] };

/** `bounds` as in a series. */
export type RevenueRequest = Selection & {
  bounds?: readonly number[];
  dimension?: Dimension;
  conditions?: readonly Filter[];
};
/** Revenue in whole minor units of one currency, and the number of its events. */
export type Revenue = { currency: string; minor: bigint; events: number };
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

export type ValuesRequest = Selection & { dimension: Dimension; search?: string; limit: number };
export type Value = { value: string; events: number };

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

export type List<Row> = { rows: Row[]; total: number };
/** Requested rows of a list. */
export type ListPage = { limit: number; offset: number };
export type ListRequest = Selection & ListPage;

/** Origin of the visit, or of the first event. Absent values are null. */
export type Origin = Record<Exclude<OriginDimension, 'channel'>, string | null> & { channel: Channel | null };
export type Client = Record<Exclude<ClientDimension, 'deviceType'>, string | null> & {
  deviceType: DeviceType | null;
};

/** Counts and instants are of the selected events. */
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
  };
export type PathEvent = {
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

export type Visitor = Client & {
  visitorId: string;
  firstAtMs: number;
  lastAtMs: number;
  visits: number;
  pageviews: number;
  events: number;
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

export type PagesRequest = ListRequest & {
  sort?: { by: PageColumn | 'value'; descending: boolean };
  search?: string;
};
export type PageColumn = Metric | 'entries' | 'exits' | 'exitRate';
/** `entries` and `exits`: visits that began and ended on the page. `exitRate`: exits ÷ pageviews. `value` is the page. */
export type Page = Figures & { value: string; entries: number; exits: number; exitRate: number };
export type PageDetail = {
  /** The page in its decoded form when it was found so, otherwise as requested. */
  page: string;
  totals: Figures;
  entries: number;
  exits: number;
  /** Sources of the visits that have the page. */
  sources: BreakdownRow[];
  referrers: BreakdownRow[];
  /** Pageviews of other pages before and after those of this page in the visit; null: this page was first, or last. */
  previous: { value: string | null; pageviews: number }[];
  next: { value: string | null; pageviews: number }[];
};

export type CustomEvent = { name: string; events: number; visitors: number };
export type PropertyKey = { key: string; events: number; visitors: number };
export type PropertyValuesRequest = Selection & {
  key: string;
  search?: string;
  limit: number;
  offset: number;
};
export type PropertyValues = List<{ value: string; events: number; visitors: number }> & {
  /** Statistics of events whose value is a JSON number; undefined without any. */
  numbers: { count: number; sum: number; average: number; min: number; max: number } | undefined;
};

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

/** Position of an event in order of time. `id` is set where two events may share a key. */
export type Moment = { atMs: number; key: number; id?: string };
export type ExportRequest = {
  websiteKey: number;
  visitorId: string;
  after?: Moment | undefined;
  limit: number;
};
/** `properties`: JSON text as sent. */
export type ExportedEvent = Omit<LoggedEvent, 'flags'>;
