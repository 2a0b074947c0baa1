import { t } from 'elysia';
import { BREAKDOWN_LIMIT_MAX, CHANNELS, LIST_LIMIT_MAX, METRICS } from '../analytics/vocabulary.ts';
import { figureFields, Pagination, ResolvedRange } from './metrics.ts';
import {
  formatField,
  pageFields,
  rangeFields,
  searchField,
  selectionFields,
  sortField,
} from './metrics-query.ts';
import { choice, integer } from './types.ts';
import { DEVICE_TYPES, EVENT_TYPES, STATS_LIMIT_DEFAULT } from './vocabulary.ts';

const IGNORE_UNKNOWN = { additionalProperties: true };
export const PAGE_COLUMNS = [...METRICS, 'entries', 'exits', 'exitRate'] as const;

/** Lists of sessions and visitors. */
export const ListQuery = t.Object(
  {
    ...rangeFields,
    ...selectionFields,
    ...pageFields(STATS_LIMIT_DEFAULT, LIST_LIMIT_MAX),
    ...formatField,
  },
  IGNORE_UNKNOWN,
);
export const FormatQuery = t.Object(formatField, IGNORE_UNKNOWN);
export const PagesQuery = t.Object(
  {
    ...rangeFields,
    ...selectionFields,
    ...searchField,
    ...sortField(PAGE_COLUMNS),
    ...pageFields(STATS_LIMIT_DEFAULT, BREAKDOWN_LIMIT_MAX),
    ...formatField,
  },
  IGNORE_UNKNOWN,
);

const count = integer({ minimum: 0 });
const orNull = (description?: string) => t.Union([t.String(), t.Null()], description ? { description } : {});
const instant = (description?: string) =>
  t.String({ format: 'date-time', ...(description && { description }) });

const originFields = {
  referrer: orNull('Host that the visit came from.'),
  source: orNull('null: direct.'),
  channel: t.Union([choice(CHANNELS), t.Null()]),
  utmSource: orNull(),
  utmMedium: orNull(),
  utmCampaign: orNull(),
  utmContent: orNull(),
  utmTerm: orNull(),
};
const clientFields = {
  country: orNull(),
  deviceType: t.Union([choice(DEVICE_TYPES), t.Null()]),
  browser: orNull(),
  os: orNull(),
  language: orNull(),
  screen: orNull(),
};
const edgeFields = { entryPage: orNull('Page of the first pageview.'), exitPage: orNull('Of the last.') };

export const Session = t.Object({
  sessionId: t.String({ description: 'As the client sent it: one browser tab.' }),
  visitorId: t.String(),
  startedAt: instant(),
  lastActivityAt: instant(),
  duration: t.Number({ minimum: 0, description: 'Seconds from the first to the last event.' }),
  pageviews: count,
  events: count,
  ...edgeFields,
  ...originFields,
  ...clientFields,
});
export type Session = typeof Session.static;

export const SessionList = t.Object({
  range: ResolvedRange,
  sessions: t.Array(Session, {
    description: 'The latest active first; counts are of the range and filters.',
  }),
  pagination: Pagination,
});

export const Activity = t.Object({
  id: t.String({ description: 'Of the event.' }),
  createdAt: instant(),
  eventType: choice(EVENT_TYPES),
  url: t.String(),
  page: t.String(),
  name: orNull('Of a custom event.'),
  properties: t.Union([t.Record(t.String(), t.Unknown()), t.Null()]),
});
export type Activity = typeof Activity.static;

export const SessionDetail = t.Object({
  session: Session,
  events: t.Array(Activity, { description: 'The first 1,000, in the order of time.' }),
});

export const Visitor = t.Object({
  visitorId: t.String({ description: 'As the client sent it: one browser.' }),
  firstSeenAt: instant(),
  lastSeenAt: instant(),
  visits: count,
  pageviews: count,
  events: count,
  ...clientFields,
});
export type Visitor = typeof Visitor.static;

export const VisitorList = t.Object({
  range: ResolvedRange,
  visitors: t.Array(Visitor, {
    description: 'The latest active first; counts are of the range and filters.',
  }),
  pagination: Pagination,
});

export const Visit = t.Object({
  startedAt: instant(),
  endedAt: instant(),
  pageviews: count,
  events: count,
  ...edgeFields,
  ...originFields,
});
export type Visit = typeof Visit.static;

export const VisitorDetail = t.Object({
  visitor: Visitor,
  visits: t.Array(Visit, { description: 'The latest 100.' }),
  events: t.Array(Activity, { description: 'The latest 1,000, newest first.' }),
});

export const VisitorErased = t.Object({
  success: t.Literal(true),
  message: t.String({ description: 'A sentence for people.' }),
  eventsRemoved: integer({ minimum: 1 }),
});

const pageFiguresFields = {
  ...figureFields,
  entries: integer({ minimum: 0, description: 'Visits that began on the page.' }),
  exits: integer({ minimum: 0, description: 'Visits that ended on it.' }),
};

export const PageRow = t.Object({
  page: t.String(),
  ...pageFiguresFields,
  exitRate: t.Number({ minimum: 0, description: 'exits ÷ visits.' }),
});
export type PageRow = typeof PageRow.static;

export const PageList = t.Object({
  range: ResolvedRange,
  pages: t.Array(PageRow),
  pagination: Pagination,
});
