import { t } from 'elysia';
import { BREAKDOWNS_MAX, LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { DASHBOARD_LIMIT_DEFAULT } from '../../vocabulary/contract.ts';
import { choice, count, instant } from '../types.ts';
import { SeriesRange } from './figures.ts';
import { formatField, intervalField, pageFields, rangeFields, selectionFields } from './query.ts';

/** Why sums cannot answer a question. */
export const NOT_IMPORTED = [
  'no_imported_data',
  'unsupported_filter',
  'unsupported_interval',
  'unsupported_traffic',
] as const;
export type NotImported = (typeof NOT_IMPORTED)[number];

/** GET …/stats/imported */
export const ImportedQuery = t.Object(
  {
    breakdowns: t.Optional(
      t.String({
        description: `Dimensions, separated by commas; at most ${BREAKDOWNS_MAX}. Default: none.`,
        examples: ['page,source'],
      }),
    ),
    limit: pageFields(DASHBOARD_LIMIT_DEFAULT, LIST_LIMIT_MAX).limit,
    ...rangeFields,
    ...intervalField,
    ...selectionFields,
    ...formatField,
  },
  { additionalProperties: true },
);

const orNull = (description: string) => t.Union([t.Number({ minimum: 0 }), t.Null()], { description });
const figures = {
  visitors: count('Visitors of each day, added up: one who came on two days counts twice.'),
  visits: count('Visits.'),
  pageviews: count('Pageviews.'),
  bounceRate: orNull('Part of the visits that bounced; null when it is unknown.'),
  visitDuration: orNull('Seconds a visit, on average; null when it is unknown.'),
};
export const ImportedFigures = t.Object(figures, { description: 'Sums of imported days.' });
export type ImportedFigures = typeof ImportedFigures.static;

const skipped = t.Union([choice(NOT_IMPORTED), t.Null()], {
  description: 'Why there are no figures; null when there are.',
});

export const ImportedStats = t.Object(
  {
    imported: t.Literal(true, { description: 'These are sums of another product, not of events.' }),
    range: SeriesRange,
    skipped,
    until: t.Union([instant('The begin of the day of the first event.'), t.Null()], {
      description: 'Sums of this day and later are left out, because there are events; null without events.',
    }),
    totals: ImportedFigures,
    points: t.Array(t.Object({ time: instant('The begin of the point.'), ...figures }), {
      description: 'The points of the range that have imported days.',
    }),
    breakdowns: t.Array(
      t.Object({
        dimension: t.String({ description: 'By its name here.', examples: ['page'] }),
        isIncluded: t.Boolean({
          description: 'Whether there are sums by this dimension under these filters.',
        }),
        rows: t.Array(
          t.Object({
            value: t.Union([t.String(), t.Null()], { description: 'null means absent.' }),
            ...figures,
          }),
          { description: 'The ones with most visitors.' },
        ),
        total: count('How many values there are.'),
      }),
      { description: 'In the order of the request.' },
    ),
  },
  { title: 'ImportedStats', description: 'Imported sums of a range, next to the figures of its events.' },
);
export type ImportedStats = typeof ImportedStats.static;
