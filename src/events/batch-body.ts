import { parseJson } from '../http/bodies.ts';
import { unreadableBodyError } from '../http/body-faults.ts';
import { BATCH_EVENTS_MAX, EVENT_BYTES_MAX } from '../vocabulary/contract.ts';
import { AppError, validationError } from '../vocabulary/errors.ts';

/**
 * Bodies up to this size are parsed whole (1–2 ms). Larger ones are split into their events first, because JSON.parse of
 * 5 MB takes up to a second and cannot be interrupted.
 */
const WHOLE_BYTES_MAX = EVENT_BYTES_MAX;
/** Maximum length of a large body without its events array. */
const ENVELOPE_LENGTH_MAX = 64 * 1024;

/** Events of a body, and its sender's clock, not yet validated. */
export type Batch = { events: Iterable<unknown>; sentAt: unknown };

/**
 * Reads the events of a batch and parses each one lazily. An oversized event is never parsed: its refusal takes its place.
 *
 * @throws AppError VALIDATION_ERROR when there is no list of 1 to 1,000 events, or (during iteration) when an event cannot
 *   be parsed; PAYLOAD_TOO_LARGE when the rest of the body is too large
 */
export function readBatch(text: string | null): Batch {
  if (text === null || Buffer.byteLength(text) <= WHOLE_BYTES_MAX)
    return requireBatch(text === null ? null : parseJson(text));
  const list = findList(text);
  const rest = list ? `${text.slice(0, list.start)}[]${text.slice(list.end)}` : text;
  if (rest.trim().length > ENVELOPE_LENGTH_MAX) throw envelopeTooLargeError();
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

function envelopeTooLargeError(): AppError {
  const sentence = `A batch must have at most ${ENVELOPE_LENGTH_MAX} characters outside its events array`;
  return new AppError('PAYLOAD_TOO_LARGE', sentence);
}

function eventsFault(sentence: string): AppError {
  return validationError('Invalid event data', { events: [sentence] });
}

function tooManyError(): AppError {
  return eventsFault(`Must have at most ${BATCH_EVENTS_MAX} entries`);
}

/** Position of a list: `start` is its opening bracket, `end` is after the closing one. */
type List = { start: number; end: number; entries: string[] };

/**
 * Finds the list of the member `events`; the last one wins, as in JSON.parse. Scans the rest only as far as needed:
 * JSON.parse reads the body without the list, and each entry, afterwards.
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
    if (at - begin - lengthOf(list) > ENVELOPE_LENGTH_MAX) throw envelopeTooLargeError();
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

/** Returns the end of the value at a position: the next comma (or the given sign), the enclosing bracket, or the end. */
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
