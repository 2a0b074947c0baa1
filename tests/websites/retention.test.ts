import { afterEach, beforeEach, expect, test } from 'bun:test';
import { asc, eq } from 'drizzle-orm';
import { eventCounts, events } from '../../src/db/schema.ts';
import { createRetention } from '../../src/websites/retention.ts';
import { createTestService, type TestService } from '../support/service.ts';

const DAY_MS = 86_400_000;
let service: TestService;
let userId: string;
let errors: unknown[];
let forgotten: object[];

beforeEach(async () => {
  service = await createTestService();
  await service.purger.close(); // it would remove what is asked for
  ({ id: userId } = await service.addUser());
  errors = [];
  forgotten = [];
});
afterEach(() => service.close());

/** A website with one event at each of these instants, every other one a click. */
async function addWebsite(name: string, retentionDays: number | null, instantsMs: number[]) {
  const { id, trackingCode } = await service.websites.create(userId, {
    name,
    domain: `https://${name}.example`,
  });
  await service.websites.updateSettings(userId, id, { retentionDays });
  const { key = 0 } = (await service.websites.findTracked(trackingCode)) ?? {};
  const rows = instantsMs.map((createdAtMs, index) => ({
    eventId: Buffer.from(`${name}-${index}`),
    websiteKey: key,
    createdAtMs,
    type: index % 2,
    url: 'https://example.com/',
    sessionId: 's',
    visitorId: 'v',
  }));
  await service.db.insert(events).values(rows);
  for (const type of [0, 1])
    await service.db
      .insert(eventCounts)
      .values({ websiteKey: key, type, count: rows.filter((row) => row.type === type).length });
  return { id, key };
}

async function left(websiteKey: number) {
  const rows = await service.db
    .select({ atMs: events.createdAtMs })
    .from(events)
    .where(eq(events.websiteKey, websiteKey))
    .orderBy(asc(events.createdAtMs));
  const counts = await service.db
    .select({ count: eventCounts.count })
    .from(eventCounts)
    .where(eq(eventCounts.websiteKey, websiteKey))
    .orderBy(asc(eventCounts.type));
  return { instants: rows.map(({ atMs }) => atMs), counts: counts.map(({ count }) => count) };
}

function startRetention({ stepRows = 2, failAtForget = false, stopAtPause = Number.POSITIVE_INFINITY } = {}) {
  let pauses = 0;
  const retention = createRetention({
    db: service.db,
    now: service.clock.now,
    onError: (error) => errors.push(error),
    stepRows,
    forget: async (request) => {
      if (failAtForget) throw new Error('ours');
      forgotten.push(request);
    },
    pause: async () => {
      pauses += 1;
      if (pauses === stopAtPause) void retention.close();
    },
  });
  return { ...retention, pauses: () => pauses };
}

test('removes the days that are older than the website keeps, and tells the analytics first', async () => {
  const todayMs = Math.floor(service.clock.now() / DAY_MS) * DAY_MS;
  const cutoffMs = todayMs - 7 * DAY_MS;
  const old = [cutoffMs - 9 * DAY_MS, cutoffMs - DAY_MS, cutoffMs - 2, cutoffMs - 1];
  const kept = [cutoffMs, cutoffMs + 1, service.clock.now()];
  const week = await addWebsite('week', 7, [...old, ...kept]);
  const always = await addWebsite('always', null, old);
  const retention = startRetention();
  await retention.run();
  expect(await left(week.key)).toEqual({ instants: kept, counts: [2, 1] });
  expect(await left(always.key)).toEqual({ instants: old, counts: [2, 2] });
  expect(forgotten).toEqual([{ websiteKey: week.key, beforeMs: cutoffMs }]);
  expect(retention.pauses()).toBe(2); // steps of two
  expect(errors).toEqual([]);
});

test('asks nothing of the analytics when nothing is too old', async () => {
  await addWebsite('week', 7, [service.clock.now()]);
  await startRetention().run();
  expect(forgotten).toEqual([]);
});

test('goes on where a run was cut off, and says again what is to be forgotten', async () => {
  const { key } = await addWebsite('week', 1, [0, 1, 2, 3, 4]);
  const cut = startRetention({ stopAtPause: 1 });
  await cut.run();
  expect((await left(key)).instants).toEqual([2, 3, 4]);
  await startRetention().run();
  expect(await left(key)).toEqual({ instants: [], counts: [0, 0] });
  expect(forgotten).toHaveLength(2);
  expect(errors).toEqual([]);
});

test('removes nothing when the analytics fails, and tells of it', async () => {
  const { key } = await addWebsite('week', 1, [0, 1]);
  await startRetention({ failAtForget: true }).run();
  expect((await left(key)).instants).toEqual([0, 1]);
  expect(errors).toMatchObject([{ message: 'ours' }]);
});

test('two runs at once are one', async () => {
  await addWebsite('week', 1, [0, 1]);
  const { run } = startRetention();
  await Promise.all([run(), run()]);
  expect(forgotten).toHaveLength(1);
});

test('leaves deleted websites to the purger', async () => {
  const { id, key } = await addWebsite('week', 1, [0, 1]);
  await service.websites.remove(userId, id);
  await startRetention().run();
  expect((await left(key)).instants).toEqual([0, 1]);
});
