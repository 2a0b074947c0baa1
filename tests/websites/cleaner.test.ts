import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { asc, sql } from 'drizzle-orm';
import { eventCounts, events, removals } from '../../src/db/log-schema.ts';
import { users, websites } from '../../src/db/schema.ts';
import { createCleaner } from '../../src/websites/cleaner.ts';
import { createTestService, type TestService, type User } from '../support/service.ts';

let service: TestService;
let ada: User;

beforeEach(async () => {
  service = await createTestService();
  await service.cleaner.close(); // the tests start their own
  ada = await service.addUser();
});
afterEach(() => service.close());

/** A website with so many events, and their count. */
async function addWebsite(name: string, eventCount: number) {
  const { id, trackingCode } = await service.websites.create(ada.id, {
    name,
    domain: `https://${name}.example`,
  });
  const { key = 0 } = (await service.websites.findTracked(trackingCode)) ?? {};
  if (eventCount > 0)
    await service.db.insert(events).values(
      Array.from({ length: eventCount }, (_, index) => ({
        eventId: Buffer.from(`${name}-${index}`),
        websiteKey: key,
        createdAtMs: index % 7,
        type: 0,
        url: 'https://example.com/',
        sessionId: 's',
        visitorId: 'v',
      })),
    );
  await service.db.insert(eventCounts).values({ websiteKey: key, type: 0, count: eventCount });
  return { id, key };
}

/** Remaining rows, as the key of the website and the number of its events. */
async function leftovers() {
  const rows = await service.db
    .select({
      key: websites.key,
      events: sql<number>`(select count(*) from events where website_key = websites.key)`,
    })
    .from(websites)
    .orderBy(asc(websites.key));
  const [orphans] = await service.db
    .select({ count: sql<number>`count(*)` })
    .from(events)
    .where(sql`website_key not in (select key from websites)`);
  const counts = await service.db.select({ key: eventCounts.websiteKey }).from(eventCounts);
  return { websites: rows, orphans: orphans?.count, counted: counts.map(({ key }) => key) };
}

/** A cleaner whose pauses take no time. */
function startCleaner({ stepRows = 10, stopAtPause = Number.POSITIVE_INFINITY } = {}) {
  const pauses: number[] = [];
  const errors: unknown[] = [];
  /** How often it was told that a website is gone. */
  const told: true[] = [];
  const cleaner = createCleaner({
    db: service.db,
    now: service.clock.now,
    stepRows,
    onError: (error) => errors.push(error),
    onRemoved: () => told.push(true),
    pause: async (ms) => {
      pauses.push(ms);
      if (pauses.length === stopAtPause) void cleaner.close();
    },
  });
  return { cleaner, work: cleaner.wake, pauses, errors, told };
}

describe('the removal of deleted websites', () => {
  test('removes their events, their counts and their rows, and leaves the others alone', async () => {
    const kept = await addWebsite('kept', 25);
    const gone = await addWebsite('gone', 25);
    const empty = await addWebsite('empty', 0);
    await service.websites.remove(ada.id, gone.id);
    await service.websites.remove(ada.id, empty.id);
    const { work, errors } = startCleaner();
    await work();
    expect(await leftovers()).toEqual({
      websites: [{ key: kept.key, events: 25 }],
      orphans: 0,
      counted: [kept.key],
    });
    expect(errors).toEqual([]);
  });

  test('says in the log that all of a website was removed, and tells of it', async () => {
    const { id, key } = await addWebsite('gone', 25);
    await service.websites.remove(ada.id, id);
    const { work, told } = startCleaner();
    await work();
    expect(await service.db.select().from(removals)).toMatchObject([
      { websiteKey: key, beforeDay: null, events: null },
    ]);
    expect(told).toHaveLength(1);
  });

  test.each([
    [0, 1],
    [9, 1],
    [10, 1],
    [11, 2],
    [25, 3],
  ])('takes steps of at most 10 rows with a pause after each: %d events, %d steps', async (count, steps) => {
    const { id } = await addWebsite('gone', count);
    await service.websites.remove(ada.id, id);
    const { work, pauses } = startCleaner({ stepRows: 10 });
    await work();
    expect(pauses).toHaveLength(1 + steps); // the first lets the answer to the deletion go
    expect(pauses.every((ms) => ms >= 5 && ms <= 1_000)).toBe(true);
  });

  test('does nothing when nothing was deleted', async () => {
    const { key } = await addWebsite('kept', 25);
    await startCleaner().work();
    expect((await leftovers()).websites).toEqual([{ key, events: 25 }]);
  });

  test('stops on close and resumes in the next run of the process', async () => {
    const { id, key } = await addWebsite('gone', 100);
    await service.websites.remove(ada.id, id);
    const first = startCleaner({ stepRows: 10, stopAtPause: 4 });
    await first.work();
    expect((await leftovers()).websites).toEqual([{ key, events: 70 }]);
    await first.work();
    expect((await leftovers()).websites).toEqual([{ key, events: 70 }]);
    expect(first.errors).toEqual([]);
    await startCleaner().work();
    expect(await leftovers()).toEqual({ websites: [], orphans: 0, counted: [] });
  });

  test('closes at once when it is idle or was never woken', async () => {
    await startCleaner().cleaner.close();
    const { cleaner, work } = startCleaner();
    await work();
    await cleaner.close();
  });

  test('tries a failed step again, later and later, and tells of each failure', async () => {
    const { id } = await addWebsite('gone', 25);
    await service.websites.remove(ada.id, id);
    await service.db.run(
      sql`create trigger fail before delete on events begin select raise(abort, 'not now'); end`,
    );
    const { work, errors, pauses, cleaner } = startCleaner({ stopAtPause: 8 });
    await work();
    expect(errors).toHaveLength(4);
    expect(pauses).toEqual([5, 1_000, 5, 2_000, 5, 4_000, 5, 8_000]);
    await cleaner.close();
    await service.db.run(sql`drop trigger fail`);
    await startCleaner().work();
    expect((await leftovers()).websites).toEqual([]);
  });

  test('a deletion during the work is seen by the same run', async () => {
    const first = await addWebsite('first', 25);
    const second = await addWebsite('second', 25);
    await service.websites.remove(ada.id, first.id);
    const { work, cleaner } = startCleaner();
    const working = work();
    await service.websites.remove(ada.id, second.id);
    void cleaner.wake();
    await working;
    expect((await leftovers()).websites).toEqual([]);
  });

  test('removes the websites of an account that is gone, also one that escaped its deletion', async () => {
    await addWebsite('deleted', 25);
    await service.websites.removeAllOf(ada.id);
    await addWebsite('late', 25);
    await service.db.delete(users);
    await startCleaner().work();
    expect(await leftovers()).toEqual({ websites: [], orphans: 0, counted: [] });
  });

  test('keeps the website for another round when an event arrived after the last step', async () => {
    const { id, key } = await addWebsite('gone', 5);
    await service.websites.remove(ada.id, id);
    await service.db.run(sql`create table late (n integer)`);
    await service.db.run(sql`create trigger late after delete on events when not exists (select 1 from late) begin
      insert into late values (1);
      insert into events (event_id, website_key, created_at_ms, type, url, session_id, visitor_id)
        values ('late', ${sql.raw(String(key))}, 1, 0, 'https://example.com/', 's', 'v'); end`);
    await startCleaner().work();
    expect(await leftovers()).toEqual({ websites: [], orphans: 0, counted: [] });
  });
});
