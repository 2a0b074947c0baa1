import { t } from 'elysia';
import { GOAL_TYPES } from '../../vocabulary/contract.ts';
import { Money } from '../goal.ts';
import { choice, integer } from '../types.ts';
import { countedByField, goalFigureFields, optionalRevenue, ResolvedRange, untilField } from './figures.ts';
import { comparisonField, formatField, rangeFields, selectionFields } from './query.ts';

/** GET …/stats/goals */
export const GoalStatsQuery = t.Object(
  { ...rangeFields, ...comparisonField, ...selectionFields, ...formatField },
  { additionalProperties: true },
);

const change = t.Union([t.Number(), t.Null()], {
  description: 'In percent; null when the earlier one is 0.',
});
const value = t.Union([Money, t.Null()], {
  description: 'conversions × what one is worth; null: nothing is said of it.',
});

export const GoalStats = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    visitors: integer({ minimum: 0, description: 'Of the selection: what the rates are parts of.' }),
    ...optionalRevenue,
    goals: t.Array(
      t.Object(
        {
          id: t.String({ description: 'id of the goal.' }),
          name: t.String({ description: 'What it is called.', examples: ['Purchase'] }),
          type: choice(GOAL_TYPES, { description: 'What reaches it.' }),
          ...goalFigureFields,
          value,
          ...optionalRevenue,
          comparison: t.Optional(
            t.Object(
              {
                ...goalFigureFields,
                value,
                change: t.Object(
                  { conversions: change, converters: change, conversionRate: change },
                  { description: 'Since the earlier range.' },
                ),
              },
              { description: 'Present with compare.' },
            ),
          ),
        },
        { title: 'GoalFigures', description: 'How often a goal was reached.' },
      ),
      { description: 'Those that are not archived, by converters.' },
    ),
    comparison: t.Optional(
      t.Object(
        {
          range: ResolvedRange,
          ...untilField,
          visitors: integer({ minimum: 0, description: 'Of the earlier range.' }),
          ...optionalRevenue,
        },
        { description: 'Present with compare: the earlier range.' },
      ),
    ),
  },
  { description: 'The goals of a website and how often they were reached.' },
);
export type GoalStats = typeof GoalStats.static;
