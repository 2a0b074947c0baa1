import { rmSync, writeFileSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { readAddress } from '../../src/analytics/derive/address.ts';
import { deriveOrigin } from '../../src/analytics/derive/origin.ts';
import { openLocalDatabase } from '../../src/db/local-database.ts';
import {
  type Cell,
  KEYED_COLUMNS,
  type KeyedEvent,
  toKeyedEvent,
  toLoggedEvent,
} from '../../src/log/columns.ts';
import { ORIGIN_DIMENSIONS, VISIT_GAP_MS } from '../../src/vocabulary/analytics.ts';
import { EVENT_FLAGS } from '../../src/vocabulary/contract.ts';

/**
 * The events of people as DuckDB likes them: one wide table in the order of website and time, numbers for visitors and
 * visits, enumerations for texts. Visits are cut and their attributes written to each of their events ahead, so that a
 * question joins nothing.
 */

const ROWS_A_PART = 500_000;
const ROWS_A_READ = 10_000;
const TEXTS = ['page', 'source', 'channel', 'country', 'device', 'browser', 'os'] as const;

export async function fillDuckdb(connection: DuckDBConnection, logPath: string): Promise<void> {
  await connection.run(`
    CREATE TABLE log (
      key UINTEGER, website UTINYINT, at_ms BIGINT, type VARCHAR, visitor VARCHAR,
      ${TEXTS.map((name) => `${name} VARCHAR`).join(', ')}
    )`);
  const csvPath = `${logPath}.csv`;
  for (const part of readParts(logPath)) {
    writeFileSync(csvPath, part);
    await connection.run(`COPY log FROM '${csvPath}' (FORMAT csv, HEADER false, NULLSTR '')`);
  }
  rmSync(csvPath, { force: true });
  for (const statement of DERIVE) await connection.run(statement);
}

/** The log as CSV, part by part, without bots and excluded addresses. */
function* readParts(logPath: string): Generator<string> {
  const log = openLocalDatabase(logPath, 'normal');
  const read = log
    .prepare(`SELECT ${KEYED_COLUMNS} FROM events WHERE key > ? ORDER BY key LIMIT ${ROWS_A_READ}`)
    .raw();
  let lines: string[] = [];
  for (let afterKey = 0, count = ROWS_A_READ; count === ROWS_A_READ; ) {
    const rows = (read.all([afterKey]) as unknown as Cell[][]).map(toKeyedEvent); // the columns of the statement
    count = rows.length;
    afterKey = rows.at(-1)?.key ?? afterKey;
    for (const row of rows)
      if ((row.flags & (EVENT_FLAGS.bot | EVENT_FLAGS.excluded)) === 0) lines.push(toLine(row));
    if (lines.length < ROWS_A_PART && count === ROWS_A_READ) continue;
    yield lines.join('');
    lines = [];
  }
  log.close();
}

const SOURCE = ORIGIN_DIMENSIONS.indexOf('source');
const CHANNEL = ORIGIN_DIMENSIONS.indexOf('channel');

function toLine(row: KeyedEvent): string {
  const { url, referrer, createdAtMs, eventType, visitorId, location, deviceType, browser, os } =
    toLoggedEvent(row);
  const address = readAddress(url);
  const origin = deriveOrigin(address, referrer);
  const cells = [eventType, visitorId, address.page, origin[SOURCE], origin[CHANNEL]];
  const texts = [...cells, location, deviceType, browser, os].map(toCell).join(',');
  return `${row.key},${row.websiteKey},${createdAtMs},${texts}\n`;
}

/** An empty text is an absent one. */
function toCell(text: string | null | undefined): string {
  return text ? `"${text.replaceAll('"', '""')}"` : '';
}

/** One after the other, each from the tables of those before it. */
const DERIVE = [
  ...TEXTS.map(
    (name) => `CREATE TYPE ${name} AS ENUM (SELECT DISTINCT ${name} FROM log WHERE ${name} IS NOT NULL)`,
  ),
  `CREATE TYPE event_type AS ENUM (SELECT DISTINCT type FROM log)`,
  `CREATE TABLE visitors AS
     SELECT website, visitor, (row_number() OVER ())::UINTEGER AS number
     FROM (SELECT DISTINCT website, visitor FROM log)`,
  `CREATE TABLE steps AS
     SELECT key, website, at_ms, type::event_type AS type, number AS visitor,
            ${TEXTS.map((name) => `${name}::${name} AS ${name}`).join(', ')},
            coalesce(at_ms - lag(at_ms) OVER (PARTITION BY number ORDER BY at_ms, key) > ${VISIT_GAP_MS}, true) AS is_first
     FROM log JOIN visitors USING (website, visitor)`,
  `DROP TABLE log`,
  `DROP TABLE visitors`,
  `CREATE TABLE numbered AS
     SELECT *, (sum(is_first::INTEGER) OVER (ORDER BY visitor, at_ms, key))::UINTEGER AS visit FROM steps`,
  `DROP TABLE steps`,
  `CREATE TABLE visits AS
     SELECT visit, max(at_ms) - min(at_ms) AS duration_ms, count(*) = 1 AND min(type) = 'pageview' AS is_bounce,
            arg_min(page, (at_ms, key)) FILTER (type = 'pageview') AS entry_page
     FROM numbered GROUP BY visit`,
  `CREATE TABLE events AS
     SELECT own.website, make_timestamp_ms(own.at_ms) AS created_at, own.type, own.visitor, visit, own.page,
            entry_page, opening.source, opening.channel, opening.country, opening.device, opening.browser, opening.os,
            is_bounce, duration_ms::UINTEGER AS duration_ms
     FROM numbered own JOIN visits USING (visit) JOIN numbered opening USING (visit)
     WHERE opening.is_first
     ORDER BY own.website, own.at_ms`,
  `DROP TABLE numbered`,
  `DROP TABLE visits`,
  `CHECKPOINT`,
];
