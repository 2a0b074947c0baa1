import { t } from 'elysia';
import { FUNNEL_STEPS_MAX, LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import {
  DASHBOARD_LIMIT_DEFAULT,
  FUNNEL_ORDERS,
  FUNNEL_STEPS_LENGTH_MAX,
  FUNNEL_UNITS,
  FUNNEL_WINDOW_DAYS_MAX,
  INTERVALS,
} from '../../vocabulary/contract.ts';
import { choice, count, instant, integer } from '../types.ts';
import { ResolvedRange } from './figures.ts';
import { formatField, pageFields, rangeFields, selectionFields } from './query.ts';

/** GET …/stats/funnel */
export const FunnelQuery = t.Object(
  {
    steps: t.String({
      maxLength: FUNNEL_STEPS_LENGTH_MAX,
      description: `Required. A JSON list of 2 to ${FUNNEL_STEPS_MAX} steps, each a condition as in filters: a goal, a page, a union with "or".`,
      examples: ['[["is","page",["/pricing"]],["is","event",["signup"]]]'],
    }),
    by: t.Optional(
      choice(FUNNEL_UNITS, {
        description: 'Default: visitor. visit: all steps in one visit. visitor: in any of theirs.',
      }),
    ),
    order: t.Optional(
      choice(FUNNEL_ORDERS, {
        description: 'Default: loose. strict: between one step and the next there are clicks alone.',
      }),
    ),
    window: t.Optional(
      t.String({
        pattern: '^(|[1-9][0-9]{0,4}[mhd])$',
        description: `How long after the first step the others count: minutes, hours or days such as 30m, 12h, 7d; at most ${FUNNEL_WINDOW_DAYS_MAX}d. Default: within the range.`,
        examples: ['7d'],
      }),
    ),
    interval: t.Optional(
      choice(INTERVALS, { description: 'Adds points: who entered in each, and how far they got.' }),
    ),
    dimension: t.Optional(
      t.String({
        description: 'Adds groups: by the value of the event by which they entered, or of its visit.',
        examples: ['source'],
      }),
    ),
    limit: pageFields(DASHBOARD_LIMIT_DEFAULT, LIST_LIMIT_MAX).limit,
    ...rangeFields,
    ...selectionFields,
    ...formatField,
  },
  { additionalProperties: true },
);

const rate = (description: string) => t.Number({ minimum: 0, maximum: 1, description });
const reached = t.Array(integer({ minimum: 0 }), { description: 'For each step, how many reached it.' });

export const Funnel = t.Object(
  {
    range: ResolvedRange,
    by: choice(FUNNEL_UNITS, { description: 'What is counted.' }),
    order: choice(FUNNEL_ORDERS, { description: 'What may lie between the steps.' }),
    window: t.Union([t.String(), t.Null()], { description: 'As asked for.' }),
    steps: t.Array(
      t.Object(
        {
          reached: count('How many reached this step, each after the one before.'),
          rate: rate('Of those who reached the first step.'),
          stepRate: rate('Of those who reached the step before; of the first 1.'),
          droppedOff: count('How many of them got no further; of the last 0.'),
          next: t.Array(
            t.Object({
              value: t.Union([t.String(), t.Null()], { description: 'A page; null: none, the visit ended.' }),
              count: count('How many.'),
            }),
            { description: 'Where those went in the same visit who got no further: the pages of most.' },
          ),
        },
        { title: 'FunnelStep', description: 'How many got to a step.' },
      ),
      { description: 'In their order.' },
    ),
    points: t.Optional(
      t.Array(
        t.Object({
          time: instant('Where the point begins, UTC.'),
          local: t.String({ description: 'The same with the offset of the time zone.' }),
          incomplete: t.Boolean({ description: 'The range or the present cuts the point.' }),
          reached,
        }),
        { description: 'Present with interval: by when they entered.' },
      ),
    ),
    groups: t.Optional(
      t.Array(
        t.Object({
          value: t.Union([t.String(), t.Null()], { description: 'null: no such value.' }),
          reached,
          rate: rate('The last step ÷ the first.'),
        }),
        { description: 'Present with dimension: those that most entered by.' },
      ),
    ),
    groupTotal: t.Optional(integer({ minimum: 0, description: 'How many groups there are.' })),
  },
  { description: 'How far visitors, or visits, got.' },
);
export type Funnel = typeof Funnel.static;
