import { t } from 'elysia';
import { RETENTION_INTERVALS, RETENTION_POINTS_MAX } from '../../vocabulary/contract.ts';
import { choice, instant, integer } from '../types.ts';
import { ResolvedRange } from './figures.ts';
import { formatField, rangeFields, selectionFields } from './query.ts';

/** GET …/stats/retention */
export const RetentionQuery = t.Object(
  {
    interval: t.Optional(
      choice(RETENTION_INTERVALS, {
        description: `Default: week. At most ${RETENTION_POINTS_MAX} of them in the range.`,
      }),
    ),
    ...rangeFields,
    ...selectionFields,
    ...formatField,
  },
  { additionalProperties: true },
);

export const Retention = t.Object(
  {
    range: ResolvedRange,
    interval: choice(RETENTION_INTERVALS, { description: 'The length of a point.' }),
    cohorts: t.Array(
      t.Object(
        {
          time: instant('Where the point begins, UTC.'),
          local: t.String({ description: 'The same with the offset of the time zone.' }),
          visitors: integer({
            minimum: 0,
            description: 'Who was there for the first time ever in this point, with a matching event in it.',
          }),
          returned: t.Array(integer({ minimum: 0 }), {
            description: 'How many of them have a matching event in this point, in the next one, and so on.',
          }),
          rates: t.Array(t.Number({ minimum: 0, maximum: 1 }), { description: 'returned ÷ visitors.' }),
          incomplete: t.Boolean({ description: 'The range or the present cuts the point.' }),
        },
        { title: 'Cohort', description: 'New visitors and whether they came again.' },
      ),
      { description: 'One for each point of the range.' },
    ),
  },
  { description: 'Who came again.' },
);
export type Retention = typeof Retention.static;
