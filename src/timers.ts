import type { createApp } from './app.ts';
import type { BackupSchedule } from './backup/schedule.ts';
import type { OpenDatabase } from './db/open.ts';
import { truncateLog } from './db/truncate-log.ts';
import type { ExportSchedule } from './exports/schedule.ts';
import { forgetOldRemovals } from './log/removal.ts';
import { discardStart } from './process/garbage.ts';
import { logError } from './process-log.ts';
import { HOUR_MS, MINUTE_MS } from './vocabulary/durations.ts';

const BACKUP_TURN_MS = 5 * MINUTE_MS;
const DEMO_TICK_MS = 3_000;
/** With DURABILITY=normal: what a power cut may take. */
const LOG_SYNC_MS = 5_000;
const EXPIRED_LOGINS_A_STEP = 1_000;
const STARTED_MS = 1_000;

type Service = Pick<
  ReturnType<typeof createApp>,
  'accounts' | 'cleaner' | 'dailyVisitors' | 'livingDemos' | 'members' | 'statistics' | 'storage' | 'uploads'
> & {
  backups: BackupSchedule;
  exports: ExportSchedule;
};

/**
 * Starts the background work: removal of deleted websites' events (resumed after a restart, and checked every hour), of
 * events beyond their website's retention, of uploaded files that were left, of expired logins and invitations, of old
 * entries of audit logs, of salts of days that are over, of old records of removals, and of deleted data from the
 * write-ahead log; imports of uploaded files; pending work on the server of the events; backups; daily
 * exports; events of demo websites;
 * and syncing of commits that did not wait for the disk.
 *
 * @returns a function that stops the timers
 */
export function startTimers(
  {
    accounts,
    cleaner,
    dailyVisitors,
    livingDemos,
    members,
    statistics,
    storage,
    uploads,
    backups,
    exports,
  }: Service,
  { db, local, syncLog }: OpenDatabase,
): () => void {
  const keepUpEvents = () => storage.keepUp().catch(logError);
  const forgetPastDays = () => void dailyVisitors.forgetPast(Date.now()).catch(logError);
  void keepUpEvents();
  forgetPastDays();
  void cleaner.wake();
  uploads.wake(); // continues imports that a stop interrupted
  const timers = [
    setTimeout(discardStart, STARTED_MS),
    setInterval(() => {
      void cleaner.wake(); // commands delete websites, and events pass their retention
      accounts.removeExpired(EXPIRED_LOGINS_A_STEP).catch(logError);
      members.removeOld().catch(logError);
      uploads.removeLeftOvers().catch(logError);
      void keepUpEvents();
      forgetOldRemovals(db, Date.now()).catch(logError);
      if (local) truncateLog(local).catch(logError); // a backup may stand in its way: then an hour later
    }, HOUR_MS),
    setInterval(() => void statistics.check().catch(logError), MINUTE_MS),
    setInterval(forgetPastDays, MINUTE_MS),
    setInterval(() => void exports.turn().catch(logError), BACKUP_TURN_MS),
    setInterval(() => void backups.turn().catch(logError), BACKUP_TURN_MS),
    setInterval(() => void livingDemos.tick().catch(() => {}), DEMO_TICK_MS), // no room, or busy: a demo can wait
  ];
  if (syncLog) timers.push(setInterval(() => void syncLog().catch(logError), LOG_SYNC_MS));
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
