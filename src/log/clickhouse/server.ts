import { readFileSync } from 'node:fs';
import type { ClickHouseClient } from '@clickhouse/client';
import { ConfigError } from '../../settings/config.ts';
import type { EventsTarget } from '../../settings/events.ts';
import { MINUTE_MS } from '../../vocabulary/durations.ts';
import type { Sql } from './sql.ts';

/** A connection to the server that keeps the events. */
export type EventsServer = {
  /**
   * Returns the server's version. Sent without settings: an unknown one would fail before an old server reports its
   * version.
   */
  version(): Promise<string>;
  /** The rows of a SELECT: 64-bit integers are numbers. */
  read<Row extends readonly unknown[]>(query: Sql, patienceMs?: number): Promise<Row[]>;
  command(query: Sql): Promise<void>;
  /**
   * Makes rows ready to be sent, as often as it takes: the server takes them once.
   *
   * @returns sends them, and resolves after the server has all of the rows, or none: they are one block
   */
  toInsert(table: string, rows: readonly Record<string, unknown>[]): () => Promise<void>;
  close(): Promise<void>;
};

/** A server that takes the connection and then is silent would be waited for without end. A question may take its time. */
const PATIENCE_MS = MINUTE_MS;
/** Timeout of senders of events. */
export const INGEST_PATIENCE_MS = 10_000;
const CONNECTIONS_MAX = 10;

/** Sent with each statement. A server refuses one that it does not know. */
export const SETTINGS = {
  output_format_json_quote_64bit_integers: 0,
  /** The contract bounds a question, not the server: 200 goals of 64 KB each, 12 steps of 100 segments each. */
  max_query_size: '67108864',
  max_ast_elements: '10000000',
  max_expanded_ast_elements: '10000000',
  max_parser_backtracks: '100000000',
  /** The size of an answer that is grouped; beyond it the server works on its disk. */
  max_bytes_before_external_group_by: '4294967296',
  /** Stops queries whose client no longer waits for the result. */
  cancel_http_readonly_queries_on_client_close: 1,
  /** All events of one insert become visible together. */
  async_insert: 0,
  /**
   * Cutting an insert of a few MB for several threads takes longer than reading it: 9.6 against 7.5 microseconds an
   * event.
   */
  input_format_parallel_parsing: 0,
} as const;

/** Its client is loaded only when it is needed: most do without. */
export async function connectEventsServer({ url, caFile }: EventsTarget): Promise<EventsServer> {
  const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client');
  const client = createClient({
    url,
    application: 'pagemeter',
    request_timeout: PATIENCE_MS,
    max_open_connections: CONNECTIONS_MAX,
    ...(caFile !== undefined && { tls: { ca_cert: readCertificates(caFile) } }),
    log: { level: ClickHouseLogLevel.OFF },
  });
  return {
    version: () =>
      orRefusal(async () => {
        const answer = await client.query({ query: 'SELECT version()', format: 'TabSeparated' });
        return (await answer.text()).trim();
      }),
    read: (query, patienceMs = PATIENCE_MS) => orRefusal(() => readRows(client, query, patienceMs)),
    command: ({ text }) =>
      orRefusal(async () => void (await client.command({ query: text, clickhouse_settings: SETTINGS }))),
    toInsert(table, rows) {
      const columns = Object.keys(rows[0] ?? {}).join(', ');
      const lines = rows.map((row) => JSON.stringify(Object.values(row))).join('\n');
      const statement = {
        query: `INSERT INTO ${table} (${columns}) FORMAT JSONCompactEachRow\n${lines}`,
        clickhouse_settings: { ...SETTINGS, insert_deduplication_token: crypto.randomUUID() },
      };
      return () =>
        orRefusal(
          async () =>
            void (await client.command({
              ...statement,
              abort_signal: AbortSignal.timeout(INGEST_PATIENCE_MS),
            })),
        );
    },
    close: () => client.close(),
  };
}

function readCertificates(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // of the file system
    throw new ConfigError([`EVENTS_CA_FILE ${file} cannot be read: ${code}.`]);
  }
}

async function readRows<Row>(client: ClickHouseClient, { text }: Sql, patienceMs: number): Promise<Row[]> {
  const answer = await client.query({
    query: text,
    format: 'JSONCompactEachRow',
    clickhouse_settings: SETTINGS,
    abort_signal: AbortSignal.timeout(patienceMs),
  });
  return answer.json<Row>();
}

/**
 * Numbers of temporary errors: too slow, read-only, too many queries, rows, bytes or mutations, network, memory, no space,
 * too many parts, no replica, a cancelled query, access, a missing table or database, its disk, a quota, too much load.
 */
const REFUSALS = new Set(
  [
    '60 74 75 76 81 158 159 160 164 173 201 202 203 209 210 225 236 241 242 243 252 279 285 307 319 364 394 396',
    '425 439 497 516 571 692 700 733 735 745 749 762 774 776 777 778 999 1000 1001 1002',
  ].flatMap((line) => line.split(' ')),
);

/** In a form that `isDatabaseRefusal` knows. What is our own bug is thrown as it is. */
async function orRefusal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = serverCode(error);
    if (code !== undefined && !REFUSALS.has(code)) throw error;
    throw Object.assign(new Error('The server of the events refuses.', { cause: error }), {
      code: 'SERVER_ERROR',
    });
  }
}

/** Returns the number of a server error as text; undefined for other errors. */
export function serverCode(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return error instanceof Error && typeof code === 'string' && /^\d+$/.test(code) ? code : undefined;
}
