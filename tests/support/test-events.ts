import type { EventsServer } from '../../src/log/clickhouse/server.ts';
import { openEvents } from '../../src/storage/clickhouse.ts';

/**
 * The ClickHouse server that keeps the events of the tests instead of the database; set by tests/clickhouse/contract, whose
 * server it is.
 */
const address = process.env.TEST_CLICKHOUSE;

export const isOnClickHouse = address !== undefined;

/** A database that nothing was stored in yet. */
export async function openTestEvents(): Promise<EventsServer | undefined> {
  if (!address) return undefined;
  const name = `t${crypto.randomUUID().replaceAll('-', '')}`;
  const response = await fetch(address, { method: 'POST', body: `CREATE DATABASE ${name}` });
  if (!response.ok) throw new Error(await response.text());
  return openEvents({ url: `${address}/${name}`, caFile: undefined });
}
