import { t } from 'elysia';
import { FILTERS_LENGTH_MAX, INTERVALS, URL_LENGTH_MAX } from '../vocabulary/contract.ts';
import { choice, integerText } from './types.ts';

/** Plausible's Stats API v1, which most of its clients on npm use. */

export const V1_LIMIT_DEFAULT = 100;
export const V1_LIMIT_MAX = 1_000;
export const V1_INTERVALS = ['date', ...INTERVALS] as const;

const siteField = {
  site_id: t.String({
    minLength: 1,
    maxLength: URL_LENGTH_MAX,
    description: 'Domain or id of the website.',
    examples: ['example.com'],
  }),
};
const rangeFields = {
  period: t.Optional(
    t.String({
      description:
        'day, 7d, 30d, month, 6mo, 12mo, custom, or another range of version 2. Nmo ends with this month. Default: 30d.',
      examples: ['custom'],
    }),
  ),
  date: t.Optional(
    t.String({
      description: 'What the period is relative to, default today; of custom the first and last date.',
      examples: ['2026-11-01,2026-11-20'],
    }),
  ),
};
const selectionFields = {
  ...rangeFields,
  metrics: t.Optional(
    t.String({ description: 'Separated by commas. Default: visitors.', examples: ['visitors,bounce_rate'] }),
  ),
  filters: t.Optional(
    t.String({
      maxLength: FILTERS_LENGTH_MAX,
      description: 'Conditions that must all hold; | is or, * is any text.',
      examples: ['visit:country==DE|FR;event:page!=/blog*'],
    }),
  ),
  with_imported: t.Optional(
    choice(['true', 'false'], { description: 'Accepted; version 1 answers without imported sums.' }),
  ),
};
const OPEN = { additionalProperties: true };

export const V1SiteQuery = t.Object(siteField, OPEN);
export const V1AggregateQuery = t.Object(
  {
    ...siteField,
    ...selectionFields,
    compare: t.Optional(
      choice(['previous_period'], { description: 'Also the change since as many days before.' }),
    ),
  },
  OPEN,
);
export const V1TimeseriesQuery = t.Object(
  {
    ...siteField,
    ...selectionFields,
    interval: t.Optional(
      choice(V1_INTERVALS, {
        description: 'date is day. Default: hour for a day, month for months, else day.',
      }),
    ),
  },
  OPEN,
);
export const V1BreakdownQuery = t.Object(
  {
    ...siteField,
    ...selectionFields,
    property: t.String({ description: 'Required. A dimension.', examples: ['visit:source'] }),
    limit: t.Optional(
      integerText({ minimum: 1, maximum: V1_LIMIT_MAX, description: `Default ${V1_LIMIT_DEFAULT}.` }),
    ),
    page: t.Optional(integerText({ minimum: 1, description: 'From 1 on. Default 1.' })),
  },
  OPEN,
);

const Figure = t.Object({
  value: t.Number({ description: 'In the range.' }),
  comparison_value: t.Optional(t.Number({ description: 'In the days before. Present with compare.' })),
  change: t.Optional(
    t.Union([t.Number(), t.Null()], {
      description: 'In percent, of bounce_rate in percentage points. Present with compare.',
    }),
  ),
});
export const V1Aggregate = t.Object(
  { results: t.Record(t.String(), Figure, { description: 'By metric.' }) },
  { description: 'Totals.' },
);
export type V1Aggregate = typeof V1Aggregate.static;

const Cell = t.Union([t.Number(), t.String(), t.Null()]);
const rows = (description: string) =>
  t.Object({ results: t.Array(t.Record(t.String(), Cell), { description }) }, { description: 'The rows.' });
export const V1Timeseries = rows('date and the metrics, for every point of the range.');
export const V1Breakdown = rows('The value under the name of the property, and the metrics.');
export type V1Rows = typeof V1Timeseries.static;

export const V1Visitors = t.Number({ description: 'Distinct visitors of the last 5 minutes.' });
