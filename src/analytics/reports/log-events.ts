import { DEVICE_TYPES, EVENT_TYPES } from '../../contract/vocabulary.ts';
import { bytesToUuid, unpackId } from '../../db/packed-id.ts';
import { unpackTexts } from '../../db/packed-texts.ts';
import type { KeyedEvent } from '../../log/follower.ts';
import type { ExportedEvent, PathEvent } from '../analytics.ts';
import { readAddress } from '../derive/address.ts';
import { eventName, readProperties } from '../derive/properties.ts';

/** Reads single events of the log, for what segments do not hold: ids, addresses, properties as sent. */
export type ReadKeys = (keys: readonly number[]) => Promise<KeyedEvent[]>;

export function toExported(event: KeyedEvent): ExportedEvent {
  const { createdAtMs, deviceType, location, properties } = event;
  const { url, referrer, browser, os, language, screen } = unpackTexts(event);
  return {
    id: bytesToUuid(event.eventId),
    createdAtMs,
    eventType: EVENT_TYPES[event.type] ?? 'custom',
    url,
    referrer,
    sessionId: unpackId(event.sessionId),
    visitorId: unpackId(event.visitorId),
    deviceType: deviceType === null ? null : (DEVICE_TYPES[deviceType] ?? null),
    browser,
    os,
    location,
    language,
    screen,
    properties,
  };
}

export function toPathEvent(event: KeyedEvent): PathEvent {
  const { createdAtMs, type, properties } = event;
  const { url } = unpackTexts(event);
  const name = properties === null ? '' : eventName(type, readProperties(properties), properties);
  return {
    id: bytesToUuid(event.eventId),
    atMs: createdAtMs,
    eventType: EVENT_TYPES[type] ?? 'custom',
    url,
    page: readAddress(url).page,
    name: name || null,
    properties,
  };
}
