import { t } from 'elysia';
import { BREAKDOWN_LIMIT_MAX, LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { STATS_LIMIT_DEFAULT, VALUES_LIMIT_DEFAULT } from '../../vocabulary/contract.ts';
import { seriesAnnotations } from '../annotation.ts';
import { integer } from '../types.ts';
import {
  BreakdownRow,
  comparedFields,
  countedByField,
  figureFields,
  optionalGoalFields,
  optionalRevenue,
  Pagination,
  Point,
  ResolvedRange,
  SeriesRange,
  untilField,
} from './figures.ts';
import {
  absentField,
  annotationsField,
  comparisonField,
  dimensionField,
  formatField,
  goalField,
  intervalField,
  pageFields,
  rangeFields,
  rankedSortField,
  revenueField,
  searchField,
  selectionFields,
} from './query.ts';

const IGNORE_UNKNOWN = { additionalProperties: true };

/** GET …/stats */
export const TotalsQuery = t.Object(
  { ...rangeFields, ...comparisonField, ...selectionFields, ...goalField, ...revenueField, ...formatField },
  IGNORE_UNKNOWN,
);
/** GET …/stats/timeseries */
export const SeriesQuery = t.Object(
  {
    ...rangeFields,
    ...intervalField,
    ...comparisonField,
    ...selectionFields,
    ...goalField,
    ...revenueField,
    ...annotationsField,
    ...formatField,
  },
  IGNORE_UNKNOWN,
);
/** GET …/stats/breakdown */
export const BreakdownQuery = t.Object(
  {
    ...dimensionField,
    ...rangeFields,
    ...comparisonField,
    ...selectionFields,
    ...goalField,
    ...revenueField,
    ...searchField,
    ...rankedSortField(),
    ...absentField,
    ...pageFields(STATS_LIMIT_DEFAULT, BREAKDOWN_LIMIT_MAX),
    ...formatField,
  },
  IGNORE_UNKNOWN,
);
/** GET …/stats/values */
export const ValuesQuery = t.Object(
  {
    ...dimensionField,
    ...searchField,
    ...rangeFields,
    ...selectionFields,
    limit: pageFields(VALUES_LIMIT_DEFAULT, LIST_LIMIT_MAX).limit,
    ...formatField,
  },
  IGNORE_UNKNOWN,
);

const ComparedFigures = t.Object(
  { range: ResolvedRange, ...untilField, ...comparedFields, ...optionalRevenue },
  { description: 'Present with compare: the earlier range, its figures, and the change since.' },
);

export const Totals = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    ...figureFields,
    ...optionalGoalFields,
    ...optionalRevenue,
    comparison: t.Optional(ComparedFigures),
  },
  { description: 'The metrics of the range.' },
);
export type Totals = typeof Totals.static;

export const Series = t.Object(
  {
    range: SeriesRange,
    ...countedByField,
    points: t.Array(Point, { description: 'Every one of the range, also those without events.' }),
    comparison: t.Optional(
      t.Object(
        {
          range: SeriesRange,
          ...untilField,
          points: t.Array(Point, { description: 'Those of the earlier range.' }),
        },
        { description: 'Present with compare.' },
      ),
    ),
    ...seriesAnnotations,
  },
  { description: 'The metrics of each point.' },
);
export type Series = typeof Series.static;

export const Breakdown = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    dimension: t.String({ description: 'By its name here.', examples: ['page'] }),
    rows: t.Array(BreakdownRow, { description: 'In the order that was asked for.' }),
    pagination: Pagination,
    comparison: t.Optional(
      t.Object(
        { range: ResolvedRange, ...untilField },
        { description: 'Present with compare: the earlier range.' },
      ),
    ),
  },
  { description: 'The metrics of each value.' },
);
export type Breakdown = typeof Breakdown.static;

export const Values = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    dimension: t.String({ description: 'By its name here.', examples: ['page'] }),
    values: t.Array(
      t.Object({
        value: t.String({ description: 'As it is filtered by.' }),
        events: integer({ minimum: 1, description: 'Events that have it.' }),
      }),
      { description: 'Those with most events first.' },
    ),
  },
  { description: 'Values to choose from.' },
);
export type Values = typeof Values.static;
