import { findInstallationId } from '../db/installation.ts';
import { lockInstance } from '../db/instance-lock.ts';
import { findLiveWebsites } from '../log/live-websites.ts';
import { type Moved, moveEvents } from '../move/move-events.ts';
import { createPositionFile } from '../move/position.ts';
import { logError } from '../process-log.ts';
import { type EventsTarget, eventsUrl } from '../settings/events.ts';
import { openEvents, openMovableServerLog } from '../storage/clickhouse.ts';
import { openMovableDatabaseLog } from '../storage/embedded.ts';
import { openStorage, ownPath } from '../storage/open.ts';
import type { DatabaseCommand } from './command.ts';
import { count } from './count.ts';
import { tell } from './watch.ts';

/** Server that receives the events, or that they come from; `true` means the one of EVENTS_URL. */
export type Direction = { to: string | true } | { from: string | true };

/** Number of queries that both engines answer. */
const QUESTIONS = 200;

export function move(direction: Direction): DatabaseCommand {
  return async ({ database, config, secrets }, { print }) => {
    const isTo = 'to' in direction;
    const { db } = database;
    const { url, caFile } = toTarget(isTo ? direction.to : direction.from, secrets.events);
    const { host, pathname } = new URL(url);
    const server = await openEvents({ url, caFile }, await findInstallationId(db));
    // Events stored or erased during the move would be missed.
    const unlock = lockInstance(ownPath(config.database, config.dataDir));
    const open = { config, database, now: Date.now, onError: logError };
    const inDatabase = openStorage({ ...open, eventsServer: undefined });
    const onServer = openStorage({ ...open, eventsServer: server });
    try {
      const logs = [openMovableDatabaseLog(database), openMovableServerLog(database, server)] as const;
      const moved = await moveEvents({
        from: isTo ? logs[0] : logs[1],
        to: isTo ? logs[1] : logs[0],
        engines: { database: inDatabase.analytics, server: onServer.analytics },
        position: createPositionFile(config.dataDir, `${isTo ? 'to' : 'from'} ${host}${pathname}`),
        questions: QUESTIONS,
        findLive: (websiteKeys) => findLiveWebsites(db, websiteKeys),
        onStep: tell.step,
        onCopied: tell.events,
      });
      for (const line of toLines(moved, isTo)) print(line);
    } finally {
      await inDatabase.close();
      await onServer.close();
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

function toLines({ events, websites, added, answers }: Moved, isTo: boolean): string[] {
  const [here, there] = isTo ? ['the database', 'the server'] : ['the server', 'the database'];
  return [
    `All ${count(events, 'event')} of ${count(websites, 'website')} are in ${there}, and ${answers} questions have the same answers in both. Nothing was removed from ${here}.`,
    ...added.map(
      ({ websiteKey, from, to }) =>
        `Of website ${websiteKey} there are ${to - from} more in ${there}, so its answers were not compared: they came there themselves, or were erased in ${here} since they were copied.`,
    ),
    isTo ? 'Set EVENTS_URL and start the service.' : 'Start the service without EVENTS_URL.',
  ];
}
