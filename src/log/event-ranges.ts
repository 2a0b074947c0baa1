import { KEYED_COLUMNS, toKeyedEvent, toLoggedEvent } from './columns.ts';
import type { LogConnection } from './connection.ts';
import type { EventPosition, LoggedEvent } from './event.ts';

/** Half-open: [fromMs, toMs). */
export type EventRange = { websiteKey: number; fromMs: number; toMs: number };

/** `next` is undefined when there are no more. */
export type RangePage = { events: LoggedEvent[]; next: EventPosition | undefined };

/** A day of a website, in days since 1970. `newestKey` tells apart days with as many events. */
export type EventDay = { day: number; events: number; newestKey: number };

/** The events of one website in order of time, wherever the log is kept. */
export type EventRanges = {
  /** Reads the next page of a range. @param after the last event of the page before */
  read(range: EventRange, after: EventPosition | undefined): Promise<RangePage>;
  count(range: EventRange): Promise<number>;
  /** Lists the days (UTC) with events, the first one first. */
  days(websiteKey: number): Promise<EventDay[]>;
};

/** An event has up to 25 KB, so a page has 50 MB at most, and usually one. */
export const RANGE_PAGE_EVENTS = 2_000;

export function createDatabaseRanges({ read, readSome }: LogConnection): EventRanges {
  return {
    read: ({ websiteKey, fromMs, toMs }, after) =>
      readSome(RANGE_PAGE_EVENTS, async (limit) => {
        // Two ranges of the index: one with OR would sort all events of the website for each page.
        const parts = after
          ? [
              { where: 'created_at_ms = ? AND key > ?', args: [after.atMs, after.key] },
              { where: 'created_at_ms > ? AND created_at_ms < ?', args: [after.atMs, toMs] },
            ]
          : [{ where: 'created_at_ms >= ? AND created_at_ms < ?', args: [fromMs, toMs] }];
        const found = await read(
          parts.map(({ where, args }) => ({
            sql: `SELECT ${KEYED_COLUMNS} FROM events WHERE website_key = ? AND ${where} ORDER BY created_at_ms, key LIMIT ?`,
            args: [websiteKey, ...args, limit],
          })),
        );
        const rows = found.flat().slice(0, limit).map(toKeyedEvent);
        const last = rows.length === limit ? rows.at(-1) : undefined;
        return {
          events: rows.map(toLoggedEvent),
          next: last && { atMs: last.createdAtMs, key: last.key },
        };
      }),
    async count({ websiteKey, fromMs, toMs }) {
      const [rows = []] = await read([
        {
          sql: 'SELECT count(*) FROM events WHERE website_key = ? AND created_at_ms >= ? AND created_at_ms < ?',
          args: [websiteKey, fromMs, toMs],
        },
      ]);
      return Number(rows[0]?.[0] ?? 0);
    },
    async days(websiteKey) {
      const [rows = []] = await read([
        {
          sql: `SELECT (created_at_ms - ((created_at_ms % 86400000) + 86400000) % 86400000) / 86400000 AS day, count(*), max(key)
            FROM events WHERE website_key = ? GROUP BY day ORDER BY day`,
          args: [websiteKey],
        },
      ]);
      return rows.map((cells) => toEventDay(cells));
    },
  };
}

/** @param cells day, count and newest key */
export function toEventDay(cells: readonly unknown[]): EventDay {
  const [day = 0, events = 0, newestKey = 0] = cells.map(Number);
  return { day, events, newestKey };
}
