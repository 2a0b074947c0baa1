import type { LocalDatabase } from '../db/local-database.ts';
import { readNumber } from '../db/read-number.ts';

const DAY_MS = 86_400_000;

/** What a log is asked when it is examined, in a file or on a server: the answer is a number. */
export const LOG_QUESTIONS = {
  events: 'SELECT count(*) FROM events',
  /** As many as there are events: they are changed in the same transactions. */
  counted: 'SELECT coalesce(sum(count), 0) FROM event_counts',
  wrongCounters: `SELECT count(*) FROM (
    SELECT 1 FROM (
      SELECT website_key, type, count AS n FROM event_counts
      UNION ALL SELECT website_key, type, -count(*) FROM events GROUP BY website_key, type
    ) GROUP BY website_key, type HAVING sum(n) <> 0)`,
  orphans: 'SELECT count(*) FROM events WHERE website_key NOT IN (SELECT key FROM websites)',
  greatestKey: 'SELECT coalesce(max(key), 0) FROM events',
  /** The last that was given out, also when its event is gone: none is given out twice. */
  lastKey: `SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'events'`,
  orderedErasures: 'SELECT count(*) FROM erasures',
  logId: `SELECT value FROM analytics_state WHERE name = 'log'`,
} as const;

/** Has one parameter, a key. */
export const EVENTS_AFTER = 'SELECT count(*) FROM events WHERE key > ?';

export function readLastKey(database: LocalDatabase): number {
  return readNumber(database, LOG_QUESTIONS.lastKey);
}

type Backlog = { events: number; firstAtMs: number | undefined };

/** What was stored after a key: how many at most, because keys of removed events count, and when the first happened. */
export function readBacklog(database: LocalDatabase, afterKey: number): Backlog {
  // Two looks at an index. `all` runs to the end, where `get` would go on reading.
  const [row] = database.prepare(BACKLOG).all([afterKey, afterKey]) as {
    keys: number;
    firstAtMs: number | null;
  }[]; // the columns of the query
  return { events: Math.max(row?.keys ?? 0, 0), firstAtMs: row?.firstAtMs ?? undefined };
}

const BACKLOG = `SELECT coalesce((SELECT max(key) FROM events), 0) - ? AS keys,
  (SELECT created_at_ms FROM events WHERE key > ? ORDER BY key LIMIT 1) AS firstAtMs`;

/** The websites that have events and are not deleted, and the instants of their events, half-open. */
export function readSpans(database: LocalDatabase): { key: number; fromMs: number; toMs: number }[] {
  return database
    .prepare(
      `SELECT website_key AS key, min(created_at_ms) AS fromMs, max(created_at_ms) + 1 AS toMs FROM events
       WHERE website_key IN (SELECT key FROM websites WHERE deleted_at_ms IS NULL) GROUP BY website_key`,
    )
    .all() as { key: number; fromMs: number; toMs: number }[]; // the columns of the query
}

/** SQLite's division cuts towards zero; a day before 1970 must not share a number with the one after. */
const DAY_OF_EVENT = `(created_at_ms - ((created_at_ms % ${DAY_MS}) + ${DAY_MS}) % ${DAY_MS}) / ${DAY_MS}`;

/** How many events a website has on each UTC day (days since 1970), of those up to a key. */
export function countDays(
  database: LocalDatabase,
  websiteKey: number,
  untilKey: number,
): Map<number, number> {
  const rows = database
    .prepare(
      `SELECT ${DAY_OF_EVENT} AS day, count(*) FROM events WHERE website_key = ? AND key <= ? GROUP BY day ORDER BY day`,
    )
    .raw()
    .all([websiteKey, untilKey]) as [number, number][]; // the columns of the query
  return new Map(rows);
}

type DayAndKeys = { websiteKey: number; day: number; afterKey: number; untilKey: number };

/** The events of a day whose keys lie in (afterKey, untilKey]. */
export function countBetween(
  database: LocalDatabase,
  { websiteKey, day, afterKey, untilKey }: DayAndKeys,
): number {
  return readNumber(
    database,
    'SELECT count(*) FROM events WHERE website_key = ? AND created_at_ms >= ? AND created_at_ms < ? AND key > ? AND key <= ?',
    [websiteKey, day * DAY_MS, (day + 1) * DAY_MS, afterKey, untilKey],
  );
}
