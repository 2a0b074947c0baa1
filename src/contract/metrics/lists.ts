import { t } from 'elysia';
import {
  BREAKDOWN_LIMIT_MAX,
  CHANNELS,
  CLIENT_DIMENSIONS,
  LIST_LIMIT_MAX,
  METRICS,
  type NamedDimension,
  ORIGIN_DIMENSIONS,
} from '../../vocabulary/analytics.ts';
import { DEVICE_TYPES, EVENT_TYPES, STATS_LIMIT_DEFAULT } from '../../vocabulary/contract.ts';
import { DIMENSION_DESCRIPTIONS } from '../../vocabulary/dimensions.ts';
import { mapEventTexts, READ_TEXT_NAMES } from '../../vocabulary/event-texts.ts';
import { ENGAGED_SECONDS, SCROLL_DEPTH } from '../event.ts';
import { choice, instant, integer } from '../types.ts';
import { countedByField, figureFields, Pagination, ResolvedRange, RevenueList } from './figures.ts';
import { formatField, pageFields, rangeFields, searchField, selectionFields, sortField } from './query.ts';

const IGNORE_UNKNOWN = { additionalProperties: true };
export const PAGE_COLUMNS = [...METRICS, 'entries', 'exits', 'exitRate'] as const;

/** Parameters of the lists of sessions and visitors. */
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
/** Parameters of one session or visitor: which of its events to return. */
export const DetailQuery = t.Object(
  { ...pageFields(LIST_LIMIT_MAX, LIST_LIMIT_MAX), ...formatField },
  IGNORE_UNKNOWN,
);
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

const counts = {
  pageviews: integer({ minimum: 0, description: 'Events of type pageview.' }),
  events: integer({ minimum: 0, description: 'All events.' }),
};
const orNull = (description: string) => t.Union([t.String(), t.Null()], { description });

/** Texts of dimensions, with their labels. */
function textsOf<Name extends NamedDimension>(names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, orNull(DIMENSION_DESCRIPTIONS[name])])) as Record<
    Name,
    ReturnType<typeof orNull>
  >; // one for each
}
const originFields = {
  ...textsOf(ORIGIN_DIMENSIONS),
  source: orNull('Name of what the visit came from; null: direct.'),
  channel: t.Union([choice(CHANNELS), t.Null()], { description: DIMENSION_DESCRIPTIONS.channel }),
};
const clientFields = {
  ...textsOf(CLIENT_DIMENSIONS),
  deviceType: t.Union([choice(DEVICE_TYPES), t.Null()], { description: 'Kind of device.' }),
};
const edgeFields = {
  entryPage: orNull('Page of the first pageview.'),
  exitPage: orNull('Page of the last pageview.'),
};
const visitorId = t.String({ description: 'As the client sent it: one browser.' });

/** Part of a session or visitor that a filter selected. */
const matchedField = {
  matched: t.Optional(
    t.Object(
      {
        events: integer({ minimum: 1, description: 'Events that match.' }),
        lastAt: instant('The last of them.'),
        eventType: choice(EVENT_TYPES, { description: 'Type of the last one.' }),
        page: orNull('Page of the last one.'),
        name: orNull('Name of the last one, a custom event.'),
        revenue: RevenueList,
      },
      { title: 'Matched', description: 'With filters: what they selected. Other fields are of the whole.' },
    ),
  ),
};

export const Session = t.Object(
  {
    sessionId: t.String({ description: 'As the client sent it: one browser tab.' }),
    visitorId,
    startedAt: instant('Its first event.'),
    lastActivityAt: instant('Its last event.'),
    duration: t.Number({ minimum: 0, description: 'Seconds from the first to the last event.' }),
    ...counts,
    ...edgeFields,
    ...originFields,
    ...clientFields,
    ...matchedField,
  },
  { title: 'Session', description: 'What one browser tab did.' },
);
export type Session = typeof Session.static;

export const SessionList = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    sessions: t.Array(Session, {
      description:
        'The one with the latest matching event first. Filters choose the rows; a row is the whole session.',
    }),
    pagination: Pagination,
  },
  { description: 'A page of sessions.' },
);
export type SessionList = typeof SessionList.static;

/** Engagement of a pageview, as its page reported it. */
const engagementFields = {
  engagedSeconds: t.Union([integer({ minimum: 0 }), t.Null()], {
    description: `${ENGAGED_SECONDS} Null when not reported.`,
  }),
  scrollDepth: t.Union([integer({ minimum: 0, maximum: 100 }), t.Null()], {
    description: `${SCROLL_DEPTH} Null when not reported.`,
  }),
};

