import { openAnalytics } from '../analytics/embedded/open.ts';
import type { OpenDatabase } from '../db/open.ts';
import { connectLocal, connectRemote } from '../log/connection.ts';
import type { EventLog } from '../log/event-log.ts';
import { createDatabasePages } from '../log/event-pages.ts';
import { followLocal, followRemote } from '../log/follower.ts';
import { createLocalLog } from '../log/local-log.ts';
import { createDatabaseReads } from '../log/log-reads.ts';
import { createInlineReader, createWorkerReader } from '../log/reader.ts';
import { createRemoteLog } from '../log/remote-log.ts';
import type { DatabaseTarget } from '../settings/database.ts';
import type { GroupLimits, MovableLog, Storage } from './storage.ts';

/** A transaction of this size holds the event loop for a few milliseconds. */
const GROUP_LIMITS: GroupLimits = { eventsMax: 1_000, atOnce: 1 };

type Options = {
  database: OpenDatabase;
  target: DatabaseTarget;
  /** Directory of the statistics of a remote database. */
  dataDir: string;
  /** Bytes of decoded segments kept in memory. */
  cacheBytesMax: number;
  onError: (error: unknown) => void;
};

/** Keeps the events in the database and answers from segments derived from them. */
export function openDatabaseStorage({ database, target, dataDir, cacheBytesMax, onError }: Options): Storage {
  const { db, local } = database;
  const analytics = openAnalytics({ target, local, dataDir, cacheBytesMax, onError });
  const reader = target.kind === 'file' ? createWorkerReader(target.path) : createInlineReader(db);
  return {
    analytics,
    log: createDatabaseLog(database),
    groupLimits: GROUP_LIMITS,
    reads: createDatabaseReads(db, reader),
    remover: undefined,
    imported: undefined,
    isInDatabase: true,
    ping: undefined,
    keepUp: () => Promise.resolve(),
    async close() {
      await analytics.close();
      await reader.close();
    },
  };
}

export function createDatabaseLog({ db, local }: OpenDatabase): EventLog {
  return local ? createLocalLog(local) : createRemoteLog(db.$client);
}

export function openMovableDatabaseLog(database: OpenDatabase): MovableLog {
  const { db, local } = database;
  return {
    pages: createDatabasePages(local ? connectLocal(local) : connectRemote(db.$client)),
    log: createDatabaseLog(database),
    settle: () =>
      (local ? followLocal(local) : followRemote(db.$client)).carryOutErasures(Number.POSITIVE_INFINITY),
    groupEventsMax: GROUP_LIMITS.eventsMax,
  };
}
