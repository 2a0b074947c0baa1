import { parseJson } from '../http/bodies.ts';
import { unreadableBodyError } from '../http/body-faults.ts';
import { BATCH_EVENTS_MAX, EVENT_BYTES_MAX } from '../vocabulary/contract.ts';
import { AppError, validationError } from '../vocabulary/errors.ts';

/**
 * Of a body up to here, parsing takes a millisecond or two. A larger one is cut into its events first, because JSON.parse
 * of 5 MB takes up to a second and cannot be interrupted.
 */
const WHOLE_BYTES_MAX = EVENT_BYTES_MAX;
/** Beside the list of events. */
const REST_LENGTH_MAX = 64 * 1024;

/** What a body holds: its events, and the clock of its sender as it was sent. */
export type Batch = { events: Iterable<unknown>; sentAt: unknown };

/**
 * The events of a batch, each parsed when its turn comes. One over its bound is never parsed: it comes as its refusal.
 *
 * @throws AppError VALIDATION_ERROR when there is no list of 1 to 1,000 events, or (when its turn comes) what should be
 *   one cannot be read; PAYLOAD_TOO_LARGE when there is too much beside the list
 */
export function readBatch(text: string | null): Batch {
  if (text === null || Buffer.byteLength(text) <= WHOLE_BYTES_MAX)
    return requireBatch(text === null ? null : parseJson(text));
  const list = findList(text);
  const rest = list ? `${text.slice(0, list.start)}[]${text.slice(list.end)}` : text;
  if (rest.trim().length > REST_LENGTH_MAX) throw tooMuchBesideError();
  const body = parseJson(rest);
  if (!list || list.entries.length === 0) return requireBatch(body);
  return { events: parseEach(list.entries), sentAt: sentAtOf(body) };
}

function sentAtOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'sentAt' in body ? body.sentAt : undefined;
}

function* parseEach(entries: readonly string[]): Generator<unknown> {
  for (const entry of entries) yield isOversized(entry) ? oversizedError() : parseJson(entry);
}

function isOversized(text: string): boolean {
  return text.length > EVENT_BYTES_MAX || Buffer.byteLength(text) > EVENT_BYTES_MAX;
}

function oversizedError(): AppError {
  return validationError('Invalid event data', {}, ['The event is too large']);
}

function requireBatch(body: unknown): Batch {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw validationError('Invalid event data', {}, ['Must be an object']);
  const events: unknown = 'events' in body ? body.events : undefined;
  if (events === undefined) throw eventsFault('Required');
  if (!Array.isArray(events)) throw eventsFault('Must be a list');
  if (events.length === 0) throw eventsFault('Must have at least 1 entry');
  if (events.length > BATCH_EVENTS_MAX) throw tooManyError();
  return { events, sentAt: sentAtOf(body) };
}

function tooMuchBesideError(): AppError {
  const sentence = `A batch must have at most ${REST_LENGTH_MAX} characters beside its list of events`;
  return new AppError('PAYLOAD_TOO_LARGE', sentence);
}

function eventsFault(sentence: string): AppError {
  return validationError('Invalid event data', { events: [sentence] });
}

function tooManyError(): AppError {
  return eventsFault(`Must have at most ${BATCH_EVENTS_MAX} entries`);
}

/** From its bracket to after the other one. */
type List = { start: number; end: number; entries: string[] };

/**
 * Where the list of the member `events` stands; of several the last one, as in JSON.parse. Looks no further at the rest
 * than to find its way: what is left without the list is parsed as well, and so is each entry.
 */
function findList(text: string): List | undefined {
  const begin = skipSpace(text, 0);
  let list: List | undefined;
  for (let at = begin; at < text.length && text[at] !== '}'; ) {
    const nameStart = skipSpace(text, at + 1); // after a bracket or comma
    if (text.charCodeAt(nameStart) !== QUOTE) break;
    const nameEnd = endOfValue(text, nameStart, COLON);
    const isEvents = parseJson(text.slice(nameStart, nameEnd)) === 'events';
    const start = skipSpace(text, nameEnd + 1);
    if (isEvents) list = text[start] === '[' ? readList(text, start) : undefined;
    at = isEvents && list ? skipSpace(text, list.end) : endOfValue(text, start);
    if (at - begin - lengthOf(list) > REST_LENGTH_MAX) throw tooMuchBesideError();
  }
  return list;
}

function lengthOf(list: List | undefined): number {
  return list ? list.end - list.start : 0;
}

function readList(text: string, start: number): List {
  const entries: string[] = [];
  let at = start;
  do {
    const end = endOfValue(text, at + 1);
    entries.push(text.slice(at + 1, end));
    if (entries.length > BATCH_EVENTS_MAX) throw tooManyError();
    at = end;
  } while (text[at] === ',');
  if (text[at] !== ']') throw unreadableBodyError('JSON');
  const isEmpty = entries.length === 1 && entries[0]?.trim() === '';
  return { start, end: at + 1, entries: isEmpty ? [] : entries };
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where what begins at a position is followed by a comma (or the sign that is given), by the bracket around it or by nothing. */
function endOfValue(text: string, start: number, sign = COMMA): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (code === sign && depth === 0) return at;
  }
  return text.length;
}

function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (SPACES.has(text.charCodeAt(at))) at += 1;
  return at;
}

const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);
