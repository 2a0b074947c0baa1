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
 * What can be asked. No word of storage and none of HTTP, so that another engine can stand behind it. Instants are
 * milliseconds since the epoch, UTC; ranges are half-open [fromMs, toMs). The engine knows no time zones: the caller
 * turns days and intervals into instants. What each word means is in docs/definitions.md.
 *
 * Every answer includes every event that was committed before the question was asked.
 */
export type Analytics = {
  /** Totals, a series and any number of breakdowns of the same events, from one pass. */
  query(request: Query): Promise<QueryAnswer>;
  /** Totals of a selection, and of each of its parts that meet one of some conditions, from one pass. */
  conditions(request: ConditionsRequest): Promise<ConditionsAnswer>;
  /** What the events of a selection have brought. */
  revenue(request: RevenueRequest): Promise<RevenueAnswer>;
  /** How many visits or visitors got how far through some steps. Of people or of bots, not of all. */
  funnel(request: FunnelRequest): Promise<FunnelAnswer>;
  /** Who of the new visitors of each bucket came again in the later ones. Of people or of bots, not of all. */
  retention(request: RetentionRequest): Promise<RetentionAnswer>;
  /** How visits went on from an event, or came to it. */
  journeys(request: JourneysRequest): Promise<JourneysAnswer>;
  /** Which visits led to the events that meet a condition. */
  attribution(request: AttributionRequest): Promise<AttributionAnswer>;
  /** The values of a dimension for autocomplete, those with most events first. */
  values(request: ValuesRequest): Promise<Value[]>;
  realtime(request: RealtimeRequest): Promise<Realtime>;
  /** Client sessions (one sessionId each), the latest active first. */
  sessions(request: ListRequest): Promise<List<Session>>;
  session(request: ListPage & { websiteKey: number; sessionId: string }): Promise<SessionDetail | undefined>;
  /** Visitors, the latest active first. */
  visitors(request: ListRequest): Promise<List<Visitor>>;
  visitor(request: ListPage & { websiteKey: number; visitorId: string }): Promise<VisitorDetail | undefined>;
  /** Pages by visitors or another column. */
  pages(request: PagesRequest): Promise<List<Page>>;
  /** What led to a page and away from it. `undefined` when nothing in the selection happened on it. */
  page(request: Selection & { page: string; limit: number }): Promise<PageDetail | undefined>;
  /** The names of custom events. */
  customEvents(request: Selection & { limit: number; offset: number }): Promise<List<CustomEvent>>;
  /** The keys of properties, of all events or of those that the filter selects (`event is signup`). */
  propertyKeys(request: Selection & { limit: number; offset: number }): Promise<List<PropertyKey>>;
  /** The values of one key. */
  propertyValues(request: PropertyValuesRequest): Promise<PropertyValues>;
  /** Visitors, visits and pageviews of many websites, for an overview page. Traffic of people, no filter. */
  headlines(request: HeadlinesRequest): Promise<Headline[]>;
  /** Everything that is stored about one visitor, in the order of time, in pages: `after` is absent at first, then `next`. */
  exportVisitor(request: ExportRequest): Promise<{ events: ExportedEvent[]; next: Moment | undefined }>;
  /** Removes a visitor's events from the log and from everything derived. */
  eraseVisitor(request: { websiteKey: number; visitorId: string }): Promise<{ eventsRemoved: number }>;
  /**
   * Removes the events that a query of the same selection counts, likewise. Those that arrive meanwhile stay.
   *
   * @param request.eventsMax with more than these, nothing is removed
   * @returns how many are selected
   */
  eraseSelected(request: Selection & { eventsMax: number }): Promise<{ events: number; isErased: boolean }>;
  /** Throws away what was derived and derives it again from the log. */
  rebuild(): Promise<{ events: number }>;
  /** Reads all that was stored before the call, and finishes what was being erased. */
  catchUp(): Promise<void>;
  /** Key of the last event that was read from the log; undefined when the engine does not run, or keeps nothing of its own. */
  readUntil(): Promise<number | undefined>;
  /** Says that events were stored, so that what is derived may follow. Returns at once. */
  wake(): void;
  /** Finishes what is at work and gives everything back. */
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
  /** At least one. */
  | { op: 'and' | 'or'; filters: readonly Filter[] }
  | { op: 'not'; filter: Filter }
  /** Some event of the whole visit passes, whatever the range and the traffic of other visits. */
  | { op: 'has_done'; filter: Filter }
  /** Some event of the first visit ever of the same visitor and class passes. */
  | { op: 'first_visit'; filter: Filter }
  /** That visit begins in [fromMs, toMs). */
  | { op: 'first_seen'; fromMs: number; toMs: number }
  | {
      op: 'match';
      dimension: Dimension;
      operator: FilterOperator;
      /** Matches when any of them does (for `…_not`: when none does). The empty string stands for "absent". */
      values: readonly string[];
      /** Compares in lower case, with `is` and `like` too. `contains`, `starts_with` and `ends_with` always do, `matches` never does. */
      ignoresCase?: boolean;
    };

/** Which events are meant. */
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
     * Ascending instants: bucket i is [bounds[i], bounds[i + 1]). They may begin before fromMs and end after toMs;
     * a bucket counts only what lies inside the range too.
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
  /** Only values that contain this text, whatever the case. */
  search?: string;
  /** Only these values, null for the absent one. The events that match are the same as without. */
  only?: readonly (string | null)[];
  /** Also a row for the events that have no such value (`value: null`). Default: no. */
  withAbsent?: boolean;
  /** Leaves what is not asked for at 0 where that saves time. Default: all of METRICS. */
  metrics?: readonly Metric[];
};

