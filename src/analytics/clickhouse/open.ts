import type { Db } from '../../db/open.ts';
import { createClickHouseLog } from '../../log/clickhouse/event-log.ts';
import { openEventsServer } from '../../log/clickhouse/open.ts';
import { findLiveWebsites } from '../../log/clickhouse/reads.ts';
import type { EventsServer } from '../../log/clickhouse/server.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { EventsTarget } from '../../settings/events.ts';
import { DERIVED_COLUMNS, derive } from './derived.ts';

/**
 * @param installationId whose events are there, and nobody else's
 * @throws Error that says, for people, why the server cannot be used
 */
export function openEvents(target: EventsTarget, installationId?: string): Promise<EventsServer> {
  return openEventsServer(target, DERIVED_COLUMNS, installationId);
}

type Options = {
  server: EventsServer;
  /** Has the websites. */
  db: Db;
  /** Other processes store events too. */
  isShared: boolean;
  now: () => number;
};

/** Stores events with all that questions are asked about. */
export function createEventLog({ server, db, isShared, now }: Options): EventLog {
  const findLive = (websiteKeys: readonly number[]) => findLiveWebsites(db, websiteKeys);
  return createClickHouseLog({ server, findLive, derive, isShared, now });
}
