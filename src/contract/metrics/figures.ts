import { t } from 'elysia';
import { METRICS, VISITORS_COUNTED_BY } from '../../vocabulary/analytics.ts';
import { INTERVALS } from '../../vocabulary/contract.ts';
import { GOAL_METRIC_DESCRIPTIONS, METRIC_DESCRIPTIONS } from '../../vocabulary/dimensions.ts';
import { choice, instant, integer } from '../types.ts';

const number = (description: string) => t.Number({ minimum: 0, description });

/** Schemas of the seven metrics by name. */
export const figureFields = {
  visitors: integer({ minimum: 0, description: METRIC_DESCRIPTIONS.visitors }),
  visits: integer({ minimum: 0, description: METRIC_DESCRIPTIONS.visits }),
  pageviews: integer({ minimum: 0, description: METRIC_DESCRIPTIONS.pageviews }),
  events: integer({ minimum: 0, description: METRIC_DESCRIPTIONS.events }),
  viewsPerVisit: number(METRIC_DESCRIPTIONS.viewsPerVisit),
  bounceRate: t.Number({ minimum: 0, maximum: 1, description: METRIC_DESCRIPTIONS.bounceRate }),
  visitDuration: number(METRIC_DESCRIPTIONS.visitDuration),
};

const part = (description: string) => t.Number({ minimum: 0, maximum: 1, description });
/** Schemas of a goal's metrics by name. */
export const goalFigureFields = {
  conversions: integer({ minimum: 0, description: GOAL_METRIC_DESCRIPTIONS.conversions }),
  converters: integer({ minimum: 0, description: GOAL_METRIC_DESCRIPTIONS.converters }),
  conversionRate: part(GOAL_METRIC_DESCRIPTIONS.conversionRate),
};
/** Present when a goal is requested. */
export const optionalGoalFields = {
  conversions: t.Optional(goalFigureFields.conversions),
  converters: t.Optional(goalFigureFields.converters),
  conversionRate: t.Optional(goalFigureFields.conversionRate),
};

const amount = (description: string) => t.String({ description, examples: ['1234.50'] });
export const RevenueList = t.Array(
  t.Object(
    {
      currency: t.String({ description: 'A code of ISO 4217.', examples: ['EUR'] }),
      total: amount('The sum, exact to the minor unit.'),
      average: amount('total ÷ events, to the nearest minor unit.'),
      events: integer({ minimum: 0, description: 'Events that it is the sum of.' }),
    },
    { title: 'Revenue', description: 'What events have brought in one currency.' },
  ),
  { description: 'One for each currency that there is; different ones are never added.' },
);
export type RevenueList = typeof RevenueList.static;
export const optionalRevenue = { revenue: t.Optional(RevenueList) };

export const ResolvedRange = t.Object(
  {
    from: instant('The first instant of the range.'),
    to: instant('The first instant after it.'),
    timezone: t.String({ description: 'Of its days.' }),
  },
  { title: 'Range', description: 'The range that was meant.' },
);

/** How the visitors of an answer are counted. */
export const countedByField = {
  visitorsCountedBy: t.Optional(
    choice(VISITORS_COUNTED_BY, {
      description:
        'Present when visitors without ids are in the range: day when all are counted by day, so that one who comes on two days counts twice; mixed when others are counted by browser.',
    }),
  ),
};

const changeOf = t.Union([t.Number(), t.Null()], {
  description: 'In percent, of the earlier figure; null when that is 0.',
});
const Change = t.Object(
  {
    // Keys are exactly the metrics.
    ...(Object.fromEntries(METRICS.map((metric) => [metric, changeOf])) as Record<
      (typeof METRICS)[number],
      typeof changeOf
    >),
    conversions: t.Optional(changeOf),
    converters: t.Optional(changeOf),
    conversionRate: t.Optional(changeOf),
    goalVisitors: t.Optional(changeOf),
    goalRate: t.Optional(changeOf),
  },
  { title: 'Change', description: 'By metric, since the earlier range.' },
);

export const comparedFields = { ...figureFields, ...optionalGoalFields, change: Change };
export const untilField = {
  until: t.Optional(
    instant(
      'Present while the range is running: now. What came before it is compared with the same part of the earlier range.',
    ),
  ),
};
export const Point = t.Object(
  {
    time: instant('Where the point begins, UTC. The first one may begin before the range.'),
    local: t.String({
      description: 'The same with the offset of the time zone.',
      examples: ['2026-11-20T00:00:00+01:00'],
    }),
    incomplete: t.Boolean({
      description:
        'The range or the present cuts the point: there may be more to come, or more than is counted.',
    }),
    ...figureFields,
    ...optionalGoalFields,
    ...optionalRevenue,
  },
  { title: 'Point', description: 'The metrics of a stretch of time.' },
);
export type Point = typeof Point.static;

export const SeriesRange = t.Composite(
  [ResolvedRange, t.Object({ interval: choice(INTERVALS, { description: 'The length of a point.' }) })],
  { title: 'SeriesRange', description: 'The range that was meant, and the length of its points.' },
);

/** Present when a goal is requested. */
const rowGoalFields = {
  goalVisitors: t.Optional(
    integer({
      minimum: 0,
      description: 'Visitors who reached the goal in a visit that has the value, whatever the event.',
    }),
  ),
  goalRate: t.Optional(
    t.Union([part('goalVisitors ÷ visitors of the row.'), t.Null()], {
      description: 'goalVisitors ÷ visitors of the row; null without visitors.',
    }),
  ),
};

export const BreakdownRow = t.Object(
  {
    value: t.Union([t.String(), t.Null()], { description: 'null: events that have no such value.' }),
    ...figureFields,
    ...optionalGoalFields,
    ...optionalRevenue,
    groupConversionRate: t.Optional(part(GOAL_METRIC_DESCRIPTIONS.groupConversionRate)),
    ...rowGoalFields,
    share: t.Number({
      minimum: 0,
      maximum: 1,
      description: 'Its visitors ÷ all visitors of the selection.',
    }),
    comparison: t.Optional(
      t.Object(
        { ...comparedFields, ...rowGoalFields },
        { description: 'Present with compare: the same value in the earlier range.' },
      ),
    ),
  },
  { title: 'BreakdownRow', description: 'The metrics of the events that have a value.' },
);
export type BreakdownRow = typeof BreakdownRow.static;

export const Pagination = t.Object(
  {
    total: integer({ minimum: 0, description: 'How many there are, on all pages.' }),
    limit: integer({ minimum: 1, description: 'How many a page has at most.' }),
    offset: integer({ minimum: 0, description: 'How many were left out before it.' }),
  },
  { title: 'StatsPagination', description: 'Which page of the list this is.' },
);
