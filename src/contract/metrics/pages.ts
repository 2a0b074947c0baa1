import { t } from 'elysia';
import { LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import {
  PROPERTY_KEY_LENGTH_MAX,
  REALTIME_LIMIT_DEFAULT,
  STATS_LIMIT_DEFAULT,
} from '../../vocabulary/contract.ts';
import { integer } from '../types.ts';
import { countedByField, figureFields, optionalRevenue, Pagination, ResolvedRange } from './figures.ts';
import { formatField, pageFields, rangeFields, searchField, selectionFields } from './query.ts';

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

const came = (description: string) =>
  t.Array(
    t.Object({
      value: t.Union([t.String(), t.Null()], { description: 'null: none, of sources only.' }),
      ...figureFields,
    }),
    { description },
  );
const neighbours = (description: string) =>
  t.Array(
    t.Object({
      value: t.Union([t.String(), t.Null()], { description: 'The other page, if there is one.' }),
      pageviews: integer({ minimum: 0, description: 'How often.' }),
    }),
    { description },
  );

export const PageDetail = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    page: t.String({ description: 'Its path.' }),
    ...figureFields,
    entries: integer({ minimum: 0, description: 'Visits that began on the page.' }),
    exits: integer({ minimum: 0, description: 'Visits that ended on it.' }),
    sources: came('Sources of the visits that have the page.'),
    referrers: came('Referrers of the visits that have the page.'),
    previous: neighbours('Pages before this one within the visit; null: it was the first.'),
    next: neighbours('Pages after this one; null: it was the last.'),
  },
  { description: 'A page and what led to it and away from it.' },
);
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
  events: integer({ minimum: 0, description: 'How many events.' }),
  visitors: integer({ minimum: 0, description: 'Distinct visitors.' }),
};

export const CustomEvents = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    events: t.Array(
      t.Object({ name: t.String({ description: 'properties.name of the event.' }), ...counts }),
      {
        description: 'Those with most visitors first.',
      },
    ),
    pagination: Pagination,
  },
  { description: 'A page of custom events.' },
);
export type CustomEvents = typeof CustomEvents.static;

export const PropertyKeys = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    properties: t.Array(t.Object({ key: t.String({ description: 'At the top level.' }), ...counts }), {
      description: 'Those with most events first.',
    }),
    pagination: Pagination,
  },
  { description: 'A page of keys.' },
);
export type PropertyKeys = typeof PropertyKeys.static;

export const PropertyValues = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    key: t.String({ maxLength: PROPERTY_KEY_LENGTH_MAX, description: 'The key that was asked for.' }),
    values: t.Array(
      t.Object({ value: t.String({ description: 'As text.' }), ...counts, ...optionalRevenue }),
      {
        description: 'Those with most visitors first.',
      },
    ),
    numbers: t.Union(
      [
        t.Object({
          count: integer({ minimum: 1, description: 'Events whose value is a number.' }),
          sum: t.Number({ description: 'Of these values.' }),
          average: t.Number({ description: 'sum ÷ count.' }),
          min: t.Number({ description: 'The least.' }),
          max: t.Number({ description: 'The greatest.' }),
        }),
        t.Null(),
      ],
      { description: 'Of the values that are numbers; null when there is none.' },
    ),
    pagination: Pagination,
  },
  { description: 'A page of values.' },
);
export type PropertyValues = typeof PropertyValues.static;
