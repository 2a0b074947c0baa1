import { lockInstance } from '../db/instance-lock.ts';
import { logError } from '../process-log.ts';
import { openStorage, ownPath } from '../storage/open.ts';
import type { DatabaseCommand } from './command.ts';
import { tell } from './watch.ts';

export const rebuild: DatabaseCommand = async ({ database, config, secrets }, { print }) => {
  if (secrets.events)
    return print('Nothing to do: the server of EVENTS_URL answers out of the events themselves.');
  // The service keeps a part of the statistics in memory, so it must not run now.
  const unlock = lockInstance(ownPath(config.database, config.dataDir));
  const { analytics, close } = openStorage({
    config,
    database,
    eventsServer: undefined,
    now: Date.now,
    onError: logError,
  });
  try {
    tell.step({ name: 'deriving' }); // it reads and writes the file many times over, so the total is unknown
    const { events } = await analytics.rebuild();
    print(`The statistics were rebuilt from ${events} events.`);
  } finally {
    await close();
    unlock();
  }
};
