import { t } from 'elysia';
import { choice, instant, integer } from './types.ts';

const ok = t.Boolean({ description: 'Whether it is as it should be.' });

/** GET /api/health. */
export const Health = t.Object(
  {
    status: choice(['ok', 'degraded', 'unavailable'], {
      description:
        '`unavailable` comes with 503: requests fail, or are about to. `degraded`: every request is answered, but an operator should look into it.',
    }),
    reasons: t.Optional(
      t.Array(t.String(), {
        description: 'What is wrong, as sentences; empty when nothing is. Absent without credentials.',
      }),
    ),
    checks: t.Optional(
      t.Object(
        {
          database: t.Object(
            {
              ok,
              latencyMs: t.Number({ description: 'What the last write of the check took, in ms.' }),
            },
            { description: 'A row was written, and read through another connection; at most every 2 s.' },
          ),
          events: t.Optional(
            t.Object(
              {
                ok,
                engine: t.Literal('clickhouse', { description: 'What keeps the events.' }),
                latencyMs: t.Number({ description: 'What the last look at their table took, in ms.' }),
              },
              {
                description:
                  'The server of `EVENTS_URL`, looked at at most every 2 s; absent where the database keeps the events.',
              },
            ),
          ),
          ingest: t.Object(
            {
              ok,
              queued: integer({ description: 'Events that wait for the disk.' }),
              queueMax: integer({ description: 'Beyond it senders are answered 503.' }),
            },
            {
              description:
                'The queue of events. Not ok when it is nearly full, the database refused the last events, or the disk has too little room for events.',
            },
          ),
          disk: t.Optional(
            t.Object(
              { ok, freeBytes: integer({ description: 'Free bytes where the database is.' }) },
              { description: 'Absent without a database file.' },
            ),
          ),
          statistics: t.Optional(
            t.Object(
              {
                ok,
                eventsBehind: integer({
                  description: 'Events that no segment on disk holds yet. Answers include them all the same.',
                }),
                secondsBehind: integer({
                  description:
                    'The age of the first of these events, by its own time, in whole seconds; 0 when there is none.',
                }),
              },
              {
                description:
                  'Absent with a remote database. Not ok when the statistics have not followed the events for a minute.',
              },
            ),
          ),
          backup: t.Optional(
            t.Object(
              { ok, finishedAt: instant('When it ended, UTC.') },
              { description: 'The last backup since the start; absent when there was none.' },
            ),
          ),
        },
        { description: 'Results of the checks. Absent without credentials.' },
      ),
    ),
  },
  { title: 'Health', description: 'Whether the service is ready.' },
);

/** 503: includes the error body, as every error response does. */
export const Unhealthy = t.Object(
  {
    error: t.Literal('SERVICE_UNAVAILABLE', { description: 'A code for machines.' }),
    message: t.String({ description: 'The reasons as a sentence.' }),
    ...Health.properties,
  },
  { description: 'The service is not ready.' },
);

/** Includes the fields that need credentials. */
export type Health = Required<typeof Health.static>;
