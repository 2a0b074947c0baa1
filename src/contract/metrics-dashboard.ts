import { t } from 'elysia';
import { BREAKDOWNS_MAX, LIST_LIMIT_MAX } from '../analytics/vocabulary.ts';
import { BreakdownRow, ComparedFigures, figureFields, Point, SeriesRange } from './metrics.ts';
import {
  absentField,
  comparisonField,
  formatField,
  intervalField,
  pageFields,
  rangeFields,
  selectionFields,
  sortField,
} from './metrics-query.ts';
import { integer } from './types.ts';
import { DASHBOARD_LIMIT_DEFAULT } from './vocabulary.ts';

/** What a dashboard shows at first. */
export const DASHBOARD_BREAKDOWNS = ['page', 'source', 'country', 'deviceType', 'browser', 'os'] as const;

/** GET …/stats/dashboard */
export const DashboardQuery = t.Object(
  {
    breakdowns: t.Optional(
      t.String({
        description: `Dimensions, separated by commas, or a JSON list of them (for property keys with commas); at most ${BREAKDOWNS_MAX}. Default: ${DASHBOARD_BREAKDOWNS.join(',')}.`,
        examples: ['page,source,property:plan'],
      }),
    ),
    limit: pageFields(DASHBOARD_LIMIT_DEFAULT, LIST_LIMIT_MAX).limit,
    ...sortField(),
    ...absentField,
    ...rangeFields,
    ...intervalField,
    ...comparisonField,
    ...selectionFields,
    ...formatField,
  },
  { additionalProperties: true },
);

export const Dashboard = t.Object({
  range: SeriesRange,
  totals: t.Object(figureFields),
  points: t.Array(Point, { description: 'Every one of the range, also those without events.' }),
  breakdowns: t.Array(
    t.Object({
      dimension: t.String(),
      rows: t.Array(BreakdownRow),
      total: integer({ minimum: 0, description: 'How many values there are.' }),
    }),
    { description: 'In the order of the request.' },
  ),
  comparison: t.Optional(
    t.Composite([ComparedFigures, t.Object({ range: SeriesRange, points: t.Array(Point) })], {
      description: 'Present with compare: the earlier range, its figures and points, and the change since.',
    }),
  ),
});
export type Dashboard = typeof Dashboard.static;

const named = t.Object({ name: t.String(), description: t.String() });

/** GET …/stats/dimensions */
export const Vocabulary = t.Object(
  {
    dimensions: t.Array(
      t.Composite([
        named,
        t.Object({
          of: t.Union([t.Literal('event'), t.Literal('visit')], {
            description: 'event: may differ between the events of a visit. visit: one value a visit.',
          }),
        }),
      ]),
    ),
    metrics: t.Array(named),
    operators: t.Array(named),
    traffic: t.Array(named),
    periods: t.Array(named),
    intervals: t.Array(named),
    comparisons: t.Array(named),
  },
  { description: 'Every name that questions may use.' },
);
export type Vocabulary = typeof Vocabulary.static;
