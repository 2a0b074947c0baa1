import { unpackEngagement } from '../../../db/packed-engagement.ts';
import { bytesToUuid } from '../../../db/packed-id.ts';
import { unpackTexts } from '../../../db/packed-texts.ts';
import { toEventType } from '../../../log/event-type.ts';
import type { KeyedEvent } from '../../../log/follower.ts';
import { readAddress } from '../../derive/address.ts';
import { eventName, readProperties } from '../../derive/properties.ts';
import type { PathEvent } from '../../interface/people.ts';

/** Converts an event from its form in the log. */

export function toPathEvent(event: KeyedEvent): PathEvent {
  const { createdAtMs, type, properties } = event;
  const { url } = unpackTexts(event);
  const name = properties === null ? '' : eventName(type, readProperties(properties), properties);
  return {
    id: bytesToUuid(event.eventId),
    atMs: createdAtMs,
    eventType: toEventType(type),
    url,
    page: readAddress(url, event.flags).page,
    name: name || null,
    properties,
    ...unpackEngagement(event.engagement),
  };
}
