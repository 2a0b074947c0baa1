import { t } from 'elysia';
import { BREAKDOWN_LIMIT_MAX } from '../vocabulary/analytics.ts';
import { OFFSET_MAX, URL_LENGTH_MAX } from '../vocabulary/contract.ts';
import { choice, integer } from './types.ts';

/** Plausible's Stats API v2, so that its clients work with a changed address. */

export const PLAUSIBLE_METRICS = [
  'visitors',
  'visits',
  'pageviews',
  'events',
  'views_per_visit',
  'bounce_rate',
  'visit_duration',
  'percentage',
  'conversion_rate',
  'group_conversion_rate',
  'total_revenue',
  'average_revenue',
] as const;
export type PlausibleMetric = (typeof PLAUSIBLE_METRICS)[number];

export const PLAUSIBLE_INCLUDES = [
  'imports',
  'time_labels',
  'total_rows',
  'trim_relative_date_range',
] as const;
export type PlausibleInclude = Record<(typeof PLAUSIBLE_INCLUDES)[number], boolean>;

export const TIME_DIMENSIONS = [
  'time',
  'time:minute',
  'time:hour',
  'time:day',
  'time:week',
  'time:month',
] as const;

export const DIMENSIONS_MAX = 5;
/** Maximum rows of several dimensions together, and engine questions of one request. */
export const ROWS_MAX = 100_000;
export const QUESTIONS_MAX = 370;

/** Rejects unknown members, as Plausible does: a misspelt filter would otherwise be ignored. */
const CLOSED = { additionalProperties: false, 'x-closed': true };

const queryFields = {
  metrics: t.Array(choice(PLAUSIBLE_METRICS), {
    minItems: 1,
    uniqueItems: true,
    description:
      'bounce_rate, percentage and the conversion rates are in percent, visit_duration is in seconds.',
  }),
  date_range: t.Union(
    [
      t.String({
        pattern: '^(day|24h|month|year|all|[1-9][0-9]{0,3}(d|mo))$',
        description:
          'Nd: the N days before today. Nmo: the N months before this one. month and year run to their end.',
      }),
      t.Array(t.String(), {
        minItems: 2,
        maxItems: 2,
        description: 'First and last date, or date and time with offset; both are included.',
      }),
    ],
    { description: 'Days of the time zone of the website.', examples: ['7d', ['2026-11-01', '2026-11-20']] },
  ),
  dimensions: t.Optional(
    t.Array(t.String(), {
      maxItems: DIMENSIONS_MAX,
      uniqueItems: true,
      description: 'visit:country, event:page, event:props:KEY, time, time:day and so on.',
    }),
  ),
  filters: t.Optional(
    t.Array(t.Unknown(), {
      description:
        'is, is_not, contains, contains_not, starts_with, ends_with, each with {"case_sensitive": false} as a fourth part if need be; matches, matches_not; and, or, not, has_done, has_not_done.',
    }),
  ),
  order_by: t.Optional(
    t.Array(t.Array(t.String(), { minItems: 2, maxItems: 2 }), {
      description:
        'Pairs of a metric or dimension of the query and asc or desc. Default: by time ascending, then by the first metric descending.',
      examples: [[['visitors', 'desc']]],
    }),
  ),
  include: t.Optional(
    t.Object(
      {
        imports: t.Optional(
          t.Boolean({
            description:
              'Adds imported sums of days: to totals, to a time of days and longer, and to one dimension whose rows are all on the page.',
          }),
        ),
        time_labels: t.Optional(t.Boolean({ description: 'Every time of the range, in meta.' })),
        total_rows: t.Optional(t.Boolean({ description: 'The number of rows on all pages, in meta.' })),
        trim_relative_date_range: t.Optional(
          t.Boolean({ description: 'day, month and year end with the hour or day that is running.' }),
        ),
      },
      { ...CLOSED, description: 'What else to answer.' },
    ),
  ),
  pagination: t.Optional(
    t.Object(
      {
        limit: t.Optional(
          integer({
            minimum: 1,
            maximum: BREAKDOWN_LIMIT_MAX,
            description: `Default ${BREAKDOWN_LIMIT_MAX}.`,
          }),
        ),
        offset: t.Optional(integer({ minimum: 0, maximum: OFFSET_MAX, description: 'Default 0.' })),
      },
      { ...CLOSED, description: 'Which page of the rows.' },
    ),
  ),
};

