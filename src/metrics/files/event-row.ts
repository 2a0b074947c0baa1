import { ENGAGEMENT_NAMES } from '../../db/packed-engagement.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { EVENT_FLAGS } from '../../vocabulary/contract.ts';
import { EVENT_TEXT_NAMES, READ_TEXT_NAMES } from '../../vocabulary/event-texts.ts';

/**
 * Columns of an exported event, in their order: everything that an import needs to give the same answers. `properties`
 * is the last one.
 */
export const EVENT_ROW_COLUMNS = [
  'id',
  'createdAt',
  'eventType',
  'url',
  'referrer',
  'sessionId',
  'visitorId',
  'deviceType',
  ...EVENT_TEXT_NAMES,
  ...READ_TEXT_NAMES,
  'isBot',
  'isExcluded',
  'isAnonymous',
  ...ENGAGEMENT_NAMES,
  'properties',
] as const;

/** An exported event but for its properties, which are JSON text in the log. */
export function toEventRow(event: LoggedEvent) {
  const { flags } = event;
  return {
    id: event.id,
    createdAt: new Date(event.createdAtMs).toISOString(),
    eventType: event.eventType,
    url: event.url,
    referrer: event.referrer,
    sessionId: event.sessionId,
    visitorId: event.visitorId,
    deviceType: event.deviceType,
    browser: event.browser,
    os: event.os,
    location: event.location,
    language: event.language,
    screen: event.screen,
    browserVersion: event.browserVersion,
    osVersion: event.osVersion,
    bot: event.bot,
    region: event.region,
    city: event.city,
    isBot: (flags & EVENT_FLAGS.bot) !== 0,
    isExcluded: (flags & EVENT_FLAGS.excluded) !== 0,
    isAnonymous: (flags & EVENT_FLAGS.anonymous) !== 0,
    engagedSeconds: event.engagedSeconds ?? null,
    scrollDepth: event.scrollDepth ?? null,
  } satisfies Record<Exclude<(typeof EVENT_ROW_COLUMNS)[number], 'properties'>, unknown>;
}
