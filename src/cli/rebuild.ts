import { lockInstance } from '../db/instance-lock.ts';
import { logError } from '../process-log.ts';
import { openStorage, ownPath } from '../storage/open.ts';
import type { DatabaseCommand } from './command.ts';
import { tell } from './watch.ts';

export const rebuild: DatabaseCommand = async ({ database, config, secrets }, { print }) => {
  if (secrets.events)
    return print('Nothing to do: the server of EVENTS_URL answers out of the events themselves.');
  // The service keeps a part of the statistics in its memory: it must not run meanwhile.
  const unlock = lockInstance(ownPath(config.database, config.dataDir));
  const { analytics, close } = openStorage({
    config,
    database,
    eventsServer: undefined,
    now: Date.now,
    onError: logError,
  });
  try {
    tell.step({ name: 'deriving' }); // it reads and writes many times the file, so nobody knows how much there is
    const { events } = await analytics.rebuild();
    print(`The statistics are derived anew from ${events} events.`);
  } finally {
    await close();
    unlock();
  }
};
