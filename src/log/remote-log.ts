import type { Client, InStatement } from '@libsql/client/sqlite3';
import { isReported } from '../db/packed-engagement.ts';
import { bytesToUuid, uuidToBytes } from '../db/packed-id.ts';
import { packPlace } from '../db/packed-place.ts';
import { sendPatiently } from '../db/send-patiently.ts';
import {
  INSERT_PLACE,
  KEYED_COLUMNS,
  type KeyedEvent,
  PLACEHOLDERS,
  STORED_COLUMNS,
  toCells,
  toKeyedEvent,
  toLoggedEvent,
} from './columns.ts';
import type { NewEvent, Outcome } from './event.ts';
import { type EventLog, INSERT_COUNT_CONFLICT } from './event-log.ts';
import { toTypeCode } from './event-type.ts';
import { cellsOf } from './remote-row.ts';
import { REPORT_ENGAGEMENT, toReportCells } from './report.ts';

const STATEMENTS_AN_EVENT = 2;

/** Changes nothing. A replica hands on what holds a write to its primary; it would itself not have a row of just now. */
const TO_PRIMARY = 'DELETE FROM events WHERE key < 0';

/**
 * The log on a remote libSQL server: one batch a group, which the server commits as one transaction. When the answer
 * is lost, the same batch is sent again: event ids are unique, so what was stored is found, not doubled.
 */
export function createRemoteLog(client: Client): EventLog {
  return { append };

  async function append(events: readonly NewEvent[]): Promise<Outcome[]> {
    const places = [...new Set(events.map(packPlace))].filter((place) => place !== null);
    const statements = [
      ...places.map((place) => ({ sql: INSERT_PLACE, args: [place] })),
      ...events.flatMap(toStatements),
      ...events.filter(isReported).map((event) => ({ sql: REPORT_ENGAGEMENT, args: toReportCells(event) })),
    ];
    const results = (await sendPatiently(() => client.batch(statements, 'write'))).slice(places.length);
    const isStored = events.map((_, index) => results[index * STATEMENTS_AN_EVENT]?.rowsAffected === 1);
    const rest = events.filter((_, index) => !isStored[index]);
    const first = await findFirst(rest);
    return events.map((event, index): Outcome => {
      if (isStored[index]) return { kind: 'stored', event };
      const row = first.get(event.id);
      if (!row) return { kind: 'gone' };
      return row.websiteKey === event.website.key
        ? { kind: 'stored', event: toLoggedEvent(row) }
        : { kind: 'conflict' };
    });
  }

  async function findFirst(events: readonly NewEvent[]): Promise<Map<string, KeyedEvent>> {
    if (events.length === 0) return new Map();
    const results = await sendPatiently(() =>
      client.batch(
        [
          TO_PRIMARY,
          ...events.map(({ id }) => ({
            sql: `SELECT ${KEYED_COLUMNS} FROM events WHERE event_id = ?`,
            args: [uuidToBytes(id)],
          })),
        ],
        'write',
      ),
    );
    const rows = results.flatMap((result) => result.rows).map((row) => toKeyedEvent(cellsOf(row)));
    return new Map(rows.map((row) => [bytesToUuid(row.eventId), row]));
  }
}

/** The row, if its website still lives and its import was not undone, and its count, if the row was new. */
function toStatements(event: NewEvent): InStatement[] {
  const { key } = event.website;
  const { importKey } = event;
  const ofImport = importKey ? "AND EXISTS (SELECT 1 FROM imports WHERE key = ? AND state = 'running')" : '';
  return [
    {
      sql: `INSERT INTO events (${STORED_COLUMNS}) SELECT ${PLACEHOLDERS}
        WHERE EXISTS (SELECT 1 FROM websites WHERE key = ? AND deleted_at_ms IS NULL) ${ofImport}
        ON CONFLICT (event_id) DO NOTHING`,
      args: [...toCells(event), key, ...(importKey ? [importKey] : [])],
    },
    {
      sql: `INSERT INTO event_counts (website_key, type, count) SELECT ?, ?, 1 WHERE changes() > 0 ${INSERT_COUNT_CONFLICT}`,
      args: [key, toTypeCode(event.eventType)],
    },
  ];
}
