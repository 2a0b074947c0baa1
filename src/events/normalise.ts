import type { LoggedEvent } from '../log/event.ts';
import type { IpAddress } from '../network/ip-address.ts';
import { isInRange } from '../network/ip-range.ts';
import { isLocalHost } from '../network/local-host.ts';
import { CLOCK_TOLERANCE_MS, EVENT_FLAGS, TIMESTAMP_MS_MAX } from '../vocabulary/contract.ts';
import { DAY_MS, SECOND_MS } from '../vocabulary/durations.ts';
import { type AppError, validationError } from '../vocabulary/errors.ts';
import { mapEventTexts, suppliedFlags } from '../vocabulary/event-texts.ts';
import type { TrackedWebsite } from '../websites/store.ts';
import { toPageUrl, toReferrer } from './addresses.ts';
import type { JudgedEvent } from './judge.ts';
import type { Sender } from './sender.ts';

/** An event to be stored, and all that is known of its website. */
export type AcceptedEvent = LoggedEvent & { website: TrackedWebsite };

type NormaliseContext = {
  sender: Sender;
  /** Id of the visitor that the server derived; undefined for an event with ids of its own. */
  dailyVisitor?: string;
  nowMs: number;
  /** The sender's clock, when it said what it was; the event's own word counts more. */
  sentAtMs?: number | undefined;
  maxEventAgeDays: number;
};

/**
 * Turns a validated event into the stored form: determines its time, flags events that metrics ignore, and fills in missing
 * fields.
 *
 * @throws AppError VALIDATION_ERROR when the event is too old
 */
export function normaliseEvent(
  event: JudgedEvent,
  website: TrackedWebsite,
  context: NormaliseContext,
): AcceptedEvent {
  const { sender, dailyVisitor } = context;
  const createdAtMs = decideTime(event, website, context);
  const agent = sender.agent();
  // A back end with a key sends events of its visitors: its own User-Agent does not describe them.
  const isBot = agent.isBot && sender.keyOwnerId !== website.userId;
  const url = toPageUrl(event.url).toWellFormed();
  const deviceType = event.deviceType || null;
  const texts = mapEventTexts((name) => toText(event[name]));
  // A location that the sender names is unrelated to the address.
  const place = texts.location === null ? sender.place() : null;
  return {
    id: event.id ? event.id.toLowerCase() : Bun.randomUUIDv7(),
    website,
    createdAtMs,
    eventType: event.eventType,
    url,
    referrer: toText(toReferrer(event.referrer)),
    sessionId: dailyVisitor ?? toId('sessionId', event),
    visitorId: dailyVisitor ?? toId('visitorId', event),
    deviceType: deviceType ?? agent.deviceType ?? null,
    ...texts,
    browser: texts.browser ?? agent.browser ?? null,
    os: texts.os ?? agent.os ?? null,
    location: texts.location ?? place?.country ?? null,
    region: (!website.isCountryOnly && place?.region) || null,
    city: (!website.isCountryOnly && place?.city) || null,
    language: texts.language ?? sender.language,
    // The User-Agent describes neither a browser nor a system that the sender names itself.
    browserVersion: texts.browser === null ? (agent.browserVersion ?? null) : null,
    osVersion: texts.os === null ? (agent.osVersion ?? null) : null,
    bot: isBot ? (agent.bot ?? null) : null,
    properties: event.propertiesText,
    engagedSeconds: event.engagedSeconds ?? null,
    scrollDepth: event.scrollDepth ?? null,
    flags:
      (isBot ? EVENT_FLAGS.bot : 0) |
      (url.includes('#') ? EVENT_FLAGS.route : 0) |
      (dailyVisitor === undefined ? 0 : EVENT_FLAGS.anonymous) |
      (isExcluded(sender.address, website) || isLeftOutPage(url, website) ? EVENT_FLAGS.excluded : 0) |
      suppliedFlags({ ...texts, deviceType }),
  };
}

/**
 * The page must be on an allowed origin, and so must the script that sends, as far as its browser says.
 *
 * @returns the origin that is not allowed, when there is one
 */
export function findRefusedOrigin(
  url: string,
  origin: string | null,
  allowed: readonly string[],
): string | undefined {
  if (allowed.length === 0) return undefined;
  return [new URL(url).origin, origin].find((one) => one !== null && !allowed.includes(one)) ?? undefined;
}

/**
 * An empty optional field counts as absent. Half of a surrogate pair has no form in UTF-8: it is replaced here,
 * so that what is answered is what is read back.
 */
function toText(value: string | null | undefined): string | null {
  return value ? value.toWellFormed() : null;
}

/** An anonymous event that is imported lacks its ids: there is no sender to derive them from. */
function toId(name: 'sessionId' | 'visitorId', event: JudgedEvent): string {
  const id = event[name];
  if (id === undefined) throw validationError('Invalid event data', { [name]: ['Required'] });
  return id.toWellFormed();
}

/** September 2001 in seconds; in milliseconds it is January 1970, of which there is nothing to import. */
const SECONDS_MIN = 1_000_000_000;

function decideTime(
  { timestamp, sentAt }: JudgedEvent,
  website: TrackedWebsite,
  { sender, nowMs, sentAtMs, maxEventAgeDays }: NormaliseContext,
): number {
  if (timestamp === undefined) return nowMs;
  const atMs = timestamp + clockErrorMs(sentAt ?? sentAtMs, nowMs);
  if (atMs > nowMs + CLOCK_TOLERANCE_MS) return nowMs;
  if (atMs >= SECONDS_MIN && atMs * SECOND_MS <= nowMs + DAY_MS)
    throw faultyTimestamp(`Must be in milliseconds since the epoch; ${timestamp} looks like seconds`);
  const mayBeOld = sender.keyOwnerId === website.userId;
  if (!mayBeOld && atMs < nowMs - maxEventAgeDays * DAY_MS)
    throw faultyTimestamp(`Must not be more than ${maxEventAgeDays} days ago`);
  if (atMs < -TIMESTAMP_MS_MAX) throw faultyTimestamp(`Must be at least ${-TIMESTAMP_MS_MAX}`);
  return atMs;
}

/** Returns the error of the sender's clock. A small difference is the latency of the request, or does not matter. */
function clockErrorMs(sentAtMs: number | undefined, nowMs: number): number {
  const errorMs = nowMs - (sentAtMs ?? nowMs);
  return Math.abs(errorMs) > CLOCK_TOLERANCE_MS ? errorMs : 0;
}

function faultyTimestamp(sentence: string): AppError {
  return validationError('Invalid event data', { timestamp: [sentence] });
}

function isExcluded(address: IpAddress | null, { excludedRanges }: TrackedWebsite): boolean {
  return address !== null && excludedRanges.some((range) => isInRange(address, range));
}

/** Returns whether the website leaves out events of this page, which is on a local host. */
export function isLeftOutPage(url: string, { leavesOutLocalPages }: TrackedWebsite): boolean {
  return leavesOutLocalPages && isLocalHost(new URL(url).hostname);
}