export type Figures = {
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
  /** pageviews ÷ visits; 0 without visits. */
  viewsPerVisit: number;
  /** Part of the visits, 0 to 1; 0 without visits. */
  bounceRate: number;
  /** Mean, in seconds; 0 without visits. */
  visitDuration: number;
};

export type QueryAnswer = {
  totals?: Figures;
  /** One for each bucket, in their order. */
  series?: Figures[];
  /** In the order of the request. */
  breakdowns?: BreakdownAnswer[];
};
export type BreakdownRow = Figures & { value: string | null };
/** `total`: how many values there are beyond limit and offset, after `search`. */
export type BreakdownAnswer = { dimension: Dimension; rows: BreakdownRow[]; total: number };

export type ConditionsRequest = Selection & { conditions: readonly Filter[] };
/** `rows`: for each condition, in their order, the totals of the matching events that meet it. */
export type ConditionsAnswer = { totals: Figures; rows: Figures[] };

/** `bounds` as in a series. */
export type RevenueRequest = Selection & {
  bounds?: readonly number[];
  dimension?: Dimension;
  conditions?: readonly Filter[];
};
/** Whole minor units of one currency, and how many events they are of. */
export type Revenue = { currency: string; minor: bigint; events: number };
export type RevenueAnswer = {
  /** One for each currency that there is, by its code. */
  revenue: Revenue[];
  /** Events whose property says no amount of a currency. */
  unreadable: number;
  /** Of each bucket. */
  points?: Revenue[][];
  /** Of the values that have any, by value; null is the absent one. */
  values?: { value: string | null; revenue: Revenue[] }[];
  /** Of the events that meet each condition. */
  conditions?: Revenue[][];
};

/** `bounds` as in a series. */
export type RetentionRequest = Omit<Selection, 'traffic'> & {
  traffic?: Exclude<Traffic, 'all'>;
  bounds: readonly number[];
};
/** One list for each bucket: its new visitors with a matching event in it, then those of them with one in the next … */
export type RetentionAnswer = { cohorts: number[][] };

/** 2 to FUNNEL_STEPS_MAX steps. `bounds` as in a series. */
export type FunnelRequest = Omit<Selection, 'traffic'> & {
  traffic?: Exclude<Traffic, 'all'>;
  steps: readonly Filter[];
  by: 'visit' | 'visitor';
  /** Only clicks may lie between one step and the next. Default: anything may. */
  isStrict?: boolean;
  /** How long after the first step the others may come. Default: at any time. */
  windowMs?: number;
  bounds?: readonly number[];
  dimension?: Dimension;
};
/** Numbers of visits or visitors, one for each step: those that reached it. */
export type FunnelAnswer = {
  reached: number[];
  /** For each step but the last: the pages that those came to next who got no further; null: none. At most five. */
  next: { value: string | null; count: number }[][];
  /** By the bucket in which they entered. */
  points?: number[][];
  /** By the value of the event by which they entered, those with most of them first. */
  groups?: { value: string | null; reached: number[] }[];
};

