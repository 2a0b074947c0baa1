import type { Analytics } from '../analytics/analytics.ts';
import type { Db } from '../db/open.ts';
import { findNewestKey } from '../log/store.ts';

export type StatisticsWatch = {
  /** Compares the engine's progress with the log. Call once a minute. */
  check(): Promise<void>;
  /** The engine has read nothing for a minute although the log holds newer events. */
  isStuck(): boolean;
};

type Options = {
  db: Db;
  analytics: Pick<Analytics, 'readUntil'>;
  onWarning: (message: string) => void;
};

const STUCK =
  'the statistics do not follow the events: reports miss what arrived since. Restart the service, and report this with the log';

/** Notices an engine that no longer follows the log, whatever the reason. It follows every ten seconds when it runs. */
export function createStatisticsWatch({ db, analytics, onWarning }: Options): StatisticsWatch {
  let before: { newest: number; read: number } | undefined;
  let isStuck = false;

  return {
    async check() {
      const read = await analytics.readUntil();
      if (read === undefined) {
        before = undefined;
        isStuck = false;
        return;
      }
      const newest = await findNewestKey(db);
      const wasStuck = isStuck;
      isStuck = before !== undefined && read === before.read && read < before.newest;
      before = { newest, read };
      if (isStuck && !wasStuck) onWarning(STUCK);
    },
    isStuck: () => isStuck,
  };
}
