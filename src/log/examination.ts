import type { LocalDatabase } from '../db/local-database.ts';
import { readNumber } from '../db/read-number.ts';

/** Queries that examine a log, in a file or on a server. Each returns a number. */
export const LOG_QUESTIONS = {
  events: 'SELECT count(*) FROM events',
  /** Sum of the counters; equals the number of events, because both change in the same transactions. */
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

/** Has one parameter, the key of a removal: what was ordered, or removed after it. */
export const REMOVALS_DUE =
  'SELECT (SELECT count(*) FROM erasures) + (SELECT count(*) FROM removals WHERE key > ?)';

export function readLastKey(database: LocalDatabase): number {
  return readNumber(database, LOG_QUESTIONS.lastKey);
}

type Backlog = { events: number; firstAtMs: number | undefined };

/** Counts the events stored after a key (at most: keys of removed events count), and returns the time of the first. */
export function readBacklog(database: LocalDatabase, afterKey: number): Backlog {
  // Two index lookups. `all` runs to the end; `get` would keep reading.
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

/** How many events a website has, of those up to a key. */
export function countUntil(database: LocalDatabase, websiteKey: number, untilKey: number): number {
  return readNumber(database, 'SELECT count(*) FROM events WHERE website_key = ? AND key <= ?', [
    websiteKey,
    untilKey,
  ]);
}
