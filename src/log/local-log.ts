import { inTransaction } from '../db/in-transaction.ts';
import type { LocalDatabase } from '../db/local-database.ts';
import { isReported } from '../db/packed-engagement.ts';
import { uuidToBytes } from '../db/packed-id.ts';
import { packPlace } from '../db/packed-place.ts';
import { EVENT_TYPES } from '../vocabulary/contract.ts';
import {
  type Cell,
  INSERT_PLACE,
  KEYED_COLUMNS,
  PLACEHOLDERS,
  STORED_COLUMNS,
  toCells,
  toKeyedEvent,
  toLoggedEvent,
} from './columns.ts';
import type { NewEvent, Outcome } from './event.ts';
import { type EventLog, INSERT_COUNT_CONFLICT } from './event-log.ts';
import { toTypeCode } from './event-type.ts';
import { REPORT_ENGAGEMENT, toReportCells } from './report.ts';

/** The log in the embedded database: prepared statements on the raw connection. */
export function createLocalLog(database: LocalDatabase): EventLog {
  const findLive = database.prepare('SELECT 1 FROM websites WHERE key = ? AND deleted_at_ms IS NULL');
  const findRunning = database.prepare("SELECT 1 FROM imports WHERE key = ? AND state = 'running'");
  const insert = database.prepare(
    `INSERT INTO events (${STORED_COLUMNS}) VALUES (${PLACEHOLDERS}) ON CONFLICT (event_id) DO NOTHING`,
  );
  const insertPlace = database.prepare(INSERT_PLACE);
  const findStored = database.prepare(`SELECT ${KEYED_COLUMNS} FROM events WHERE event_id = ?`).raw();
  const report = database.prepare(REPORT_ENGAGEMENT);
  const count = database.prepare(
    `INSERT INTO event_counts (website_key, type, count) VALUES (?, ?, ?) ${INSERT_COUNT_CONFLICT}`,
  );

  return { append: (events) => inTransaction(database, 'write', () => insertAll(events)) };

  function insertAll(events: readonly NewEvent[]): Outcome[] {
    const isLive = remember((key: number) => findLive.get([key]) !== undefined);
    const isRunning = remember((key: number) => findRunning.get([key]) !== undefined);
    const counts = new Map<number, number[]>();
    for (const place of new Set(events.map(packPlace))) if (place !== null) insertPlace.run([place]);
    const outcomes = events.map((event): Outcome => {
      const { key } = event.website;
      if (!isLive(key) || (event.importKey && !isRunning(event.importKey))) return { kind: 'gone' };
      if (insert.run(toCells(event)).changes === 0) return findFirst(event);
      addOne(counts, key, toTypeCode(event.eventType));
      return { kind: 'stored', event };
    });
    for (const [key, byType] of counts)
      byType.forEach((added, type) => {
        if (added > 0) count.run([key, type, added]);
      });
    return outcomes;
  }

  /** A repeat: raises the engagement, and returns what is stored if it was for the same website. */
  function findFirst(event: NewEvent): Outcome {
    if (isReported(event)) report.run(toReportCells(event));
    const row = toKeyedEvent(findStored.get([uuidToBytes(event.id)]) as Cell[]); // the columns named above
    return row.websiteKey === event.website.key
      ? { kind: 'stored', event: toLoggedEvent(row) }
      : { kind: 'conflict' };
  }
}

/** Asks once for each key. */
function remember(find: (key: number) => boolean): (key: number) => boolean {
  const known = new Map<number, boolean>();
  return (key) => {
    const answer = known.get(key) ?? find(key);
    known.set(key, answer);
    return answer;
  };
}

function addOne(counts: Map<number, number[]>, websiteKey: number, type: number): void {
  const byType = counts.get(websiteKey) ?? EVENT_TYPES.map(() => 0);
  byType[type] = (byType[type] ?? 0) + 1;
  counts.set(websiteKey, byType);
}