export const Activity = t.Object(
  {
    id: t.String({ description: 'UUID of the event.' }),
    createdAt: instant('When it happened.'),
    eventType: choice(EVENT_TYPES, { description: 'What happened.' }),
    url: t.String({ description: 'Where it happened.' }),
    page: t.String({ description: 'The path of it.' }),
    name: orNull('Name of a custom event.'),
    ...engagementFields,
    properties: t.Union([t.Record(t.String(), t.Unknown()), t.Null()], {
      description: 'As sent; null when none were.',
    }),
  },
  { title: 'Activity', description: 'One event of a session or visitor.' },
);
export type Activity = typeof Activity.static;

export const SessionDetail = t.Object(
  {
    session: Session,
    events: t.Array(Activity, { description: 'In the order of time.' }),
    pagination: Pagination,
  },
  { description: 'A session and its path.' },
);
export type SessionDetail = typeof SessionDetail.static;

const visits = integer({ minimum: 0, description: 'Visits; one ends after a pause of over 30 minutes.' });

export const Visitor = t.Object(
  {
    visitorId,
    firstSeenAt: instant('The first event.'),
    lastSeenAt: instant('The last event.'),
    visits,
    ...counts,
    ...clientFields,
    ...matchedField,
  },
  { title: 'Visitor', description: 'What one browser did.' },
);
export type Visitor = typeof Visitor.static;

export const VisitorList = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    visitors: t.Array(Visitor, {
      description:
        'The one with the latest matching event first. Filters choose the rows; a row is of all visits in the range.',
    }),
    pagination: Pagination,
  },
  { description: 'A page of visitors.' },
);
export type VisitorList = typeof VisitorList.static;

export const Visit = t.Object(
  {
    startedAt: instant('Its first event.'),
    endedAt: instant('Its last event.'),
    ...counts,
    ...edgeFields,
    ...originFields,
  },
  { title: 'Visit', description: 'Activity without a pause of more than 30 minutes.' },
);
export type Visit = typeof Visit.static;

export const VisitorDetail = t.Object(
  {
    visitor: Visitor,
    visits: t.Array(Visit, { description: 'The latest 100.' }),
    events: t.Array(Activity, { description: 'Newest first.' }),
    pagination: Pagination,
  },
  { description: 'A visitor with visits and events.' },
);
export type VisitorDetail = typeof VisitorDetail.static;

export const ExportedEvent = t.Object({
  id: t.String({ description: 'UUID of the event.' }),
  createdAt: instant('When it happened.'),
  eventType: choice(EVENT_TYPES, { description: 'What happened.' }),
  url: t.String({ description: 'Where it happened.' }),
  referrer: orNull('Address of the page before.'),
  sessionId: t.String({ description: 'The browser tab.' }),
  visitorId,
  deviceType: t.Union([choice(DEVICE_TYPES), t.Null()], { description: 'Kind of device.' }),
  ...mapEventTexts((_, { description }) => orNull(description)),
  ...textsOf(READ_TEXT_NAMES),
  isBot: t.Boolean({ description: 'Sent by a bot: left out of figures.' }),
  isExcluded: t.Boolean({
    description: 'Sent from an address that the website excludes: left out of figures.',
  }),
  isAnonymous: t.Boolean({ description: 'The server derived the ids, for one day.' }),
  ...engagementFields,
  properties: t.Union([t.Record(t.String(), t.Unknown()), t.Null()], {
    description: 'As sent; null when none were.',
  }),
});

/** File of GET …/visitors/:visitorId/export, as JSON. */
export const VisitorExport = t.Object(
  {
    visitorId,
    exportedAt: instant('When the file was made.'),
    events: t.Array(ExportedEvent, { description: 'All that are stored, in the order of time.' }),
  },
  { title: 'VisitorExport', description: 'Everything that is stored about a visitor.' },
);

const pageFiguresFields = {
  ...figureFields,
  entries: integer({ minimum: 0, description: 'Visits that began on the page.' }),
  exits: integer({ minimum: 0, description: 'Visits that ended on it.' }),
};

export const PageRow = t.Object(
  {
    page: t.String({ description: 'Its path.' }),
    ...pageFiguresFields,
    exitRate: t.Number({ minimum: 0, description: 'exits ÷ pageviews; 0 without pageviews.' }),
  },
  { title: 'Page', description: 'The metrics of a page.' },
);
export type PageRow = typeof PageRow.static;

export const PageList = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    pages: t.Array(PageRow, { description: 'In the order that was asked for.' }),
    pagination: Pagination,
  },
  { description: 'A page of the list of pages.' },
);
