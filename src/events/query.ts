import type { Parameters } from '../http/parameters.ts';
import type { ListRequest } from '../log/store.ts';
import {
  EVENT_ID_LENGTH_MAX,
  EVENT_TYPES,
  EVENTS_LIMIT_DEFAULT,
  EVENTS_LIMIT_MAX,
  OFFSET_MAX,
  TIMESTAMP_MS_MAX,
  URL_LENGTH_MAX,
} from '../vocabulary/contract.ts';
import { toPageUrl } from './addresses.ts';
import type { Cursors } from './cursor.ts';

const INSTANT_LENGTH_MAX = 100;
/** A cursor has at most 130. */
const CURSOR_LENGTH_MAX = 200;

/**
 * Reads the query of GET /events, but for the website.
 *
 * @throws AppError VALIDATION_ERROR naming each faulty parameter
 */
export async function readEventsQuery(
  parameters: Parameters,
  cursors: Cursors,
): Promise<Omit<ListRequest, 'websiteKey'>> {
  const { text, choice, integer, fault, finish } = parameters;

  function instant(name: string): number | undefined {
    const value = text(name, INSTANT_LENGTH_MAX);
    const instantMs = value === undefined ? undefined : toInstantMs(value);
    if (value !== undefined && instantMs === undefined)
      fault(name, 'Must be an ISO 8601 date or milliseconds since the epoch');
    return instantMs;
  }

  const cursor = text('cursor', CURSOR_LENGTH_MAX);
  const after = cursor === undefined ? undefined : await cursors.open(cursor);
  if (cursor !== undefined && !after) fault('cursor', 'Must be pagination.nextCursor of an earlier page');
  const url = text('url', URL_LENGTH_MAX);
  const query = {
    eventType: choice('eventType', EVENT_TYPES),
    limit: integer('limit', { min: 1, max: EVENTS_LIMIT_MAX, absent: EVENTS_LIMIT_DEFAULT }),
    offset: integer('offset', { min: 0, max: OFFSET_MAX, absent: 0 }),
    after,
    fromMs: instant('from'),
    toMs: instant('to'),
    sessionId: text('sessionId', EVENT_ID_LENGTH_MAX),
    visitorId: text('visitorId', EVENT_ID_LENGTH_MAX),
    url: url === undefined ? undefined : toPageUrl(url),
  };
  if (cursor !== undefined && query.offset > 0) fault('offset', 'Must not be given together with cursor');
  finish();
  return query;
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A date without a time is midnight UTC; a time without an offset is UTC as well. */
function toInstantMs(text: string): number | undefined {
  if (/^-?\d{1,16}$/.test(text)) return Math.abs(Number(text)) <= TIMESTAMP_MS_MAX ? Number(text) : undefined;
  if (!ISO_DATE.test(text)) return undefined;
  const hasZone = !text.includes('T') || /(Z|[+-]\d{2}:?\d{2})$/.test(text);
  const instantMs = Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(instantMs) || !isDay(text.slice(0, 10)) ? undefined : instantMs;
}

/** Date.parse takes the 30th of February for the 2nd of March. */
function isDay(date: string): boolean {
  const atMs = Date.parse(`${date}T00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(date);
}
