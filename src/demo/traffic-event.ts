import type { EventInput } from '../contract/event-input.ts';
import type { LoggedEvent, NewEvent } from '../log/event.ts';
import { EVENT_FLAGS } from '../vocabulary/contract.ts';
import { presentTexts, suppliedFlags } from '../vocabulary/event-texts.ts';
import type { Properties } from './happenings.ts';

/** An event that a browser would send, not yet told to any service. */
export type TrafficEvent = Omit<LoggedEvent, 'properties' | 'flags'> & {
  /** Index into the websites that the traffic was asked for. */
  website: number;
  properties: Properties | null;
  isBot: boolean;
};

/** As a client submits it to the API. Whether it is a bot's is for the User-Agent header to say. */
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

/** As it stands in the log when it was submitted in the form of `toEventInput`. */
export function toNewEvent(event: TrafficEvent, website: NewEvent['website']): NewEvent {
  const { isBot, properties, ...fields } = event;
  return {
    ...fields,
    website,
    properties: properties === null ? null : JSON.stringify(properties),
    flags: (isBot ? EVENT_FLAGS.bot : 0) | suppliedFlags(fields),
  };
}