/** POST /api/v1/websites/:id/query */
export const PlausibleQuery = t.Object(
  {
    site_id: t.Optional(t.String({ description: 'Ignored: the address says which website.' })),
    ...queryFields,
  },
  CLOSED,
);
/** POST /api/v2/query */
export const PlausibleSiteQuery = t.Object(
  {
    site_id: t.String({
      minLength: 1,
      maxLength: URL_LENGTH_MAX,
      description: 'Domain or id of the website.',
      examples: ['example.com'],
    }),
    ...queryFields,
  },
  CLOSED,
);

export const PlausibleMoney = t.Object(
  {
    currency: t.String({ description: 'A code of ISO 4217.', examples: ['EUR'] }),
    value: t.Number({ description: 'As a number.' }),
    long: t.String({ description: 'Exact, for people.', examples: ['€1,234.50'] }),
    short: t.String({ description: 'Shortened, for people.', examples: ['€1.2K'] }),
  },
  { title: 'PlausibleMoney', description: 'An amount of a currency.' },
);
export type PlausibleMoney = typeof PlausibleMoney.static;

export const PlausibleAnswer = t.Object(
  {
    results: t.Array(
      t.Object({
        dimensions: t.Array(t.String(), { description: 'In the order of the request.' }),
        metrics: t.Array(t.Union([t.Number(), PlausibleMoney, t.Null()]), {
          description: 'In the order of the request. null: revenue of no currency, or of several.',
        }),
      }),
      { description: 'The rows, in the order that was asked for.' },
    ),
    meta: t.Object(
      {
        imports_included: t.Optional(
          t.Boolean({
            description: 'Whether imported sums are among the figures. Present with include.imports.',
          }),
        ),
        metric_warnings: t.Optional(
          t.Record(t.String(), t.Object({ code: t.String(), warning: t.String() }), {
            description: 'By metric: why it is null.',
          }),
        ),
        imports_skip_reason: t.Optional(t.String({ description: 'Why not.' })),
        time_labels: t.Optional(
          t.Array(t.String(), { description: 'Every time of the range. Present with include.time_labels.' }),
        ),
        total_rows: t.Optional(
          integer({ minimum: 0, description: 'On all pages. Present with include.total_rows.' }),
        ),
      },
      { description: 'What was asked for with include.' },
    ),
    query: t.Object(
      {
        site_id: t.String({ description: 'As asked for.' }),
        metrics: t.Array(t.String(), { description: 'As asked for.' }),
        date_range: t.Array(t.String(), { description: 'The first and the last second.' }),
        dimensions: t.Array(t.String(), { description: 'As asked for; time with its step.' }),
        filters: t.Array(t.Unknown(), { description: 'As asked for.' }),
        order_by: t.Array(t.Array(t.String()), { description: 'As asked for, or the default.' }),
        include: t.Object(
          {
            imports: t.Boolean({ description: 'As asked for.' }),
            time_labels: t.Boolean({ description: 'As asked for.' }),
            total_rows: t.Boolean({ description: 'As asked for.' }),
            trim_relative_date_range: t.Boolean({ description: 'As asked for.' }),
          },
          { description: 'As asked for.' },
        ),
        pagination: t.Object(
          {
            limit: integer({ description: 'As asked for, or the default.' }),
            offset: integer({ description: 'As asked for, or the default.' }),
          },
          { description: 'Which page this is.' },
        ),
      },
      { description: 'The query as it was understood.' },
    ),
  },
  { description: 'The rows of the query.' },
);
export type PlausibleAnswer = typeof PlausibleAnswer.static;
