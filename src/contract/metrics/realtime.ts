import { t } from 'elysia';
import { LIST_LIMIT_MAX, ONLINE_WINDOW_MS, REALTIME_MINUTES } from '../../vocabulary/analytics.ts';
import { REALTIME_LIMIT_DEFAULT } from '../../vocabulary/contract.ts';
import { MINUTE_MS } from '../../vocabulary/durations.ts';
import { instant, integer } from '../types.ts';
import { formatField, pageFields, selectionFields } from './query.ts';

const WINDOW_MINUTES = ONLINE_WINDOW_MS / MINUTE_MS;
const { limit } = pageFields(REALTIME_LIMIT_DEFAULT, LIST_LIMIT_MAX);

/** GET …/stats/realtime/stream */
export const StreamQuery = t.Object({ limit, ...selectionFields }, { additionalProperties: true });
/** GET …/stats/realtime */
export const RealtimeQuery = t.Object(
  { limit, ...selectionFields, ...formatField },
  { additionalProperties: true },
);

const visitors = integer({ minimum: 0, description: 'Distinct visitors.' });
const events = integer({ minimum: 0, description: 'All events.' });
const NowRow = t.Object(
  {
    value: t.Union([t.String(), t.Null()], { description: 'null: direct, or not known.' }),
    visitors,
    events,
  },
  { title: 'NowRow', description: 'Current figures of a value.' },
);
const rows = (what: string) =>
  t.Array(NowRow, {
    description: `${what} of the last ${WINDOW_MINUTES} minutes, those with most visitors first.`,
  });

export const Realtime = t.Object(
  {
    at: instant('When this was so.'),
    windowMinutes: t.Literal(WINDOW_MINUTES, { description: 'Who had an event this recently is online.' }),
    visitors: integer({
      minimum: 0,
      description: `Distinct visitors with an event in the last ${WINDOW_MINUTES} minutes.`,
    }),
    minutes: t.Array(
      t.Object({
        time: instant('Where the minute begins.'),
        visitors,
        pageviews: integer({ minimum: 0, description: 'Events of type pageview.' }),
        events,
      }),
      { description: `The last ${REALTIME_MINUTES} minutes, oldest first.` },
    ),
    pages: rows('Pages'),
    sources: rows('Sources (null: direct)'),
    countries: rows('Countries (null: not known)'),
    events: rows('Custom events'),
  },
  { description: 'Who is there now.' },
);
export type Realtime = typeof Realtime.static;
