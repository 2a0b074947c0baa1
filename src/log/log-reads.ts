import type { Db } from '../db/open.ts';
import { findEarliestMs, findFirstEventMs } from './first-event.ts';
import type { EventReader } from './reader.ts';
import { type FoundEvent, findEvent, hasEvents } from './store.ts';

/** The log for those who read it as it is, wherever it is kept. */
export type LogReads = EventReader & {
  /** @param id a UUID; the events of deleted websites are not found */
  find(id: string): Promise<FoundEvent | undefined>;
  hasEvents(websiteKey: number): Promise<boolean>;
  /** Returns the time of a website's oldest event. */
  findFirstMs(websiteKey: number): Promise<number | undefined>;
  /** The earliest of when websites began: with their oldest event, or without any when they were created. */
  findEarliestMs(websiteKeys: number[]): Promise<number | undefined>;
};

/** Reads from the log in the database. */
export function createDatabaseReads(db: Db, reader: EventReader): LogReads {
  return {
    ...reader,
    find: (id) => findEvent(db, id),
    hasEvents: (websiteKey) => hasEvents(db, websiteKey),
    findFirstMs: (websiteKey) => findFirstEventMs(db, websiteKey),
    findEarliestMs: (websiteKeys) => findEarliestMs(db, websiteKeys),
  };
}
