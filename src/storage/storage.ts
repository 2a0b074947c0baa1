import type { Analytics } from '../analytics/analytics.ts';
import type { EventLog } from '../log/event-log.ts';
import type { EventPages } from '../log/event-pages.ts';
import type { ImportedEvents } from '../log/imported-events.ts';
import type { LogReads } from '../log/log-reads.ts';
import type { EventRemover } from '../log/remover.ts';

/** Bounds of one write to the log. */
export type GroupLimits = {
  /** Most events in one transaction. */
  eventsMax: number;
  /** Most groups being stored at the same time. */
  atOnce: number;
};

/** Everything that depends on where the events are kept. */
export type Storage = {
  analytics: Analytics;
  log: EventLog;
  groupLimits: GroupLimits;
  reads: LogReads;
  /** Removes many events at once; undefined where the cleaner deletes rows in steps. */
  remover: EventRemover | undefined;
  /** Events that imports added; undefined as above. */
  imported: ImportedEvents | undefined;
  /** The events are in the database, next to the accounts and websites. */
  isInDatabase: boolean;
  /** Asks the events' own server for a row; undefined where the events are in the database. */
  ping: (() => Promise<void>) | undefined;
  /** Finishes what killed processes left behind. Call at the start and every hour. */
  keepUp(): Promise<void>;
  /** Waits for running work, then releases threads and caches. The connections stay open. */
  close(): Promise<void>;
};

/** A log that can be read as a whole and written to, for copying between engines. */
export type MovableLog = {
  pages: EventPages;
  log: EventLog;
  /** Finishes pending erasures and repeats, so that a copy neither revives nor doubles an event. */
  settle: () => Promise<unknown>;
  /** Most events in one `append`. */
  groupEventsMax: number;
};
