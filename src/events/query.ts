import {
  EVENT_ID_LENGTH_MAX,
  EVENT_TYPES,
  EVENTS_LIMIT_DEFAULT,
  EVENTS_LIMIT_MAX,
  TIMESTAMP_MS_MAX,
  URL_LENGTH_MAX,
} from '../contract/vocabulary.ts';
import { validationError } from '../errors.ts';
import type { ListRequest, Position } from '../log/store.ts';

export type EventsQuery = Omit<ListRequest, 'websiteKey'>;

const TEXT_BOUNDS = {
  sessionId: EVENT_ID_LENGTH_MAX,
  visitorId: EVENT_ID_LENGTH_MAX,
  url: URL_LENGTH_MAX,
} as const;
const OFFSET_MAX = 1_000_000_000;

/** The parameters of an address, read by ourselves, because Elysia keeps one of the values that a name is given. */
export function toQuery(url: string): Record<string, string | string[]> {
  const start = url.indexOf('?');
  const parameters = new URLSearchParams(start === -1 ? '' : url.slice(start));
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const [value = '', ...more] = parameters.getAll(name);
      return [name, more.length > 0 ? [value, ...more] : value];
    }),
  );
}

/**
 * Reads the query of GET /events.
 *
 * @throws AppError VALIDATION_ERROR naming each faulty parameter
 */
export function readEventsQuery(query: Record<string, unknown>): EventsQuery {
  const faults: Record<string, string[]> = {};
  const result: EventsQuery = { limit: EVENTS_LIMIT_DEFAULT, offset: 0 };
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const fault = typeof value === 'string' ? readParameter(result, name, value) : 'Must be given once';
    if (fault) faults[name] = [fault];
  }
  if (result.after && result.offset > 0) faults.offset = ['Must not be given together with cursor'];
  if (Object.keys(faults).length > 0) throw validationError('Invalid query parameters', faults);
  return result;
}

/** Sets one parameter; returns what is wrong with it. Unknown ones are ignored. */
function readParameter(result: EventsQuery, name: string, value: string): string | undefined {
  switch (name) {
    case 'eventType': {
      const eventType = EVENT_TYPES.find((type) => type === value);
      if (!eventType) return `Must be one of: ${EVENT_TYPES.join(', ')}`;
      result.eventType = eventType;
      return undefined;
    }
    case 'limit': {
      const limit = toInteger(value);
      if (limit === undefined || limit < 1) return 'Must be a whole number from 1';
      result.limit = Math.min(limit, EVENTS_LIMIT_MAX);
      return undefined;
    }
    case 'offset': {
      const offset = toInteger(value);
      if (offset === undefined || offset > OFFSET_MAX)
        return `Must be a whole number from 0 to ${OFFSET_MAX}`;
      result.offset = offset;
      return undefined;
    }
    case 'from':
    case 'to': {
      const instantMs = toInstantMs(value);
      if (instantMs === undefined) return 'Must be an ISO 8601 date or milliseconds since the epoch';
      result[name === 'from' ? 'fromMs' : 'toMs'] = instantMs;
      return undefined;
    }
    case 'cursor': {
      const position = readCursor(value);
      if (!position) return 'Must be pagination.nextCursor of an earlier page';
      result.after = position;
      return undefined;
    }
    case 'sessionId':
    case 'visitorId':
    case 'url':
      if (value === '' || value.length > TEXT_BOUNDS[name])
        return `Must be 1 to ${TEXT_BOUNDS[name]} characters`;
      result[name] = value;
      return undefined;
    default:
      return undefined;
  }
}

/** Digits only: `1e2`, `0x10` and ` 10` are refused. However long, it is a number. */
function toInteger(text: string): number | undefined {
  return /^\d{1,100}$/.test(text) ? Number(text) : undefined;
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
  const match = Buffer.from(cursor.slice(0, 100), 'base64url')
    .toString()
    .match(/^(-?\d{1,16})\.(\d{1,16})(?:\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))?$/);
  if (!match) return undefined;
  const [, createdAtMs, key, id] = match;
  return { createdAtMs: Number(createdAtMs), key: Number(key), ...(id !== undefined && { id }) };
}
