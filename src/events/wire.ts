import type { CreatedEvent, ListedEvent, StoredEvent } from '../contract/event.ts';
import { EVENT_FLAGS } from '../contract/vocabulary.ts';
import type { LoggedEvent } from '../log/event.ts';

/** What the sender supplied, and nothing that the server filled in; without properties. */
export function toCreated(event: LoggedEvent, websiteId: string): CreatedEvent {
  const { flags } = event;
  return {
    id: event.id,
    websiteId,
    eventType: event.eventType,
    url: event.url,
    ...(event.referrer !== null && { referrer: event.referrer }),
    sessionId: event.sessionId,
    visitorId: event.visitorId,
    ...(event.deviceType !== null &&
      flags & EVENT_FLAGS.suppliedDeviceType && { deviceType: event.deviceType }),
    ...(event.browser !== null && flags & EVENT_FLAGS.suppliedBrowser && { browser: event.browser }),
    ...(event.os !== null && flags & EVENT_FLAGS.suppliedOs && { os: event.os }),
    ...(event.location !== null && flags & EVENT_FLAGS.suppliedLocation && { location: event.location }),
    ...(event.language !== null && flags & EVENT_FLAGS.suppliedLanguage && { language: event.language }),
    ...(event.screen !== null && { screen: event.screen }),
    createdAt: new Date(event.createdAtMs).toISOString(),
  };
}

export function toBatchItem(event: LoggedEvent, websiteId: string) {
  return {
    id: event.id,
    websiteId,
    eventType: event.eventType,
    url: event.url,
    createdAt: new Date(event.createdAtMs).toISOString(),
  };
}

/** Absent fields are left out; what the server filled in is shown. */
export function toListed(event: LoggedEvent): ListedEvent {
  const { deviceType, referrer, browser, os, location, language, screen } = event;
  return {
    id: event.id,
    eventType: event.eventType,
    url: event.url,
    ...(referrer !== null && { referrer }),
    sessionId: event.sessionId,
    visitorId: event.visitorId,
    ...(deviceType !== null && { deviceType }),
    ...(browser !== null && { browser }),
    ...(os !== null && { os }),
    ...(location !== null && { location }),
    ...(language !== null && { language }),
    ...(screen !== null && { screen }),
    createdAt: new Date(event.createdAtMs).toISOString(),
  };
}

export function toStored(event: LoggedEvent, websiteId: string): StoredEvent {
  return {
    ...toListed(event),
    websiteId,
    properties: event.properties === null ? null : JSON.parse(event.properties),
  };
}
