import { afterAll, expect, test } from 'bun:test';
import { sql } from '../../src/log/clickhouse/sql.ts';
import { openEvents } from '../../src/storage/clickhouse.ts';
import { type ClickHouse, hasClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { eventFor } from '../support/event.ts';
import { createTestService } from '../support/service.ts';

let clickHouse: ClickHouse | undefined;
afterAll(() => clickHouse?.stop());

const SENDERS = 8;
const KILLS = 3;

test.if(hasClickHouse)(
  'nothing acknowledged is lost or doubled when the server is killed under load',
  async () => {
    clickHouse = await startClickHouse();
    const url = await clickHouse.createDatabase();
    const events = await openEvents({ url, caFile: undefined });
    const service = await createTestService({}, { eventsServer: events });
    const { apiKey } = await service.addUser();
    const { trackingCode } = await service.addWebsite(apiKey);
    const acknowledged = new Set<string>();
    let isOver = false;

    /** Sends the same event until it is taken, as the tracker does. */
    async function send(): Promise<void> {
      while (!isOver) {
        const id = crypto.randomUUID();
        for (let status = 503; status !== 201 && !isOver; ) {
          ({ status } = await service.send('POST', '/api/v1/events', {
            body: { ...eventFor(trackingCode), id },
          }));
          if (status === 201) acknowledged.add(id);
          else await Bun.sleep(20);
        }
      }
    }

    const sending = Array.from({ length: SENDERS }, send);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = acknowledged.size;
      while (acknowledged.size < before + 50) await Bun.sleep(10);
      await clickHouse.kill();
      await clickHouse.start();
    }
    isOver = true;
    await Promise.all(sending);
    const rows = await events.read<[id: string]>(sql`SELECT id FROM events`);
    const stored = new Set(rows.map(([id]) => id));
    expect(rows.length).toBe(stored.size);
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    // At most what was on its way when everybody stopped.
    expect(stored.size - acknowledged.size).toBeLessThanOrEqual(SENDERS);
    await service.close();
    await events.close();
  },
);