export type JourneysRequest = Selection & {
  direction: 'from' | 'to';
  /** The first event of a visit that meets it begins, or ends, its journey. Absent: the visit itself begins, or ends. */
  anchor?: Filter;
};
/** `visits`: how many have a journey. */
export type JourneysAnswer = { visits: number; branches: JourneyBranch[] };
/** Where visits went next, or came from: a page, a custom event, or all that fewer than one in a hundred went to. */
export type JourneyBranch = {
  stop: 'page' | 'event' | 'other';
  /** null: an absent page, or other. */
  value: string | null;
  visits: number;
  /** At most JOURNEY_STEPS behind one another; none behind other. */
  branches: JourneyBranch[];
};

export type AttributionRequest = Selection & {
  /** What a conversion is. */
  condition: Filter;
  /** Of visits. */
  dimension: NamedDimension;
  /** Visits that began earlier before a conversion have no part in it. */
  lookbackMs: number;
};
/** `rows`: the values that have a part in any conversion, those with most of it first. */
export type AttributionAnswer = { conversions: number; rows: AttributionRow[] };
export type AttributionRow = Record<AttributionModel, AttributedShare> & { value: string | null };
/** Millionths of conversions, and whole minor units of each currency, by its code. */
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
  /** 30 minutes, the last one ends with nowMs (inclusive); oldest first. */
  minutes: { startMs: number; visitors: number; pageviews: number; events: number }[];
  /** Of the last 5 minutes, by visitors. */
  pages: NowRow[];
  sources: NowRow[];
  countries: NowRow[];
  events: NowRow[];
};
export type NowRow = { value: string | null; visitors: number; events: number };

export type List<Row> = { rows: Row[]; total: number };
/** Which rows of a list. */
export type ListPage = { limit: number; offset: number };
export type ListRequest = Selection & ListPage;

/** Of the visit, respectively the first event. Absent values are null. */
export type Origin = Record<Exclude<OriginDimension, 'channel'>, string | null> & { channel: Channel | null };
export type Client = Record<Exclude<ClientDimension, 'deviceType'>, string | null> & {
  deviceType: DeviceType | null;
};

/** Counts and instants are those of the selected events. */
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
/** `events`: the page that was asked for, in the order of time; `session.events` is how many there are. Of all time and all traffic. */
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
 * `visits`: the latest 100. `events`: the page that was asked for, newest first; `visitor.events` is how many there are. Of
 * all time and all traffic.
 */
export type VisitorDetail = { visitor: Visitor; visits: Visit[]; events: PathEvent[] };

export type PagesRequest = ListRequest & {
  sort?: { by: PageColumn | 'value'; descending: boolean };
  search?: string;
};
export type PageColumn = Metric | 'entries' | 'exits' | 'exitRate';
/** entries, exits: visits that began, ended there. exitRate: exits ÷ pageviews. `value` is the page. */
export type Page = Figures & { value: string; entries: number; exits: number; exitRate: number };
export type PageDetail = {
  /** As people read it, where it was found so; else as it was asked for. */
  page: string;
  totals: Figures;
  entries: number;
  exits: number;
  /** Where the visits that have the page came from. */
  sources: BreakdownRow[];
  referrers: BreakdownRow[];
  /** The pageview before, after one of this page within the visit, another page; null: it was the first, the last. */
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
  /** Over the events whose value is a JSON number; undefined when there is none. */
  numbers: { count: number; sum: number; average: number; min: number; max: number } | undefined;
};

/** `bounds` as in a series. */
export type HeadlinesRequest = {
  websiteKeys: readonly number[];
  fromMs: number;
  toMs: number;
  bounds?: readonly number[];
};
/** `points`: the visitors of each bucket, when there are bounds. */
export type Headline = {
  websiteKey: number;
  visitors: number;
  visits: number;
  pageviews: number;
  points?: number[];
};

/** The place of an event in the order of time. `id` where two events may have one key. */
export type Moment = { atMs: number; key: number; id?: string };
export type ExportRequest = {
  websiteKey: number;
  visitorId: string;
  after?: Moment | undefined;
  limit: number;
};
/** `properties`: JSON text as sent. */
export type ExportedEvent = Omit<LoggedEvent, 'flags'>;
