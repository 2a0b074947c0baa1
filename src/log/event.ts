import type { Engagement } from '../db/packed-engagement.ts';
import type { DeviceType, EventType } from '../vocabulary/contract.ts';
import type { EventTexts, ReadTexts } from '../vocabulary/event-texts.ts';

/** One event as the log keeps it. Absent values are null, or left out of a new event; `properties` is JSON text. */
export type LoggedEvent = EventTexts &
  ReadTexts &
  Partial<Engagement> & {
    id: string;
    createdAtMs: number;
    eventType: EventType;
    url: string;
    referrer: string | null;
    sessionId: string;
    visitorId: string;
    deviceType: DeviceType | null;
    properties: string | null;
    /** Bits of EVENT_FLAGS. */
    flags: number;
  };

/** An event that was accepted and waits to be written. */
export type NewEvent = LoggedEvent & {
  website: { key: number };
  /** Key of the import that it comes with; null or absent for a collected event. */
  importKey?: number | null;
};

/** Outcome of appending an event to the log. */
export type Outcome =
  /** Stored now, or before under the same id: then `event` is what was stored the first time. */
  | { kind: 'stored'; event: LoggedEvent }
  /** Its id belongs to an event of another website. */
  | { kind: 'conflict' }
  /** Its website was deleted since it was looked up, or its import is being undone. */
  | { kind: 'gone' }
  /** The database refused this one event for a reason of its own: our bug, logged. */
  | { kind: 'failed' };

/** Position of an event in order of time. `id` is set where two events may share a key. */
export type EventPosition = { atMs: number; key: number; id?: string };
