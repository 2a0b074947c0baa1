import { t } from 'elysia';
import { FILTER_OPERATORS, TRAFFIC } from '../vocabulary/analytics.ts';
import { ERASED_EVENTS_MAX, PERIODS } from '../vocabulary/contract.ts';
import { choice, instant, integer } from './types.ts';

/** Erasure of a selection of events. metrics/reports/erasures reads it like the parameters of metrics. */

const NO_INSTANT = { 'x-messages': { type: 'Must be a text or a whole number' } };

const selection = {
  filters: t.Optional(
    t.Array(t.Any(), {
      description: `Which events: conditions as metrics have them, all of which must hold: [operator, dimension, values], ["and", [conditions]], ["or", [conditions]], ["not", condition]. Operators: ${FILTER_OPERATORS.join(', ')}. Absent: all events of the range.`,
      examples: [[['contains', 'page', ['/reset-password']]]],
    }),
  ),
  period: t.Optional(
    choice(PERIODS, { description: 'A range by name, in the time zone. Either this or from is required.' }),
  ),
  from: t.Optional(
    t.Union([t.String(), integer()], {
      ...NO_INSTANT,
      description: 'Where the range begins, as for metrics: a date, a time, or milliseconds since the epoch.',
      examples: ['2026-11-01'],
    }),
  ),
  to: t.Optional(
    t.Union([t.String(), integer()], {
      ...NO_INSTANT,
      description: 'Where it ends: a date is included, a time is not. Default: the end of today.',
      examples: ['2026-11-20'],
    }),
  ),
  timezone: t.Optional(t.String({ description: 'IANA time zone of dates. Default: that of the website.' })),
  traffic: t.Optional(
    choice(TRAFFIC, {
      description:
        'Default: all, unlike metrics: bots and excluded addresses too, since what is to be forgotten is to be forgotten of everybody. Visits are cut as metrics of the same traffic cut them.',
    }),
  ),
};

/** POST /websites/:id/erasures/preview. */
export const ErasurePreviewInput = t.Object(selection, { additionalProperties: true });

/** POST /websites/:id/erasures. */
export const ErasureInput = t.Object(
  {
    ...selection,
    events: integer({
      minimum: 0,
      description: `The events of the preview, at most ${ERASED_EVENTS_MAX / 1_000_000} million. When more are selected by now, nothing is erased (409).`,
    }),
  },
  { additionalProperties: true },
);
export type ErasureInput = typeof ErasurePreviewInput.static & { events?: number };

export const ErasurePreview = t.Object(
  {
    events: integer({ minimum: 0, description: 'Events that would be erased.' }),
    visits: integer({ minimum: 0, description: 'Visits that they are of.' }),
    visitors: integer({ minimum: 0, description: 'Visitors that they are of.' }),
    from: instant('Where the range begins.'),
    to: instant(
      'Where it ends, at the latest now: send this range with the erasure, and events that arrive in between are not part of it.',
    ),
  },
  { title: 'ErasurePreview', description: 'What an erasure of this selection would remove.' },
);
export type ErasurePreview = typeof ErasurePreview.static;

export const Erased = t.Object(
  {
    success: t.Literal(true, { description: 'They are gone, from the log and from all figures.' }),
    message: t.String({ description: 'A sentence for people.' }),
    eventsRemoved: integer({ minimum: 0, description: 'How many events there were.' }),
  },
  { description: 'Erased.' },
);

/** DELETE …/visitors/:visitorId */
export const VisitorErased = t.Object(
  {
    success: t.Literal(true, { description: 'Always the same.' }),
    message: t.String({ description: 'A sentence for people.' }),
    eventsRemoved: integer({ minimum: 1, description: 'How many events there were.' }),
  },
  { description: 'The visitor is erased.' },
);
