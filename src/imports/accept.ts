import { judgeEvent } from '../events/judge.ts';
import { normaliseEvent } from '../events/normalise.ts';
import type { Sender } from '../events/sender.ts';
import type { UserAgents } from '../events/user-agent.ts';
import type { NewEvent } from '../log/event.ts';
import { parseIpAddress } from '../network/ip-address.ts';
import type { PlaceLookup } from '../places/place-lookup.ts';
import { CLOCK_TOLERANCE_MS, EVENT_FLAGS } from '../vocabulary/contract.ts';
import { DAY_MS } from '../vocabulary/durations.ts';
import { AppError } from '../vocabulary/errors.ts';
import { EVENT_TEXTS } from '../vocabulary/event-texts.ts';
import { REGION_CODE, readPlace } from '../vocabulary/places.ts';
import type { ImportRow } from './format.ts';
import { createRepeats, toEventId } from './row-id.ts';
import type { ImportWebsite } from './website.ts';

/** Before that there were no analytics: an earlier time is a missing one, such as 1970. */
export const EARLIEST_MS = Date.UTC(1995, 0, 1);

type EventRow = Extract<ImportRow, { event: unknown }>;
type Options = { website: ImportWebsite; userAgents: UserAgents; places: PlaceLookup; now: () => number };

/**
 * Judges rows like submitted events and brings them into the stored form.
 *
 * @returns a function that returns the event, or the reason for which it cannot be imported
 */
export function createAcceptance({
  website,
  userAgents,
  places,
  now,
}: Options): (row: EventRow) => NewEvent | string {
  const { retentionDays } = website;
  const toUniqueIdentity = createRepeats();

  return ({ event: fields, identity, userAgent, address }) => {
    const nowMs = now();
    const atMs = fields.timestamp;
    if (typeof atMs !== 'number' || !Number.isFinite(atMs)) return 'time: Required';
    if (atMs < EARLIEST_MS) return 'time: Before 1995';
    if (atMs > nowMs + CLOCK_TOLERANCE_MS) return 'time: In the future';
    if (retentionDays !== null && atMs < (Math.floor(nowMs / DAY_MS) - retentionDays) * DAY_MS)
      return `time: Older than the ${retentionDays} days that the website keeps`;
    const id = identity === undefined ? fields.id : toId(atMs, toUniqueIdentity(identity));
    if (typeof id !== 'string' || id === '') return 'id: Required';
    try {
      const submitted = presentOf(fields);
      submitted.id = id;
      submitted.trackingCode = website.trackingCode;
      submitted.timestamp = Math.floor(atMs);
      const judged = judgeEvent(submitted);
      const sender = toSender(userAgent, address);
      return withReadTexts(
        normaliseEvent(judged, website, { sender, nowMs, maxEventAgeDays: 0 }),
        fields,
        !website.isCountryOnly,
      );
    } catch (error) {
      if (error instanceof AppError) return toReason(error);
      throw error;
    }
  };

  function toId(atMs: number, identity: string): string {
    return toEventId(atMs, `${website.id}\n${identity}`);
  }

  /** The owner of the website, who may send old events of any visitor. */
  function toSender(userAgent: string | undefined, address: string | undefined): Sender {
    const found = address === undefined ? undefined : parseIpAddress(address);
    return {
      userAgent: userAgent ?? null,
      agent: () => userAgents.describe(userAgent ?? null),
      language: null,
      origin: null,
      address: null,
      limitedAddress: null,
      place: () => (found && places.placeOf(found)) ?? null,
      keyOwnerId: website.userId,
    };
  }
}

/** Fields that only an export has, and no client may send: versions, places, flags of events that reports leave out. */
function withReadTexts(event: NewEvent, fields: Record<string, unknown>, hasPlaces: boolean): NewEvent {
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' && value !== ''
      ? value.slice(0, EVENT_TEXTS.browser.lengthMax).toWellFormed()
      : null;
  };
  const bot = text('bot');
  return {
    ...event,
    browserVersion: text('browserVersion') ?? event.browserVersion,
    osVersion: text('osVersion') ?? event.osVersion,
    region: isRegion(fields.region) && hasPlaces ? fields.region : event.region,
    city: isCity(fields.city) && hasPlaces ? fields.city : event.city,
    bot,
    flags:
      event.flags |
      (bot !== null || fields.isBot === true ? EVENT_FLAGS.bot : 0) |
      (fields.isExcluded === true ? EVENT_FLAGS.excluded : 0) |
      (fields.isAnonymous === true ? EVENT_FLAGS.anonymous : 0),
  };
}

function isRegion(text: unknown): text is string {
  return typeof text === 'string' && (REGION_CODE.test(text) || isCity(text));
}

function isCity(text: unknown): text is string {
  return typeof text === 'string' && readPlace(text) !== undefined;
}

/** Leaves out null and undefined fields, which exports have many of: they would be judged twice. */
function presentOf(fields: Record<string, unknown>): Record<string, unknown> {
  const present: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] != null && name !== '__proto__') present[name] = fields[name];
  return present;
}

function toReason({ message, details }: AppError): string {
  const faults = [
    ...(details?.formErrors ?? []),
    ...Object.entries(details?.fieldErrors ?? {}).map(
      ([field, messages]) => `${field}: ${messages.join(', ')}`,
    ),
  ];
  return faults.length > 0 ? faults.join('; ') : message;
}
