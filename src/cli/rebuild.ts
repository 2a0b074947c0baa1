import { openAnalytics, statisticsPath } from '../analytics/open.ts';
import { lockInstance } from '../db/instance-lock.ts';
import { logError } from '../process-log.ts';
import type { Command } from './command.ts';

export const REBUILD_USAGE =
  'pagemeter rebuild                    derive all statistics anew from the events; stop the service first';

export function findRebuildCommand(args: string[]): Command | undefined {
  if (args.length > 0) return undefined;
  return async ({ database: { local }, config: { database: target, dataDir } }, { print }) => {
    // The service keeps a part of the statistics in its memory: it must not run meanwhile.
    const unlock = lockInstance(target.kind === 'file' ? target.path : statisticsPath(dataDir));
    const analytics = openAnalytics({ target, local, dataDir, onError: logError });
    try {
      const { events } = await analytics.rebuild();
      print(`The statistics are derived anew from ${events} events.`);
    } finally {
      await analytics.close();
      unlock();
    }
  };
}
