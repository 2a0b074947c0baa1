import { describe, expect, test } from 'bun:test';
import { scopeOf } from '../../src/analytics/embedded/dictionary/website-dictionaries.ts';
import type { Filter } from '../../src/analytics/interface/selection.ts';
import type { LocalDatabase } from '../../src/db/local-database.ts';
import { all, createTestLog, DAY_MS, type Given, HOUR_MS, MINUTE_MS, totalsOf, WEBSITE } from './support.ts';

const ON_SECRET: Filter = { op: 'match', dimension: 'entryPage', operator: 'is', values: ['/secret'] };
const SELECTED = { ...all(), traffic: 'all' as const, filter: ON_SECRET, eventsMax: 1_000 };

/** Two visits that began on the secret page, one of them across midnight, among others. */
const EVENTS: Given[] = [
  { at: HOUR_MS, visitorId: 'v1', path: '/secret' },
  { at: HOUR_MS + MINUTE_MS, visitorId: 'v1', path: '/shared' },
  { at: DAY_MS - MINUTE_MS, visitorId: 'v2', path: '/secret' },
  { at: DAY_MS + MINUTE_MS, visitorId: 'v2', path: '/only-theirs', properties: '{"name":"theirs"}' },
  { at: HOUR_MS, visitorId: 'v3', path: '/shared' },
  { at: 3 * HOUR_MS, visitorId: 'v1', path: '/kept' },
  { at: DAY_MS + HOUR_MS, visitorId: 'v3', path: '/kept' },
  { at: HOUR_MS, visitorId: 'v1', path: '/secret', website: 2 },
];

describe('erasing what a filter selects', () => {
  test('takes whole visits when the filter is on visits, and nothing of other websites', async () => {
    const { add, engine, close } = await createTestLog();
    add(...EVENTS);
    const analytics = engine();
    expect(await totalsOf(analytics, SELECTED)).toMatchObject({ events: 4, visits: 2, visitors: 2 });
    expect(await analytics.eraseSelected(SELECTED)).toEqual({ events: 4, isErased: true });
    expect(await totalsOf(analytics, SELECTED)).toMatchObject({ events: 0 });
    expect(await totalsOf(analytics)).toMatchObject({ events: 3, visits: 3, visitors: 2 });
    expect(await totalsOf(analytics, { websiteKey: 2 })).toMatchObject({ events: 1 });
    close();
  });

  test('takes nothing when there is more than the bound', async () => {
    const { add, engine, close } = await createTestLog();
    add(...EVENTS);
    const analytics = engine();
    expect(await analytics.eraseSelected({ ...SELECTED, eventsMax: 3 })).toEqual({
      events: 4,
      isErased: false,
    });
    expect(await totalsOf(analytics)).toMatchObject({ events: 7 });
    close();
  });

  test('leaves no text and no visitor behind that only the erased events had', async () => {
    const { add, engine, database, close } = await createTestLog();
    add(...EVENTS);
    const analytics = engine();
    await analytics.eraseSelected(SELECTED);
    expect(texts(database)).toEqual(['/kept', '/shared', 'example.com']);
    expect(visitors(database)).toEqual(['v1', 'v3']);
    // Numbers that were given back are not mixed up with new ones.
    add({ at: 5 * HOUR_MS, visitorId: 'v4', path: '/new' });
    const pages = await analytics.pages({ ...all(), limit: 10, offset: 0 });
    expect(pages.rows.map(({ value }) => value).sort()).toEqual(['/kept', '/new', '/shared']);
    close();
  });

  test('an erasure resumes after a crash at any moment once its events are decided, and has not begun before', async () => {
    const outcomes = new Set<number>();
    for (let transaction = 1; ; transaction += 1) {
      const { add, engine, database, close } = await createTestLog();
      add(...EVENTS);
      const dying = engine();
      const revive = dieAt(database, transaction);
      const result = await dying.eraseSelected(SELECTED).catch((error: Error) => error.message);
      revive();
      const next = engine();
      const left = (await totalsOf(next))?.events ?? -1;
      await next.follow();
      await next.close();
      expect([3, 7]).toContain(left);
      expect(countEvents(database)).toBe(left + 1); // and the other website's
      expect(sumCounts(database)).toBe(left + 1);
      if (left === 3) expect(visitors(database)).toEqual(['v1', 'v3']);
      const rebuilt = engine();
      await rebuilt.rebuild();
      expect((await totalsOf(rebuilt))?.events).toBe(left);
      outcomes.add(left);
      close();
      if (typeof result !== 'string') break;
      expect(result).toBe('killed');
    }
    expect(outcomes).toEqual(new Set([7, 3]));
  }, 60_000);

  test('is finished before the next answer when the database failed in the middle', async () => {
    const { add, engine, database, close } = await createTestLog();
    add(...EVENTS);
    const analytics = engine();
    await analytics.catchUp();
    await analytics.close(); // everything is written: what follows are the erasing's own transactions
    const revive = dieAt(database, 4);
    await expect(analytics.eraseSelected(SELECTED)).rejects.toThrow('killed');
    revive();
    expect(await totalsOf(analytics)).toMatchObject({ events: 3 });
    expect(countEvents(database)).toBe(4);
    close();
  });
});

test('a visitor whose removal failed in the middle does not come back with later events', async () => {
  for (let transaction = 1; ; transaction += 1) {
    const { add, engine, database, close } = await createTestLog();
    add({ at: 0, visitorId: 'gone' }, { at: 1, path: '/kept' }, { at: DAY_MS, visitorId: 'gone' });
    const analytics = engine();
    await totalsOf(analytics); // its days are open
    const revive = dieAt(database, transaction);
    const removal = analytics.eraseVisitor({ websiteKey: WEBSITE, visitorId: 'gone' });
    const failure = await removal.then(() => undefined).catch((error: Error) => error.message);
    revive();
    add({ at: 2, path: '/later' }, { at: DAY_MS + 1, path: '/later' });
    expect(await totalsOf(analytics)).toMatchObject({ events: countEvents(database) });
    await analytics.close();
    expect(await totalsOf(engine())).toMatchObject({ events: countEvents(database) });
    close();
    if (failure === undefined) break;
    expect(failure).toBe('killed');
  }
});

/** The transaction of this number and all that follow fail, as if the process were gone. */
function dieAt(database: LocalDatabase, transaction: number): () => void {
  const exec = database.exec.bind(database);
  let begun = 0;
  database.exec = (sql: string) => {
    if (sql === 'BEGIN IMMEDIATE') begun += 1;
    if (begun >= transaction) throw new Error('killed');
    return exec(sql);
  };
  return () => {
    database.exec = exec;
  };
}

function texts(database: LocalDatabase): string[] {
  const scopes = (['page', 'hostname', 'event'] as const).map((name) => scopeOf(WEBSITE, name));
  const rows = database.prepare('SELECT text FROM terms WHERE scope IN (?, ?, ?) ORDER BY text').all(scopes);
  return (rows as { text: string }[]).map(({ text }) => text);
}
function visitors(database: LocalDatabase): string[] {
  const rows = database
    .prepare('SELECT visitor_id AS id FROM visitors WHERE website_key = ? ORDER BY id')
    .all([WEBSITE]);
  return (rows as { id: string }[]).map(({ id }) => id);
}
function countEvents(database: LocalDatabase): number {
  return (database.prepare('SELECT key FROM events').all([]) as unknown[]).length;
}
function sumCounts(database: LocalDatabase): number {
  const rows = database.prepare('SELECT count FROM event_counts').all([]) as { count: number }[];
  return rows.reduce((sum, { count }) => sum + count, 0);
}
