import { t } from 'elysia';
import { LIST_LIMIT_MAX } from '../analytics/vocabulary.ts';
import { figureFields, Pagination, ResolvedRange } from './metrics.ts';
import { formatField, pageFields, rangeFields, searchField, selectionFields } from './metrics-query.ts';
import { integer } from './types.ts';
import { PROPERTY_KEY_LENGTH_MAX, REALTIME_LIMIT_DEFAULT, STATS_LIMIT_DEFAULT } from './vocabulary.ts';

const IGNORE_UNKNOWN = { additionalProperties: true };
const page = pageFields(STATS_LIMIT_DEFAULT, LIST_LIMIT_MAX);

/** GET …/pages/detail */
export const PageQuery = t.Object(
  {
    page: t.String({ description: 'Required. The path of the page.', examples: ['/pricing'] }),
    ...rangeFields,
    ...selectionFields,
    limit: pageFields(REALTIME_LIMIT_DEFAULT, LIST_LIMIT_MAX).limit,
    ...formatField,
  },
  IGNORE_UNKNOWN,
);

const came = t.Array(t.Object({ value: t.Union([t.String(), t.Null()]), ...figureFields }), {
  description: 'Of the visits that have the page; null: direct.',
});
const neighbours = (description: string) =>
  t.Array(t.Object({ value: t.Union([t.String(), t.Null()]), pageviews: integer({ minimum: 0 }) }), {
    description,
  });

export const PageDetail = t.Object({
  range: ResolvedRange,
  page: t.String(),
  ...figureFields,
  entries: integer({ minimum: 0, description: 'Visits that began on the page.' }),
  exits: integer({ minimum: 0, description: 'Visits that ended on it.' }),
  sources: came,
  referrers: came,
  previous: neighbours('Pages before this one within the visit; null: it was the first.'),
  next: neighbours('Pages after this one; null: it was the last.'),
});
export type PageDetail = typeof PageDetail.static;

/** GET …/stats/events and GET …/stats/properties */
export const NamesQuery = t.Object(
  { ...rangeFields, ...selectionFields, ...page, ...formatField },
  IGNORE_UNKNOWN,
);
/** GET …/stats/properties/:key */
export const PropertyQuery = t.Object(
  { ...rangeFields, ...selectionFields, ...searchField, ...page, ...formatField },
  IGNORE_UNKNOWN,
);

const counts = {
  events: integer({ minimum: 0 }),
  visitors: integer({ minimum: 0, description: 'Distinct visitors.' }),
};

export const CustomEvents = t.Object({
  range: ResolvedRange,
  events: t.Array(t.Object({ name: t.String(), ...counts }), {
    description: 'Those with most visitors first.',
  }),
  pagination: Pagination,
});
export type CustomEvents = typeof CustomEvents.static;

export const PropertyKeys = t.Object({
  range: ResolvedRange,
  properties: t.Array(t.Object({ key: t.String(), ...counts }), {
    description: 'Those with most events first.',
  }),
  pagination: Pagination,
});
export type PropertyKeys = typeof PropertyKeys.static;

export const PropertyValues = t.Object({
  range: ResolvedRange,
  key: t.String({ maxLength: PROPERTY_KEY_LENGTH_MAX }),
  values: t.Array(t.Object({ value: t.String(), ...counts }), {
    description: 'Those with most visitors first.',
  }),
  numbers: t.Union(
    [
      t.Object({
        count: integer({ minimum: 1, description: 'Events whose value is a number.' }),
        sum: t.Number(),
        average: t.Number(),
        min: t.Number(),
        max: t.Number(),
      }),
      t.Null(),
    ],
    { description: 'Of the values that are numbers; null when there is none.' },
  ),
  pagination: Pagination,
});
export type PropertyValues = typeof PropertyValues.static;
