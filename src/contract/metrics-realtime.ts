import { t } from 'elysia';
import { LIST_LIMIT_MAX, ONLINE_WINDOW_MS, REALTIME_MINUTES } from '../analytics/vocabulary.ts';
import { formatField, pageFields, selectionFields } from './metrics-query.ts';
import { integer } from './types.ts';
import { REALTIME_LIMIT_DEFAULT } from './vocabulary.ts';

const WINDOW_MINUTES = ONLINE_WINDOW_MS / 60_000;
const { limit } = pageFields(REALTIME_LIMIT_DEFAULT, LIST_LIMIT_MAX);

/** GET …/stats/realtime/stream */
export const StreamQuery = t.Object({ limit, ...selectionFields }, { additionalProperties: true });
/** GET …/stats/realtime */
export const RealtimeQuery = t.Object(
  { limit, ...selectionFields, ...formatField },
  { additionalProperties: true },
);

const count = integer({ minimum: 0 });
const rows = (what: string) =>
  t.Array(t.Object({ value: t.Union([t.String(), t.Null()]), visitors: count, events: count }), {
    description: `${what} of the last ${WINDOW_MINUTES} minutes, those with most visitors first.`,
  });

export const Realtime = t.Object({
  at: t.String({ format: 'date-time', description: 'When this was so.' }),
  windowMinutes: t.Literal(WINDOW_MINUTES),
  visitors: integer({
    minimum: 0,
    description: `Distinct visitors with an event in the last ${WINDOW_MINUTES} minutes.`,
  }),
  minutes: t.Array(
    t.Object({
      time: t.String({ format: 'date-time' }),
      visitors: count,
      pageviews: count,
      events: count,
    }),
    { description: `The last ${REALTIME_MINUTES} minutes, oldest first.` },
  ),
  pages: rows('Pages'),
  sources: rows('Sources (null: direct)'),
  countries: rows('Countries (null: unknown)'),
  events: rows('Custom events'),
});
export type Realtime = typeof Realtime.static;
