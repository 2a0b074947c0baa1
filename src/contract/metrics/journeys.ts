import { t } from 'elysia';
import { JOURNEY_STEPS } from '../../vocabulary/analytics.ts';
import { FILTERS_LENGTH_MAX, JOURNEY_DIRECTIONS, JOURNEY_STOPS } from '../../vocabulary/contract.ts';
import { choice, count, integer } from '../types.ts';
import { ResolvedRange } from './figures.ts';
import { formatField, rangeFields, selectionFields } from './query.ts';

/** GET …/stats/journeys */
export const JourneysQuery = t.Object(
  {
    direction: t.Optional(
      choice(JOURNEY_DIRECTIONS, {
        description: 'Default: from. from: how visits went on. to: how they came there, read backwards.',
      }),
    ),
    anchor: t.Optional(
      t.String({
        maxLength: FILTERS_LENGTH_MAX,
        description:
          'With which event journeys begin or end: a condition as in filters; of each visit, the first event that meets it. Default: with the visit itself.',
        examples: ['["is","page",["/pricing"]]', '["is","goal",["Purchase"]]'],
      }),
    ),
    ...rangeFields,
    ...selectionFields,
    ...formatField,
  },
  { additionalProperties: true },
);

const JourneyBranch = t.Object(
  {
    step: integer({
      minimum: 1,
      maximum: JOURNEY_STEPS,
      description: 'How many steps from where journeys begin or end.',
    }),
    parent: t.Union([integer({ minimum: 0 }), t.Null()], {
      description: 'The index in this list of the branch that it belongs to; null: of the first step.',
    }),
    stop: choice(JOURNEY_STOPS, {
      description:
        'A page, a custom event, or the others: all branches of one place that fewer than 1 % of the visits took.',
    }),
    value: t.Union([t.String(), t.Null()], { description: 'The page, or the name; null for other.' }),
    visits: count('How many visits took this way so far.'),
    rate: t.Number({ minimum: 0, maximum: 1, description: 'visits ÷ all visits of the journeys.' }),
    ended: t.Union([integer({ minimum: 0 }), t.Null()], {
      description: `How many of them went no further; null for other and for step ${JOURNEY_STEPS}.`,
    }),
  },
  { title: 'JourneyBranch', description: 'Where visits went next.' },
);

export const Journeys = t.Object(
  {
    range: ResolvedRange,
    direction: choice(JOURNEY_DIRECTIONS, { description: 'As asked for.' }),
    visits: count('How many visits have such an event.'),
    ended: count('How many of them went nowhere, or came from nowhere.'),
    branches: t.Array(JourneyBranch, {
      description: 'Each before its own ones; of one place, those of most visits first, others last.',
    }),
  },
  { description: 'How visits went on, or came there.' },
);
export type Journeys = typeof Journeys.static;
