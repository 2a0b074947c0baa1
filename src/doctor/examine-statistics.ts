import { examineSegments } from '../analytics/embedded/examine.ts';
import type { LocalDatabase } from '../db/local-database.ts';
import { readNumber } from '../db/read-number.ts';
import { countUntil, EVENTS_AFTER, REMOVALS_DUE, readLastKey } from '../log/examination.ts';
import { type Finding, fault, ok, warn } from './finding.ts';

const REBUILD = 'Stop the service and run: pagemeter rebuild';
const SHOWN_MAX = 3;

/** The statistics against the log: as many events of each website as the log has, in segments that can be read. */
export function examineStatistics(database: LocalDatabase): Finding[] {
  const { checkpoint, removals, websites } = examineSegments(database);
  const lastKey = readLastKey(database);
  if (checkpoint > lastKey)
    return [
      fault(
        'statistics',
        `They claim to hold event ${checkpoint}; the last of the log is ${lastKey}.`,
        REBUILD,
      ),
    ];
  const unfinished = readNumber(database, REMOVALS_DUE, [removals]);
  if (unfinished > 0)
    return [
      warn(
        'statistics',
        'What was removed from the log is still being removed from them.',
        'The running service continues it; look again later.',
      ),
    ];
  const faults = websites.flatMap((website) => [...website.faults, ...findDifference(database, website)]);
  if (faults.length > 0)
    return [
      fault('statistics', `They differ from the log: ${faults.slice(0, SHOWN_MAX).join('; ')}.`, REBUILD),
    ];
  const behind = readNumber(database, EVENTS_AFTER, [checkpoint]);
  return [ok('statistics', `They hold the events of the log; ${behind} events are still to be read.`)];
}

function findDifference(
  database: LocalDatabase,
  { websiteKey, takenUntil, events }: { websiteKey: number; takenUntil: number; events: number },
): string[] {
  const logged = countUntil(database, websiteKey, takenUntil);
  return logged === events ? [] : [`website ${websiteKey}: ${events} instead of ${logged} events`];
}
