import { LOG_COLUMNS, type LogEvent, toLogEvent } from './columns.ts';
import type { LogConnection, Rows, Statement } from './connection.ts';
import { REMOVAL_COLUMNS, type Removal, toRemoval } from './removal.ts';

/** The last event and the last removal that were read. With a website, the events of others are left out. */
export type LogPosition = {
  eventKey: number;
  removalKey: number;
  websiteKey?: number;
  /** Most events of the page, where the reader wants fewer than the log gives. */
  eventsMax?: number;
};

/** Snapshot of the next entries of the log. */
export type LogPage = {
  /** Random number that identifies the log. */
  logId: number;
  /** The last keys that were given out, also when their rows are gone. */
  newestEventKey: number;
  newestRemovalKey: number;
  /** The first that is still on record: they are kept for a month. */
  oldestRemovalKey: number | undefined;
  removals: Removal[];
  /** No removal came after these. */
  hasAllRemovals: boolean;
  events: LogEvent[];
  /** No event came after these. */
  isLast: boolean;
  /** The first list of events that are still to be erased; with a website, of its events. */
  firstErasure: number | undefined;
};

/** Removals in one page. One that names single events has up to 5 KB, or 2,000 of them in runs. */
const REMOVALS_MAX = 250;

const STATE = `SELECT
  (SELECT value FROM analytics_state WHERE name = 'log'),
  (SELECT seq FROM sqlite_sequence WHERE name = 'events'),
  (SELECT seq FROM sqlite_sequence WHERE name = 'removals'),
  (SELECT min(key) FROM removals),
  (SELECT min(key) FROM erasures WHERE ?1 IS NULL OR website_key = ?1)`;

export function readPage(
  { read, readSome }: LogConnection,
  position: LogPosition,
  eventsMax: number,
): Promise<LogPage> {
  const wanted = Math.min(eventsMax, position.eventsMax ?? eventsMax);
  return readSome(wanted, async (rows) => toPage(await read(pageStatements(position, rows)), rows));
}

function pageStatements({ eventKey, removalKey, websiteKey }: LogPosition, eventsMax: number): Statement[] {
  const ofOne = websiteKey === undefined ? '' : 'AND +website_key = ?'; // by key: the index would sort all events of the website for each page
  return [
    { sql: STATE, args: [websiteKey ?? null] },
    {
      sql: `SELECT ${REMOVAL_COLUMNS} FROM removals WHERE key > ? ORDER BY key LIMIT ${REMOVALS_MAX}`,
      args: [removalKey],
    },
    {
      sql: `SELECT ${LOG_COLUMNS} FROM events WHERE key > ? ${ofOne} ORDER BY key LIMIT ?`,
      args: [eventKey, ...(websiteKey === undefined ? [] : [websiteKey]), eventsMax],
    },
  ];
}

function toPage([state = [], removals = [], events = []]: Rows[], eventsMax: number): LogPage {
  const [logId, newestEventKey, newestRemovalKey, oldestRemovalKey, firstErasure] = state[0] ?? [];
  if (typeof logId !== 'number') throw new Error('The log has no number.');
  return {
    logId,
    newestEventKey: Number(newestEventKey ?? 0),
    newestRemovalKey: Number(newestRemovalKey ?? 0),
    oldestRemovalKey: toKey(oldestRemovalKey),
    removals: removals.map(toRemoval),
    hasAllRemovals: removals.length < REMOVALS_MAX,
    events: events.map(toLogEvent),
    isLast: events.length < eventsMax,
    firstErasure: toKey(firstErasure),
  };
}

function toKey(cell: unknown): number | undefined {
  return typeof cell === 'number' ? cell : undefined;
}
