import { afterAll, expect, test } from 'bun:test';
import { derive } from '../../src/analytics/clickhouse/derived.ts';
import { createClickHouseLog } from '../../src/log/clickhouse/event-log.ts';
import { sql } from '../../src/log/clickhouse/sql.ts';
import { openEvents } from '../../src/storage/clickhouse.ts';
import { FIRST_DAY_MS, toNewEvent } from '../analytics/oracle/traffic.ts';
import { type ClickHouse, hasClickHouse, startClickHouse } from '../support/clickhouse.ts';

const EVENTS = 40;

let clickHouse: ClickHouse | undefined;
afterAll(() => clickHouse?.stop());

test.if(hasClickHouse)(
  'events that are appended while the same ones are being stored are stored once',
  async () => {
    clickHouse = await startClickHouse();
    const server = await openEvents({ url: await clickHouse.createDatabase(), caFile: undefined });
    const log = createClickHouseLog({
      server,
      findLive: async (keys) => new Set(keys),
      findRunning: () => Promise.resolve(new Set()),
      derive,
      isShared: false,
      now: Date.now,
    });
    const events = Array.from({ length: EVENTS }, (_, index) =>
      toNewEvent({ createdAtMs: FIRST_DAY_MS, visitorId: 'v' }, index),
    );
    // Each but the first and the last ones four times.
    const groups = Array.from({ length: EVENTS - 3 }, (_, first) => events.slice(first, first + 4));
    const answers = await Promise.all(groups.map(log.append));
    expect(new Set(answers.flat().map(({ kind }) => kind))).toEqual(new Set(['stored']));
    const rows = await server.read<[id: string]>(sql`SELECT id FROM events ORDER BY key`);
    expect(rows.map(([id]) => id)).toEqual(events.map(({ id }) => id));
    await server.close();
  },
);
