import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { asc, eq, sql } from 'drizzle-orm';
import { eventCounts, events, removals as logRemovals } from '../../src/db/log-schema.ts';
import { websites } from '../../src/db/schema.ts';
import { createCleaner } from '../../src/websites/cleaner.ts';
import { createTestService, type TestService } from '../support/service.ts';

const DAY_MS = 86_400_000;
let service: TestService;
let userId: string;
let errors: unknown[];
/** How often it was told that events were removed. */
let told: number;

beforeEach(async () => {
  service = await createTestService();
  await service.cleaner.close(); // it would remove what is asked for
  ({ id: userId } = await service.addUser());
  errors = [];
  told = 0;
});
afterEach(() => service.close());

/** A website as its owner opens it. */
async function opened(id: string) {
  const website = await service.websites.find(id);
  if (!website) throw new Error('The website is gone.');
  return { website, role: 'owner' } as const;
}

/** A website with one event at each of these instants, every other one a click. */
async function addWebsite(name: string, retentionDays: number | null, instantsMs: number[]) {
  const { id, trackingCode } = await service.websites.create(userId, {
    name,
    domain: `https://${name}.example`,
  });
  await service.websites.updateSettings(await opened(id), { retentionDays });
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

/** Removals in the log. */
function removals() {
  return service.db
    .select({ websiteKey: logRemovals.websiteKey, beforeDay: logRemovals.beforeDay })
    .from(logRemovals);
}

function startCleaner({ stepRows = 2, stopAtPause = Number.POSITIVE_INFINITY } = {}) {
  let pauses = 0;
  const cleaner = createCleaner({
    db: service.db,
    now: service.clock.now,
    onError: (error) => errors.push(error),
    stepRows,
    onRemoved: () => {
      told += 1;
    },
    pause: async () => {
      pauses += 1;
      if (pauses === stopAtPause) void cleaner.close();
    },
  });
  return { ...cleaner, pauses: () => pauses };
}

test('removes the days that are older than the website keeps, and says so in the log', async () => {
  const todayMs = Math.floor(service.clock.now() / DAY_MS) * DAY_MS;
  const cutoffMs = todayMs - 7 * DAY_MS;
  const old = [cutoffMs - 9 * DAY_MS, cutoffMs - DAY_MS, cutoffMs - 2, cutoffMs - 1];
  const kept = [cutoffMs, cutoffMs + 1, service.clock.now()];
  const week = await addWebsite('week', 7, [...old, ...kept]);
  const always = await addWebsite('always', null, old);
  const cleaner = startCleaner();
  await cleaner.wake();
  expect(await left(week.key)).toEqual({ instants: kept, counts: [2, 1] });
  expect(await left(always.key)).toEqual({ instants: old, counts: [2, 2] });
  expect(await removals()).toEqual([{ websiteKey: week.key, beforeDay: cutoffMs / DAY_MS }]);
  expect(told).toBe(1);
  expect(cleaner.pauses()).toBe(3); // before, and after each of two steps
  expect(errors).toEqual([]);
});

test('logs nothing when no event is too old', async () => {
  await addWebsite('week', 7, [service.clock.now()]);
  await startCleaner().wake();
  expect(await removals()).toEqual([]);
  expect(told).toBe(0);
});

test('resumes where a run was cut off, and says what was removed once all of it is gone', async () => {
  const { key } = await addWebsite('week', 1, [0, 1, 2, 3, 4]);
  const cut = startCleaner({ stopAtPause: 2 });
  await cut.wake();
  expect((await left(key)).instants).toEqual([2, 3, 4]);
  expect({ removals: await removals(), told }).toEqual({ removals: [], told: 0 });
  await startCleaner().wake();
  expect(await left(key)).toEqual({ instants: [], counts: [0, 0] });
  expect({ removals: (await removals()).length, told }).toEqual({ removals: 1, told: 1 });
  expect(errors).toEqual([]);
});

test('reports a failed step, tries it again, and logs no removal', async () => {
  const { key } = await addWebsite('week', 1, [0, 1]);
  await service.db.run(
    sql`create trigger fail before delete on events begin select raise(abort, 'not now'); end`,
  );
  await startCleaner({ stopAtPause: 4 }).wake();
  expect((await left(key)).instants).toEqual([0, 1]);
  expect({ errors: errors.length, removals: await removals(), told }).toEqual({
    errors: 2,
    removals: [],
    told: 0,
  });
});

test('two runs at once are one', async () => {
  await addWebsite('week', 1, [0, 1]);
  const { wake } = startCleaner();
  await Promise.all([wake(), wake()]);
  expect({ removals: (await removals()).length, told }).toEqual({ removals: 1, told: 1 });
});

test('removes nothing of a website that keeps everything since', async () => {
  const first = await addWebsite('first', 1, [0, 1, 2, 3]);
  const second = await addWebsite('second', 1, [0, 1]);
  let isChanged = false;
  const cleaner = createCleaner({
    db: service.db,
    now: service.clock.now,
    stepRows: 2,
    onError: (error) => errors.push(error),
    async pause() {
      if (isChanged || (await left(first.key)).instants.length === 4) return;
      isChanged = true; // between two steps of the first one
      await service.websites.updateSettings(await opened(second.id), { retentionDays: null });
    },
  });
  await cleaner.wake();
  expect((await left(first.key)).instants).toEqual([]);
  expect((await left(second.key)).instants).toEqual([0, 1]);
  expect({ isChanged, errors }).toEqual({ isChanged: true, errors: [] });
});

describe('with deleted websites', () => {
  /** Removing the old events of this website fails. */
  const failOn = (key: number) =>
    service.db.run(sql`create trigger fail before delete on events when old.website_key = ${sql.raw(String(key))}
      begin select raise(abort, 'not now'); end`);
  const isLeft = async (key: number) =>
    (await service.db.select().from(websites).where(eq(websites.key, key))).length > 0;

  test('waits for them', async () => {
    const old = await addWebsite('old', 1, [0, 1]);
    const deleted = await addWebsite('deleted', 1, [0, 1]);
    await service.websites.remove(userId, deleted.id);
    await startCleaner().wake();
    expect(await removals()).toEqual([
      { websiteKey: deleted.key, beforeDay: null },
      { websiteKey: old.key, beforeDay: expect.any(Number) },
    ]);
  });

  test('continues when one of them cannot be removed', async () => {
    const old = await addWebsite('old', 1, [0, 1]);
    const deleted = await addWebsite('deleted', 1, [0, 1]);
    await service.websites.remove(userId, deleted.id);
    await failOn(deleted.key);
    await startCleaner({ stopAtPause: 3 }).wake();
    expect((await left(old.key)).instants).toEqual([]);
    expect((await left(deleted.key)).instants).toEqual([0, 1]);
  });

  test('delays none of them when it fails', async () => {
    const old = await addWebsite('old', 1, [0, 1]);
    const deleted = await addWebsite('deleted', 1, [0, 1]);
    await failOn(old.key);
    const cleaner = createCleaner({
      db: service.db,
      now: service.clock.now,
      onError: (error) => errors.push(error),
      // A retry waits until the signal is given.
      pause: (ms, signal) =>
        ms < 1_000 || signal.aborted
          ? Promise.resolve()
          : new Promise((resolve) => signal.addEventListener('abort', resolve)),
    });
    void cleaner.wake();
    while (errors.length < 1) await Bun.sleep(1);
    await service.websites.remove(userId, deleted.id);
    void cleaner.wake();
    while (await isLeft(deleted.key)) await Bun.sleep(1);
    await cleaner.close();
    expect((await left(old.key)).instants).toEqual([0, 1]);
  });
});
