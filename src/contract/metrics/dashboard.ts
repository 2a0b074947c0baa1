import { t } from 'elysia';
import { BREAKDOWNS_MAX, LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { DASHBOARD_LIMIT_DEFAULT, POINTS_MAX } from '../../vocabulary/contract.ts';
import { seriesAnnotations } from '../annotation.ts';
import { choice, integer } from '../types.ts';
import {
  BreakdownRow,
  comparedFields,
  countedByField,
  figureFields,
  optionalGoalFields,
  Point,
  SeriesRange,
  untilField,
} from './figures.ts';
import {
  absentField,
  annotationsField,
  comparisonField,
  formatField,
  goalField,
  intervalField,
  pageFields,
  rangeFields,
  rankedSortField,
  searchField,
  selectionFields,
} from './query.ts';

/** Breakdowns that a dashboard shows at first. */
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
    ...searchField,
    ...rankedSortField(),
    ...absentField,
    ...rangeFields,
    ...intervalField,
    ...comparisonField,
    ...selectionFields,
    ...goalField,
    ...annotationsField,
    ...formatField,
  },
  { additionalProperties: true },
);

export const Dashboard = t.Object(
  {
    range: SeriesRange,
    ...countedByField,
    totals: t.Object(
      { ...figureFields, ...optionalGoalFields },
      { description: 'The metrics of the range.' },
    ),
    points: t.Array(Point, { description: 'Every one of the range, also those without events.' }),
    breakdowns: t.Array(
      t.Object({
        dimension: t.String({ description: 'By its name here.', examples: ['page'] }),
        rows: t.Array(BreakdownRow, { description: 'The first ones, in the order that was asked for.' }),
        total: integer({ minimum: 0, description: 'How many values there are.' }),
      }),
      { description: 'In the order of the request.' },
    ),
    comparison: t.Optional(
      t.Object(
        {
          range: SeriesRange,
          ...untilField,
          ...comparedFields,
          points: t.Array(Point, {
            description: `Those of the earlier range; none when it would have more than ${POINTS_MAX}.`,
          }),
        },
        {
          description:
            'Present with compare: the earlier range, its figures and points, and the change since.',
        },
      ),
    ),
    ...seriesAnnotations,
  },
  { description: 'Everything of one pass over the events.' },
);
export type Dashboard = typeof Dashboard.static;

const named = t.Object(
  {
    name: t.String({ description: 'As questions use it.' }),
    description: t.String({ description: 'For people.' }),
  },
  { title: 'Named', description: 'A name and what it means.' },
);
const listOf = (what: string) => t.Array(named, { description: what });

/** GET …/stats/dimensions */
export const Vocabulary = t.Object(
  {
    dimensions: t.Array(
      t.Object({
        ...named.properties,
        of: choice(['event', 'visit'], {
          description: 'event: may differ between the events of a visit. visit: one value a visit.',
        }),
      }),
      { description: 'What figures are broken down and filtered by.' },
    ),
    metrics: listOf('What is counted.'),
    operators: listOf('Of filters.'),
    traffic: listOf('Whose events count.'),
    periods: listOf('Ranges by name.'),
    intervals: listOf('Lengths of points.'),
    comparisons: listOf('Earlier ranges.'),
  },
  { description: 'Every name that questions may use.' },
);
export type Vocabulary = typeof Vocabulary.static;
