import { DAY_MS, dayOf } from '../analytics/day.ts';
import { createDayStore, type DayStore } from '../analytics/day-store.ts';
import { hasUnfinishedErasure } from '../analytics/erase-selected.ts';
import type { LocalDatabase } from '../db/local-database.ts';
import { readNumber } from '../db/read-number.ts';
import { countBetween, countDays, EVENTS_AFTER, readLastKey } from '../log/examination.ts';
import { type Finding, fault, ok, warn } from './finding.ts';

type Website = { key: number; retentionDays: number | null };

const REBUILD = 'Stop the service and run: pagemeter rebuild';
const DAYS_SHOWN_MAX = 3;

/** The statistics against the log: as many events in each day block as the log has of that website and day. */
export function examineSummaries(database: LocalDatabase, nowMs: number): Finding[] {
  const checkpoint = readNumber(
    database,
    `SELECT coalesce(max(value), 0) FROM analytics_state WHERE name = 'checkpoint'`,
  );
  const lastKey = readLastKey(database);
  if (checkpoint > lastKey)
    return [
      fault(
        'statistics',
        `They claim to hold event ${checkpoint}; the last of the log is ${lastKey}.`,
        REBUILD,
      ),
    ];
  const unfinished = readNumber(database, `SELECT count(*) FROM analytics_state WHERE name LIKE 'rebuild %'`);
  if (unfinished > 0)
    return [
      warn(
        'statistics',
        `${unfinished} websites are being rebuilt.`,
        'It goes on with the service; look again later.',
      ),
    ];
  if (hasUnfinishedErasure(database))
    return [
      warn(
        'statistics',
        'An erasure was cut off, or goes on.',
        'It goes on with the service; look again later.',
      ),
    ];
  const websites = liveWebsites(database);
  const wrong = websites.flatMap((website) => findWrongDays(database, website, checkpoint, nowMs));
  if (wrong.length > 0)
    return [
      fault(
        'statistics',
        `${wrong.length} days differ from the log: ${wrong.slice(0, DAYS_SHOWN_MAX).join('; ')}.`,
        REBUILD,
      ),
    ];
  const behind = readNumber(database, EVENTS_AFTER, [checkpoint]);
  return [ok('statistics', `Every day holds the events of the log; ${behind} events are still to be read.`)];
}

/** The columns named in the query. An installation has few websites. */
function liveWebsites(database: LocalDatabase): Website[] {
  return database
    .prepare(
      'SELECT key, retention_days AS retentionDays FROM websites WHERE deleted_at_ms IS NULL ORDER BY key',
    )
    .all() as Website[];
}

function findWrongDays(
  database: LocalDatabase,
  { key, retentionDays }: Website,
  checkpoint: number,
  nowMs: number,
): string[] {
  const blocks = readBlocks(database, key, checkpoint);
  const logged = countDays(database, key, checkpoint);
  // Of days that are too old the blocks go before the events, which take their time.
  const firstDay = retentionDays === null ? Number.NEGATIVE_INFINITY : dayOf(nowMs) - retentionDays + 1;
  const days = [...new Set([...blocks.keys(), ...logged.keys()])].filter((day) => day >= firstDay);
  return days
    .sort((one, other) => one - other)
    .map((day) => ({ day, held: blocks.get(day) ?? 0, wanted: logged.get(day) ?? 0 }))
    .filter(({ held, wanted }) => held !== wanted)
    .map(
      ({ day, held, wanted }) =>
        `website ${key}, ${new Date(day * DAY_MS).toISOString().slice(0, 10)}: ${held} instead of ${wanted}`,
    );
}

/**
 * Events of each day that has a block, or why it cannot be read. Those that it took in beyond the checkpoint, before a
 * crash, are left out.
 */
function readBlocks(
  database: LocalDatabase,
  websiteKey: number,
  checkpoint: number,
): Map<number, number | string> {
  const list = database.prepare('SELECT day, until_key FROM day_blocks WHERE website_key = ? ORDER BY day');
  const store = createDayStore(database);
  const counts = new Map<number, number | string>();
  for (const [day, untilKey] of list.raw().all([websiteKey]) as [number, number][]) {
    const eventCount = countStored(store, websiteKey, day);
    if (typeof eventCount === 'string') {
      counts.set(day, eventCount);
      continue;
    }
    const early =
      untilKey > checkpoint ? countBetween(database, { websiteKey, day, afterKey: checkpoint, untilKey }) : 0;
    counts.set(day, eventCount - early);
  }
  return counts;
}

function countStored(store: DayStore, websiteKey: number, day: number): number | string {
  try {
    return store.read(websiteKey, day)?.eventCount ?? 0;
  } catch (error) {
    return String(error);
  }
}
