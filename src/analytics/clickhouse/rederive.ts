import type { EventsServer } from '../../log/clickhouse/server.ts';
import { join, type Sql, sql } from '../../log/clickhouse/sql.ts';
import { EVENT_FLAGS } from '../../vocabulary/contract.ts';
import { SECOND_MS } from '../../vocabulary/durations.ts';
import { ADDRESS_COLUMNS, deriveAddress } from './derived.ts';

/** Version of what is derived from addresses (`derive/`). Increase it with the rules or the tables of sources. */
const VERSION = 1;
/** Addresses with their referrers that are read at once. */
const PAIRS_A_PAGE = 50_000;
/** Changes that the server holds in memory at once; twice as many take twice its memory and half of the rewrites. */
const CHANGES_MAX = 500_000;
const ROWS_AN_INSERT = 5_000;
const POLL_MS = SECOND_MS;

/** Prefix of the names of the tables with new values. */
const TABLE = 'rederived_';
/** No address has it. */
const SEPARATOR = '\u001f';

const column = (text: string): Sql => ({ text });
const COLUMNS = join(ADDRESS_COLUMNS.map(column), ', ');
/** Columns that the derived ones are made from, as a list and as one text. */
const PARTS = sql`url, ifNull(referrer, ''), bitAnd(flags, ${EVENT_FLAGS.route})`;
const KEY = sql`concat(url, ${SEPARATOR}, ifNull(referrer, ''), ${SEPARATOR}, toString(bitAnd(flags, ${EVENT_FLAGS.route})))`;

type Row = [url: string, referrer: string, route: number, ...columns: string[]];
type Change = { key: string; columns: string[] };

/**
 * Derives the addresses of stored events again after an upgrade. The server replaces the columns part by part, so answers
 * have no gap; until it is done, they mix both versions.
 */
export async function rederive(server: EventsServer): Promise<void> {
  const [[done] = [0]] = await server.read<[number]>(sql`SELECT max(version) FROM derived_version`);
  // Another process may be at it.
  if (done >= VERSION || (await isRunning(server, TABLE))) return;
  await dropLeftovers(server);
  const [[pairs] = [0]] = await server.read<[number]>(sql`SELECT uniq(${KEY}) FROM events`);
  const pages = Math.max(1, Math.ceil(pairs / PAIRS_A_PAGE));
  let changes: Change[] = [];
  for (let page = 0; page < pages; page += 1) {
    changes = [...changes, ...(await readChanges(server, page, pages))];
    const isDue = changes.length > CHANGES_MAX || page === pages - 1;
    if (!isDue || changes.length === 0) continue;
    await replace(server, changes);
    changes = [];
  }
  await server.toInsert('derived_version', [{ version: VERSION }])();
}

/** Selects the rows of a page whose columns differ from what is derived now. */
async function readChanges(server: EventsServer, page: number, pages: number): Promise<Change[]> {
  const rows = await server.read<Row>(
    sql`SELECT DISTINCT ${PARTS}, ${COLUMNS} FROM events WHERE cityHash64(${KEY}) % ${pages} = ${page}`,
  );
  return rows.flatMap(([url, referrer, route, ...stored]): Change[] => {
    const columns = deriveAddress({ url, referrer, flags: route });
    const isSame = columns.every((text, index) => text === stored[index]);
    return isSame ? [] : [{ key: [url, referrer, route].join(SEPARATOR), columns }];
  });
}

/** A table of the new values, and one statement that takes them over. */
async function replace(server: EventsServer, changes: readonly Change[]): Promise<void> {
  const [[database] = ['']] = await server.read<[string]>(sql`SELECT currentDatabase()`);
  const name = `${TABLE}${crypto.randomUUID().replaceAll('-', '')}`;
  const columns = join(
    ADDRESS_COLUMNS.map((text) => column(`${text} String`)),
    ', ',
  );
  await server.command(
    sql`CREATE TABLE ${column(name)} (key String, ${columns}) ENGINE = Join(ANY, LEFT, key)`,
  );
  for (let from = 0; from < changes.length; from += ROWS_AN_INSERT) {
    const rows = changes.slice(from, from + ROWS_AN_INSERT).map(toRow);
    await server.toInsert(name, rows)();
  }
  const updates = ADDRESS_COLUMNS.map(
    (text) => sql`${column(text)} = joinGet(${`${database}.${name}`}, ${text}, ${KEY})`,
  );
  await server.command(
    sql`ALTER TABLE events UPDATE ${join(updates, ', ')} WHERE ${KEY} IN (SELECT key FROM ${column(`${database}.${name}`)})`,
  );
  while (await isRunning(server, name)) await Bun.sleep(POLL_MS);
  await server.command(sql`DROP TABLE ${column(name)}`);
}

function toRow({ key, columns }: Change): Record<string, unknown> {
  return { key, ...Object.fromEntries(ADDRESS_COLUMNS.map((name, index) => [name, columns[index]])) };
}

/** @throws Error with the server's reason when the statement cannot be carried out */
async function isRunning(server: EventsServer, name: string): Promise<boolean> {
  const [row] = await server.read<[reason: string]>(
    sql`SELECT latest_fail_reason FROM system.mutations
      WHERE database = currentDatabase() AND NOT is_done AND position(command, ${name}) > 0
      ORDER BY create_time LIMIT 1`,
  );
  if (row && row[0] !== '') throw new Error(`ClickHouse cannot derive stored events again: ${row[0]}`);
  return row !== undefined;
}

/** Tables of processes that were killed. */
async function dropLeftovers(server: EventsServer): Promise<void> {
  const tables = await server.read<[string]>(
    sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, ${TABLE}) ORDER BY name LIMIT 100`,
  );
  for (const [name] of tables) await server.command(sql`DROP TABLE IF EXISTS ${column(name)}`);
}
