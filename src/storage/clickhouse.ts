import { derive } from '../analytics/clickhouse/derived.ts';
import { createClickHouseAnalytics } from '../analytics/clickhouse/engine.ts';
import { rederive } from '../analytics/clickhouse/rederive.ts';
import type { Db, OpenDatabase } from '../db/open.ts';
import { createClickHouseLog } from '../log/clickhouse/event-log.ts';
import { createClickHouseImportedEvents } from '../log/clickhouse/imported-events.ts';
import { openEventsServer } from '../log/clickhouse/open.ts';
import { createClickHousePages } from '../log/clickhouse/pages.ts';
import { createClickHouseReads } from '../log/clickhouse/reads.ts';
import { createClickHouseRemover } from '../log/clickhouse/remover.ts';
import type { EventsServer } from '../log/clickhouse/server.ts';
import { keepUp, readNothing } from '../log/clickhouse/upkeep.ts';
import type { EventLog } from '../log/event-log.ts';
import { findLiveWebsites } from '../log/live-websites.ts';
import { findRunningImports } from '../log/running-imports.ts';
import type { EventsTarget } from '../settings/events.ts';
import type { GroupLimits, MovableLog, Storage } from './storage.ts';

/** A group costs a round trip whatever its size, and the next one is prepared during it. */
export const GROUP_LIMITS: GroupLimits = { eventsMax: 10_000, atOnce: 2 };

/**
 * Connects to the server of EVENTS_URL and creates its tables.
 *
 * @param installationId owner of the events: a server with those of another installation is refused
 * @throws Error with a sentence for the administrator when the server cannot be used
 */
export function openEvents(target: EventsTarget, installationId?: string): Promise<EventsServer> {
  return openEventsServer(target, installationId);
}

type Options = {
  server: EventsServer;
  /** Holds the websites. */
  db: Db;
  /** Other processes store events too. */
  isShared: boolean;
  now: () => number;
};

/** Keeps the events on a ClickHouse server, which answers from the events themselves. */
export function openServerStorage(options: Options): Storage {
  const { server, db, now } = options;
  const analytics = createClickHouseAnalytics({ server, now });
  return {
    analytics,
    log: createServerLog(options),
    groupLimits: GROUP_LIMITS,
    reads: createClickHouseReads(server, db),
    remover: createClickHouseRemover(server),
    imported: createClickHouseImportedEvents(server, now),
    isInDatabase: false,
    ping: () => readNothing(server),
    keepUp: async () => {
      await keepUp(server, now());
      await rederive(server);
    },
    close: () => analytics.close(),
  };
}

/** Stores events together with the columns that questions read. */
export function createServerLog({ server, db, isShared, now }: Options): EventLog {
  const findRunning = (importKeys: readonly number[]) => findRunningImports(db, importKeys);
  const findLive = (websiteKeys: readonly number[]) => findLiveWebsites(db, websiteKeys);
  return createClickHouseLog({ server, findLive, findRunning, derive, isShared, now });
}

export function openMovableServerLog({ db }: OpenDatabase, server: EventsServer): MovableLog {
  return {
    pages: createClickHousePages(server),
    log: createServerLog({ server, db, isShared: false, now: Date.now }),
    settle: () => keepUp(server, Date.now()),
    groupEventsMax: GROUP_LIMITS.eventsMax,
  };
}
