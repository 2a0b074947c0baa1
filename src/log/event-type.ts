import { EVENT_TYPES, type EventType } from '../vocabulary/contract.ts';

/** Returns the code under which a type of event is stored. */
export function toTypeCode(type: EventType): number {
  return EVENT_TYPES.indexOf(type);
}

/** Returns the type of a stored event. @throws when no version of the service stored such a code */
export function toEventType(code: number): EventType {
  const type = EVENT_TYPES[code];
  if (type === undefined) throw new Error(`Unknown event type ${code}`);
  return type;
}
