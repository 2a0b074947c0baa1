import { createClickHouseAnalytics } from '../analytics/clickhouse/engine.ts';
import { createEventLog, openEvents } from '../analytics/clickhouse/open.ts';
import { openAnalytics, statisticsPath } from '../analytics/embedded/open.ts';
import { findInstallationId } from '../db/installation.ts';
import { lockInstance } from '../db/instance-lock.ts';
import type { OpenDatabase } from '../db/open.ts';
import { createClickHousePages } from '../log/clickhouse/pages.ts';
import { findLiveWebsites } from '../log/clickhouse/reads.ts';
import type { EventsServer } from '../log/clickhouse/server.ts';
import { keepUp } from '../log/clickhouse/upkeep.ts';
import { connectLocal, connectRemote } from '../log/connection.ts';
import { createDatabasePages } from '../log/event-pages.ts';
import { followLocal, followRemote } from '../log/follower.ts';
import { createLocalLog } from '../log/local-log.ts';
import { createRemoteLog } from '../log/remote-log.ts';
import type { MovableLog } from '../move/copy-events.ts';
import { type Moved, moveEvents } from '../move/move-events.ts';
import { createPositionFile } from '../move/position.ts';
import { logError } from '../process-log.ts';
import { type EventsTarget, eventsUrl } from '../settings/events.ts';
import type { DatabaseCommand } from './command.ts';
import { tell } from './watch.ts';

/** Of the server to which events go, or from which they come; `true` stands for that of EVENTS_URL. */
export type Direction = { to: string | true } | { from: string | true };

/** As the service has them: one transaction, and one insert. */
const DATABASE_GROUP_EVENTS_MAX = 1_000;
const SERVER_GROUP_EVENTS_MAX = 10_000;
/** Asked of both engines. */
const QUESTIONS = 200;

export function move(direction: Direction): DatabaseCommand {
  return async ({ database, config: { database: target, dataDir }, secrets }, { print }) => {
    const isTo = 'to' in direction;
    const { db, local } = database;
    const { url, caFile } = toTarget(isTo ? direction.to : direction.from, secrets.events);
    const { host, pathname } = new URL(url);
    const server = await openEvents({ url, caFile }, await findInstallationId(db));
    // What is stored or erased meanwhile would be missed.
    const unlock = lockInstance(target.kind === 'file' ? target.path : statisticsPath(dataDir));
    const analytics = openAnalytics({ target, local, dataDir, onError: logError });
    try {
      const logs = [openDatabaseLog(database), openServerLog(database, server)] as const;
      const moved = await moveEvents({
        from: isTo ? logs[0] : logs[1],
        to: isTo ? logs[1] : logs[0],
        engines: { database: analytics, server: createClickHouseAnalytics({ server, now: Date.now }) },
        position: createPositionFile(dataDir, `${isTo ? 'to' : 'from'} ${host}${pathname}`),
        questions: QUESTIONS,
        findLive: (websiteKeys) => findLiveWebsites(db, websiteKeys),
        onStep: tell.step,
        onCopied: tell.events,
      });
      for (const line of toLines(moved, isTo)) print(line);
    } finally {
      await analytics.close();
      unlock();
      await server.close();
    }
  };
}

function toTarget(url: string | true, configured: EventsTarget | undefined): EventsTarget {
  if (url !== true) return { url: requireUrl(url), caFile: configured?.caFile };
  if (!configured) throw new Error('Which server? Name it, or set EVENTS_URL.');
  return configured;
}

function requireUrl(url: string): string {
  try {
    return eventsUrl(url);
  } catch (error) {
    throw new Error(`The address of the server ${(error as Error).message}`); // which it always throws
  }
}

export function openDatabaseLog({ db, local }: OpenDatabase): MovableLog {
  return {
    pages: createDatabasePages(local ? connectLocal(local) : connectRemote(db.$client)),
    log: local ? createLocalLog(local) : createRemoteLog(db.$client),
    settle: () =>
      (local ? followLocal(local) : followRemote(db.$client)).carryOutErasures(Number.POSITIVE_INFINITY),
    groupEventsMax: DATABASE_GROUP_EVENTS_MAX,
  };
}

export function openServerLog({ db }: OpenDatabase, server: EventsServer): MovableLog {
  return {
    pages: createClickHousePages(server),
    log: createEventLog({ server, db, isShared: false, now: Date.now }),
    settle: () => keepUp(server, Date.now()),
    groupEventsMax: SERVER_GROUP_EVENTS_MAX,
  };
}

function toLines({ events, websites, added, answers }: Moved, isTo: boolean): string[] {
  const [here, there] = isTo ? ['the database', 'the server'] : ['the server', 'the database'];
  return [
    `All ${events} events of ${websites} websites are in ${there}, and ${answers} questions have the same answers in both. Nothing was removed from ${here}.`,
    ...added.map(
      ({ websiteKey, from, to }) =>
        `Of website ${websiteKey} there are ${to - from} more in ${there}, so its answers were not compared: they came there themselves, or were erased in ${here} since they were copied.`,
    ),
    isTo ? 'Set EVENTS_URL and start the service.' : 'Start the service without EVENTS_URL.',
  ];
}
