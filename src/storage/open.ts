import { statisticsPath } from '../analytics/embedded/open.ts';
import type { OpenDatabase } from '../db/open.ts';
import { createClickHouseRanges } from '../log/clickhouse/event-ranges.ts';
import { createClickHouseImportedEvents } from '../log/clickhouse/imported-events.ts';
import type { EventsServer } from '../log/clickhouse/server.ts';
import { connectLocal, connectRemote } from '../log/connection.ts';
import type { EventLog } from '../log/event-log.ts';
import { createDatabaseRanges, type EventRanges } from '../log/event-ranges.ts';
import { createImportedEvents, type ImportedEvents } from '../log/imported-events.ts';
import { STEP_ROWS } from '../log/removal-steps.ts';
import type { Config } from '../settings/config.ts';
import type { DatabaseTarget } from '../settings/database.ts';
import { createServerLog, openServerStorage } from './clickhouse.ts';
import { createDatabaseLog, openDatabaseStorage } from './embedded.ts';
import type { Storage } from './storage.ts';

type Options = {
  config: Pick<Config, 'database' | 'dataDir' | 'analyticsCacheBytesMax'>;
  database: OpenDatabase;
  /** The server that keeps the events; undefined: they are in the database. */
  eventsServer: EventsServer | undefined;
  now: () => number;
  onError: (error: unknown) => void;
};

/** Opens the place where the events are kept: the server when there is one, otherwise the database. */
export function openStorage({ config, database, eventsServer, now, onError }: Options): Storage {
  const { database: target, dataDir, analyticsCacheBytesMax: cacheBytesMax } = config;
  return eventsServer
    ? openServerStorage({ server: eventsServer, db: database.db, isShared: target.kind === 'remote', now })
    : openDatabaseStorage({ database, target, dataDir, cacheBytesMax, onError });
}

/** Opens only the log, for a command that stores events while the service may run. */
export function openLog(database: OpenDatabase, eventsServer: EventsServer | undefined): EventLog {
  return eventsServer
    ? createServerLog({ server: eventsServer, db: database.db, isShared: true, now: Date.now })
    : createDatabaseLog(database);
}

/** Opens the events that imports added, for a command. */
export function openImportedEvents(
  { db }: OpenDatabase,
  eventsServer: EventsServer | undefined,
): ImportedEvents {
  return eventsServer
    ? createClickHouseImportedEvents(eventsServer, Date.now)
    : createImportedEvents({ db, stepRows: STEP_ROWS, rest: Bun.sleep });
}

/** Opens the events of a website in order of time, for a command and for exports. */
export function openRanges(
  { db, local }: Pick<OpenDatabase, 'db' | 'local'>,
  eventsServer: EventsServer | undefined,
): EventRanges {
  if (eventsServer) return createClickHouseRanges(eventsServer);
  return createDatabaseRanges(local ? connectLocal(local) : connectRemote(db.$client));
}

/** The file that a process locks while it works: its database, or the statistics of a remote one. */
export function ownPath(target: DatabaseTarget, dataDir: string): string {
  return target.kind === 'file' ? target.path : statisticsPath(dataDir);
}
