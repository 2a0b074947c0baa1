import { t } from 'elysia';
import { ATTRIBUTED_VISITS_MAX } from '../../vocabulary/analytics.ts';
import {
  ATTRIBUTION_DAYS_DEFAULT,
  ATTRIBUTION_DAYS_MAX,
  ATTRIBUTION_DIMENSIONS,
  NAME_LENGTH_MAX,
  STATS_LIMIT_DEFAULT,
} from '../../vocabulary/contract.ts';
import { choice, integer } from '../types.ts';
import { ResolvedRange } from './figures.ts';
import { formatField, pageFields, rangeFields, selectionFields } from './query.ts';

/** GET …/stats/attribution */
export const AttributionQuery = t.Object(
  {
    goal: t.String({
      maxLength: NAME_LENGTH_MAX,
      description: 'Required. A goal, by id or name.',
      examples: ['Purchase'],
    }),
    dimension: t.Optional(
      choice(ATTRIBUTION_DIMENSIONS, { description: 'What led there. Default: source.' }),
    ),
    lookback: t.Optional(
      t.String({
        pattern: '^(|[1-9][0-9]{0,2}d)$',
        description: `How many days before a conversion visits count: 1d to ${ATTRIBUTION_DAYS_MAX}d. Default: ${ATTRIBUTION_DAYS_DEFAULT}d.`,
        examples: ['90d'],
      }),
    ),
    limit: pageFields(STATS_LIMIT_DEFAULT, 1_000).limit,
    ...rangeFields,
    ...selectionFields,
    ...formatField,
  },
  { additionalProperties: true },
);

const share = (description: string) =>
  t.Object(
    {
      conversions: t.Number({
        minimum: 0,
        description: 'Conversions, in millionths: over all values they add up to all of them.',
      }),
      revenue: t.Array(
        t.Object({
          currency: t.String({ description: 'ISO 4217.', examples: ['EUR'] }),
          amount: t.String({ description: 'What they have brought, exact.', examples: ['19.90'] }),
        }),
        { description: 'One for each currency.' },
      ),
    },
    { description },
  );

export const Attribution = t.Object(
  {
    range: ResolvedRange,
    goal: t.String({ description: 'Its id.' }),
    dimension: choice(ATTRIBUTION_DIMENSIONS, { description: 'As asked for.' }),
    lookbackDays: integer({ minimum: 1, description: 'As asked for.' }),
    conversions: integer({ minimum: 0, description: 'All of them.' }),
    total: integer({ minimum: 0, description: 'How many values there are, beyond limit.' }),
    rows: t.Array(
      t.Object(
        {
          value: t.Union([t.String(), t.Null()], {
            description: 'null: no such value, as of a direct visit.',
          }),
          first: share('To the first of the visits before a conversion.'),
          last: share('To the visit of the conversion itself.'),
          linear: share(
            `To all of them alike, ${ATTRIBUTED_VISITS_MAX} at most; what cannot be shared goes to the first ones.`,
          ),
        },
        {
          title: 'AttributionRow',
          description: 'What a source, channel or campaign has of the conversions.',
        },
      ),
      { description: 'Those with most by linear first.' },
    ),
  },
  { description: 'Which visits led to conversions.' },
);
export type Attribution = typeof Attribution.static;
