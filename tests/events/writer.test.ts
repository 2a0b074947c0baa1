import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import Database from 'libsql';
import { eventFor } from '../support/event.ts';
import { createDataDir } from '../support/process.ts';
import { type Answer, createTestService, type TestService } from '../support/service.ts';
import { isOnClickHouse } from '../support/test-events.ts';

async function totalOf(service: TestService, token: string, trackingCode: string): Promise<number> {
  const { body } = await service.send('GET', `/api/v1/events?trackingCode=${trackingCode}`, { token });
  return (body as { pagination: { total: number } }).pagination.total;
}

describe('at the bound of the queue', () => {
  test('events are refused with 503 and Retry-After, none of them stored, and later ones are taken', async () => {
    const service = await createTestService({ ingestQueueMax: 10 });
    const { token } = await service.signUp();
    const { trackingCode } = await service.addWebsite(token);
    const batch = (count: number) =>
      service.send('POST', '/api/v1/events/batch', {
        body: { events: Array.from({ length: count }, () => eventFor(trackingCode)) },
      });
    // Which of the large ones finds the queue full, if any does, is up to the order in which their bodies are read.
    let refused: Answer | undefined;
    let stored = 0;
    while (!refused) {
      const sizes = [8, 8, 2];
      const answers = await Promise.all(sizes.map(batch));
      refused = answers.find(({ status }) => status === 503);
      answers.forEach(({ status }, index) => {
        stored += status === 201 ? (sizes[index] as number) : 0;
      });
    }
    expect(refused).toMatchObject({ body: { error: 'SERVICE_UNAVAILABLE' } });
    expect(refused?.headers.get('retry-after')).toBe('2');
    expect(refused?.headers.get('access-control-allow-origin')).toBe('*');
    expect((await batch(8)).status).toBe(201);
    expect(await totalOf(service, token, trackingCode)).toBe(stored + 8);
  });
});

// By a trigger of SQLite.
describe.skipIf(isOnClickHouse)('an event that the database refuses for a reason of its own', () => {
  let service: TestService;
  let token: string;
  let trackingCode: string;
  beforeAll(async () => {
    service = await createTestService();
    token = (await service.signUp()).token;
    ({ trackingCode } = await service.addWebsite(token));
    await service.db.run(
      sql`CREATE TRIGGER poison BEFORE INSERT ON events WHEN NEW.url LIKE '%poison%' BEGIN SELECT RAISE(ABORT, 'secret'); END`,
    );
  });

  test('a failed write is a 500 without details of the database', async () => {
    const answer = await service.send('POST', '/api/v1/events', {
      body: eventFor(trackingCode, { url: 'https://example.com/poison' }),
    });
    expect(answer).toMatchObject({
      status: 500,
      body: { error: 'INTERNAL_ERROR', message: 'Internal server error' },
    });
  });

  test('never fails its neighbours, in its own batch or in other requests', async () => {
    const urls = ['https://example.com/1', 'https://example.com/poison', 'https://example.com/3'];
    const [batch, ...singles] = await Promise.all([
      service.send('POST', '/api/v1/events/batch', {
        body: { events: urls.map((url) => eventFor(trackingCode, { url })) },
      }),
      ...Array.from({ length: 5 }, () =>
        service.send('POST', '/api/v1/events', { body: eventFor(trackingCode) }),
      ),
    ]);
    expect(batch).toMatchObject({
      status: 207,
      body: {
        eventsCreated: 2,
        errors: [{ index: 1, error: 'INTERNAL_ERROR', message: 'Internal server error' }],
      },
    });
    expect(singles.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(await totalOf(service, token, trackingCode)).toBe(7);
  });
});

describe('while another process holds the database', () => {
  const directory = createDataDir();
  const path = join(directory.path, 'pagemeter.db');
  const neighbours: Database.Database[] = [];
  let service: TestService;
  let trackingCode: string;
  let token: string;

  beforeAll(async () => {
    service = await createTestService({ database: { kind: 'file', path } });
    token = (await service.signUp()).token;
    ({ trackingCode } = await service.addWebsite(token));
  });
  afterEach(() => {
    for (const neighbour of neighbours.splice(0)) neighbour.close();
  });
  afterAll(async () => {
    await service.close();
    directory.remove();
  });

  function lock(): Database.Database {
    const neighbour = new Database(path);
    neighbours.push(neighbour);
    neighbour.exec('BEGIN IMMEDIATE');
    return neighbour;
  }

  function lockFor(durationMs: number): void {
    const neighbour = lock();
    setTimeout(() => neighbour.open && neighbour.exec('COMMIT'), durationMs);
  }

  test('events wait for it without stopping the service, and are there when they are acknowledged', async () => {
    const neighbour = lock();
    let answered = 0;
    const submitted = Promise.all(
      Array.from({ length: 20 }, async () => {
        const { status } = await service.send('POST', '/api/v1/events', { body: eventFor(trackingCode) });
        answered += 1;
        return status;
      }),
    );
    for (let turn = 0; turn < 20; turn += 1) await Bun.sleep(5); // the event loop continues
    expect(answered).toBe(0);
    neighbour.exec('COMMIT');
    expect(new Set(await submitted)).toEqual(new Set([201]));
    expect(neighbour.prepare('SELECT count(*) AS n FROM events').get()).toMatchObject({ n: 20 });
  });

  test('reading continues', async () => {
    lockFor(100);
    expect(await totalOf(service, token, trackingCode)).toBe(20);
  });

  test('changes of accounts and websites wait for it as well', async () => {
    lockFor(60);
    const { status } = await service.send('POST', '/api/v1/websites', {
      token,
      body: { name: 'Second', domain: 'https://second.example.com' },
    });
    expect(service.errors).toEqual([]);
    expect(status).toBe(201);
  });
});

test('what was accepted is written before the service closes, and nothing is taken afterwards', async () => {
  const service = await createTestService();
  const { token } = await service.signUp();
  const { trackingCode } = await service.addWebsite(token);
  const accepted = Array.from({ length: 30 }, () =>
    service.send('POST', '/api/v1/events', { body: eventFor(trackingCode) }),
  );
  await Promise.race(accepted);
  await service.writer.close();
  const answers = await Promise.all(accepted);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect((await service.send('POST', '/api/v1/events', { body: eventFor(trackingCode) })).status).toBe(503);
});
