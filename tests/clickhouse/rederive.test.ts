import { afterAll, expect, test } from 'bun:test';
import { ADDRESS_COLUMNS, derive, deriveAddress } from '../../src/analytics/clickhouse/derived.ts';
import { rederive } from '../../src/analytics/clickhouse/rederive.ts';
import { createClickHouseLog } from '../../src/log/clickhouse/event-log.ts';
import { sql } from '../../src/log/clickhouse/sql.ts';
import type { LoggedEvent } from '../../src/log/event.ts';
import { openEvents } from '../../src/storage/clickhouse.ts';
import { FIRST_DAY_MS, toNewEvent } from '../analytics/oracle/traffic.ts';
import { type ClickHouse, hasClickHouse, startClickHouse } from '../support/clickhouse.ts';

let clickHouse: ClickHouse | undefined;
afterAll(() => clickHouse?.stop());

const ADDRESSES = [
  { url: 'https://a.example/' },
  { url: "https://a.example/it's\\%20#/x", referrer: 'https://www.google.com/' },
  { url: 'https://a.example/#/pricing?utm_source=news', flags: 128 },
  { url: 'https://a.example/#/pricing?utm_source=news', flags: 0 },
  { url: 'https://a.example/?gbraid=1', referrer: 'https://docs.google.com/' },
  { url: 'https://a.example/b', referrer: 'android-app://com.google.android.gm/' },
];

test.if(hasClickHouse)('events of an earlier version are derived again, once', async () => {
  clickHouse = await startClickHouse();
  const server = await openEvents({ url: await clickHouse.createDatabase(), caFile: undefined });
  const deriveBefore = (event: LoggedEvent) => ({
    ...derive(event),
    page: '/before',
    ...(event.referrer !== null && { source: 'before', channel: 'Referral' }),
  });
  const log = createClickHouseLog({
    server,
    findLive: async (keys) => new Set(keys),
    findRunning: () => Promise.resolve(new Set()),
    derive: deriveBefore,
    isShared: false,
    now: Date.now,
  });
  const events = ADDRESSES.map((address, index) =>
    toNewEvent({ createdAtMs: FIRST_DAY_MS + index, visitorId: `v${index}`, ...address }, index),
  );
  await log.append(events);
  await rederive(server);
  const columns = { text: ADDRESS_COLUMNS.join(', ') };
  const read = () => server.read<string[]>(sql`SELECT ${columns} FROM events ORDER BY created_at_ms`);
  const expected = events.map(({ url, referrer, flags }) => deriveAddress({ url, referrer, flags }));
  expect(await read()).toEqual(expected);
  expect(await server.read(sql`SELECT version FROM derived_version`)).toEqual([[1]]);
  expect(
    await server.read(
      sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'rederived%'`,
    ),
  ).toEqual([]);

  await log.append([toNewEvent({ createdAtMs: FIRST_DAY_MS + 1_000, visitorId: 'later' }, 100)]);
  await rederive(server);
  expect((await read()).at(-1)?.[0]).toBe('/before');
  await server.close();
});
