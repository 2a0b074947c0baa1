import { t } from 'elysia';
import { BREAKDOWN_LIMIT_MAX } from '../analytics/vocabulary.ts';
import { choice, integer } from './types.ts';

/** The form of Plausible's Stats API v2, so that its clients work by changing the address. */

export const PLAUSIBLE_METRICS = [
  'visitors',
  'visits',
  'pageviews',
  'events',
  'views_per_visit',
  'bounce_rate',
  'visit_duration',
  'percentage',
] as const;
export type PlausibleMetric = (typeof PLAUSIBLE_METRICS)[number];

export const PLAUSIBLE_RANGES = [
  'day',
  '24h',
  '7d',
  '28d',
  '30d',
  '91d',
  'month',
  '6mo',
  '12mo',
  'year',
  'all',
] as const;
export type PlausibleRange = (typeof PLAUSIBLE_RANGES)[number];

export const TIME_DIMENSIONS = [
  'time',
  'time:minute',
  'time:hour',
  'time:day',
  'time:week',
  'time:month',
] as const;

/** Rows of two dimensions together, and the questions that they take. */
export const PAIRS_MAX = 100_000;
export const PAIR_QUESTIONS_MAX = 370;

const queryFields = {
  metrics: t.Array(choice(PLAUSIBLE_METRICS), {
    minItems: 1,
    description: 'bounce_rate and percentage are in percent, visit_duration is in seconds.',
  }),
  date_range: t.Union(
    [
      choice(PLAUSIBLE_RANGES),
      t.Array(t.String(), {
        minItems: 2,
        maxItems: 2,
        description: 'First and last date, or date and time with offset; both are included.',
      }),
    ],
    { examples: ['7d', ['2026-11-01', '2026-11-20']] },
  ),
  dimensions: t.Optional(
    t.Array(t.String(), {
      maxItems: 2,
      description: 'visit:country, event:page, event:props:KEY, time, time:day and so on.',
    }),
  ),
  filters: t.Optional(
    t.Array(t.Unknown(), {
      description: 'is, is_not, contains, contains_not, starts_with, ends_with; and, or, not.',
    }),
  ),
  order_by: t.Optional(t.Array(t.Tuple([t.String(), choice(['asc', 'desc'])]))),
  include: t.Optional(
    t.Object(
      {
        imports: t.Optional(t.Boolean()),
        time_labels: t.Optional(t.Boolean()),
        total_rows: t.Optional(t.Boolean()),
      },
      { additionalProperties: true },
    ),
  ),
  pagination: t.Optional(
    t.Object({
      limit: t.Optional(integer({ minimum: 1, maximum: BREAKDOWN_LIMIT_MAX })),
      offset: t.Optional(integer({ minimum: 0 })),
    }),
  ),
};

/** POST /api/v1/websites/:id/query: `site_id` is ignored. */
export const PlausibleQuery = t.Object(queryFields, { additionalProperties: true });
/** POST /api/v2/query */
export const PlausibleSiteQuery = t.Object(
  { site_id: t.String({ description: 'Domain or id of the website.' }), ...queryFields },
  { additionalProperties: true },
);

export const PlausibleAnswer = t.Object({
  results: t.Array(
    t.Object({
      dimensions: t.Array(t.String(), { description: 'In the order of the request.' }),
      metrics: t.Array(t.Number(), { description: 'In the order of the request.' }),
    }),
  ),
  meta: t.Object({
    imports_included: t.Optional(t.Boolean()),
    imports_skip_reason: t.Optional(t.String()),
    time_labels: t.Optional(t.Array(t.String())),
    total_rows: t.Optional(integer({ minimum: 0 })),
  }),
  query: t.Object({
    site_id: t.String(),
    metrics: t.Array(t.String()),
    date_range: t.Array(t.String()),
    dimensions: t.Array(t.String()),
    filters: t.Array(t.Unknown()),
    order_by: t.Array(t.Array(t.String())),
    include: t.Object({ imports: t.Boolean(), time_labels: t.Boolean(), total_rows: t.Boolean() }),
    pagination: t.Object({ limit: integer(), offset: integer() }),
  }),
});
export type PlausibleAnswer = typeof PlausibleAnswer.static;
