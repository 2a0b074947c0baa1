import type { CreatedEvent, ListedEvent, StoredEvent } from '../contract/event.ts';
import type { LoggedEvent } from '../log/event.ts';
import { EVENT_FLAGS } from '../vocabulary/contract.ts';
import { presentTexts, suppliedFlag } from '../vocabulary/event-texts.ts';

/** Returns the fields that the sender supplied, without properties and without those that the server filled in. */
export function toCreated(event: LoggedEvent, websiteId: string): CreatedEvent {
  const { flags, referrer, deviceType } = event;
  const created: CreatedEvent = {
    id: event.id,
    websiteId,
    eventType: event.eventType,
    url: event.url,
    sessionId: event.sessionId,
    visitorId: event.visitorId,
    createdAt: new Date(event.createdAtMs).toISOString(),
  };
  if (referrer !== null) created.referrer = referrer;
  if (deviceType !== null && isSupplied(flags, EVENT_FLAGS.suppliedDeviceType))
    created.deviceType = deviceType;
  return Object.assign(
    created,
    presentTexts(event, (name) => isSupplied(flags, suppliedFlag(name))),
  );
}

/** @param flag 0: the server never fills it in */
function isSupplied(flags: number, flag: number): boolean {
  return (flags & flag) === flag;
}

export function toBatchItem(event: LoggedEvent, websiteId: string) {
  return {
    id: event.id,
    websiteId,
    eventType: event.eventType,
    url: event.url,
    createdAt: new Date(event.createdAtMs).toISOString(),
    ...(event.flags & EVENT_FLAGS.anonymous && { visitorId: event.visitorId }),
  };
}

/** Absent fields are left out; what the server filled in is shown. */
export function toListed(event: LoggedEvent): ListedEvent {
  const { deviceType, referrer, engagedSeconds, scrollDepth } = event;
  return {
    id: event.id,
    eventType: event.eventType,
    url: event.url,
    ...(referrer !== null && { referrer }),
    sessionId: event.sessionId,
    visitorId: event.visitorId,
    ...(deviceType !== null && { deviceType }),
    ...presentTexts(event),
    ...(engagedSeconds != null && { engagedSeconds }),
    ...(scrollDepth != null && { scrollDepth }),
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
