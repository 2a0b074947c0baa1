import type { Parameters } from '../http/parameters.ts';
import type { ListRequest, Position } from '../log/store.ts';
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

/** Maximum length of an instant or a cursor; the longest cursor has 95 characters. */
const LENGTH_MAX = 100;

/**
 * Reads the query of GET /events, but for the website.
 *
 * @throws AppError VALIDATION_ERROR naming each faulty parameter
 */
export function readEventsQuery(parameters: Parameters): Omit<ListRequest, 'websiteKey'> {
  const { text, choice, integer, fault, finish } = parameters;

  function read<Value>(name: string, parse: (value: string) => Value | undefined, sentence: string) {
    const value = text(name, LENGTH_MAX);
    if (value === undefined) return undefined;
    const parsed = parse(value);
    if (parsed === undefined) fault(name, sentence);
    return parsed;
  }
  const instant = (name: string) =>
    read(name, toInstantMs, 'Must be an ISO 8601 date or milliseconds since the epoch');

  const url = text('url', URL_LENGTH_MAX);
  const query = {
    eventType: choice('eventType', EVENT_TYPES),
    limit: integer('limit', { min: 1, max: EVENTS_LIMIT_MAX, absent: EVENTS_LIMIT_DEFAULT }),
    offset: integer('offset', { min: 0, max: OFFSET_MAX, absent: 0 }),
    after: read('cursor', readCursor, 'Must be pagination.nextCursor of an earlier page'),
    fromMs: instant('from'),
    toMs: instant('to'),
    sessionId: text('sessionId', EVENT_ID_LENGTH_MAX),
    visitorId: text('visitorId', EVENT_ID_LENGTH_MAX),
    url: url === undefined ? undefined : toPageUrl(url),
  };
  if (query.after && query.offset > 0) fault('offset', 'Must not be given together with cursor');
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

/** Opaque to callers: which event is the last of a page. */
export function toCursor({ createdAtMs, key, id }: Position): string {
  return Buffer.from([createdAtMs, key, ...(id === undefined ? [] : [id])].join('.')).toString('base64url');
}

function readCursor(cursor: string): Position | undefined {
  const match = Buffer.from(cursor, 'base64url')
    .toString()
    .match(/^(-?\d{1,16})\.(\d{1,16})(?:\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))?$/);
  if (!match) return undefined;
  const [, createdAtMs, key, id] = match;
  return { createdAtMs: Number(createdAtMs), key: Number(key), ...(id !== undefined && { id }) };
}
