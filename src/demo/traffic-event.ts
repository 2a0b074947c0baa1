import type { EventInput } from '../contract/event-input.ts';
import type { LoggedEvent, NewEvent } from '../log/event.ts';
import { EVENT_FLAGS } from '../vocabulary/contract.ts';
import { NO_READ_TEXTS, presentTexts, type ReadTexts, suppliedFlags } from '../vocabulary/event-texts.ts';
import type { Properties } from './happenings.ts';

/** Event that a browser would send, in no form of a service yet. */
export type TrafficEvent = Omit<LoggedEvent, 'properties' | 'flags' | keyof ReadTexts> & {
  /** Index into the websites that the traffic was asked for. */
  website: number;
  properties: Properties | null;
  isBot: boolean;
};

/** Converts an event to the form that clients submit to the API. Bots are marked by the User-Agent header. */
export function toEventInput(event: TrafficEvent, trackingCode: string): EventInput {
  const { deviceType, referrer, properties } = event;
  return {
    id: event.id,
    trackingCode,
    eventType: event.eventType,
    url: event.url,
    ...(referrer !== null && { referrer }),
    sessionId: event.sessionId,
    visitorId: event.visitorId,
    ...(deviceType !== null && { deviceType }),
    ...presentTexts(event),
    timestamp: event.createdAtMs,
    ...(properties !== null && { properties }),
  };
}

/** Converts an event to the form that the log has after a submission of `toEventInput`. */
export function toNewEvent(event: TrafficEvent, website: NewEvent['website']): NewEvent {
  const { isBot, properties, ...fields } = event;
  return {
    ...fields,
    ...NO_READ_TEXTS,
    website,
    properties: properties === null ? null : JSON.stringify(properties),
    flags: (isBot ? EVENT_FLAGS.bot : 0) | suppliedFlags(fields),
  };
}
