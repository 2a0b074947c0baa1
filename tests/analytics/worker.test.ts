import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTermStore, Dictionary } from '../../src/analytics/embedded/dictionary/dictionary.ts';
import { openAnalytics } from '../../src/analytics/embedded/open.ts';
import { openLocalDatabase } from '../../src/db/local-database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { followLocal } from '../../src/log/follower.ts';
import { createLocalLog } from '../../src/log/local-log.ts';
import { all, MINUTE_MS, toEvent } from './support.ts';

const directory = mkdtempSync(join(tmpdir(), 'pagemeter-analytics-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('the engine of a file', () => {
  test('answers from its own thread, closes when asked, and resumes from what it wrote', async () => {
    const target = { kind: 'file' as const, path: join(directory, 'test.db') };
    const { local, close } = await openDatabase(target, 'normal');
    if (!local) throw new Error('A file is local.');
    local.exec(
      `INSERT INTO websites (key, id, name, domain, domain_key, description, tracking_code, created_at_ms, updated_at_ms)
       VALUES (1, 'w', 'w', 'https://w.example', 'w', '', 'pm-1', 0, 0)`,
    );
    const log = createLocalLog(local);
    const errors: unknown[] = [];
    const analytics = openAnalytics({ target, local, dataDir: '', onError: (error) => errors.push(error) });
    log.append([toEvent({ at: 0 })]);
    expect(await analytics.query(all())).toMatchObject({ totals: { events: 1 } });
    log.append([toEvent({ at: MINUTE_MS })]);
    expect(await analytics.query(all())).toMatchObject({ totals: { events: 2, visits: 1 } });
    await analytics.close();
    expect(analytics.catchUp()).rejects.toThrow('closed');
    expect(local.prepare('SELECT taken_until FROM website_states').raw().all()).toEqual([[2]]); // all is written

    const again = openAnalytics({ target, local, dataDir: '', onError: (error) => errors.push(error) });
    expect(await again.query(all())).toMatchObject({ totals: { events: 2, visits: 1 } });
    await again.close();
    expect(errors).toEqual([]);
    close();
  });

  test('finishes an erasure that was cut off, at once and without a query', async () => {
    const target = { kind: 'file' as const, path: join(directory, 'cut-off.db') };
    const { local, close } = await openDatabase(target, 'normal');
    if (!local) throw new Error('A file is local.');
    local.exec(
      `INSERT INTO websites (key, id, name, domain, domain_key, description, tracking_code, created_at_ms, updated_at_ms)
       VALUES (1, 'w', 'w', 'https://w.example', 'w', '', 'pm-1', 0, 0)`,
    );
    createLocalLog(local).append([toEvent({ at: 0 }), toEvent({ at: MINUTE_MS })]);
    await followLocal(local).orderErasure(1, [1]);
    const errors: unknown[] = [];
    const analytics = openAnalytics({ target, local, dataDir: '', onError: (error) => errors.push(error) });
    while (local.prepare('SELECT key FROM events').all([]).length > 1) await Bun.sleep(20);
    await analytics.close();
    expect(errors).toEqual([]);
    close();
  });

  test('derives segments of an earlier version again after the start, without a question', async () => {
    const target = { kind: 'file' as const, path: join(directory, 'upgraded.db') };
    const { local, close } = await openDatabase(target, 'normal');
    if (!local) throw new Error('A file is local.');
    local.exec(
      `INSERT INTO websites (key, id, name, domain, domain_key, description, tracking_code, created_at_ms, updated_at_ms)
       VALUES (1, 'w', 'w', 'https://w.example', 'w', '', 'pm-1', 0, 0)`,
    );
    createLocalLog(local).append([toEvent({ at: 0 })]);
    const errors: unknown[] = [];
    const open = () => openAnalytics({ target, local, dataDir: '', onError: (error) => errors.push(error) });
    const before = open();
    await before.query(all());
    await before.close();
    const format = local.prepare("SELECT value FROM analytics_state WHERE name = 'format'").raw();
    const [current] = format.all([]);
    local.exec("UPDATE analytics_state SET value = value - 1 WHERE name = 'format'");
    const after = open();
    while (format.all([]).join() !== `${current}`) await Bun.sleep(20);
    expect(await after.query(all())).toMatchObject({ totals: { events: 1 } });
    await after.close();
    expect(errors).toEqual([]);
    close();
  });

  test('reads what others store after a reader of texts has thrown', async () => {
    const path = join(directory, 'thrown.db');
    const { local, close } = await openDatabase({ kind: 'file', path }, 'normal');
    if (!local) throw new Error('A file is local.');
    const other = openLocalDatabase(path, 'normal');
    const store = createTermStore(local);
    const insert = (code: number) =>
      other.exec(
        `INSERT INTO terms (scope, code, day, since_key, text) VALUES (1, ${code}, 1, 1, 't${code}')`,
      );
    other.exec('BEGIN');
    for (let code = 1; code <= 3_000; code += 1) insert(code);
    other.exec('COMMIT');
    const dictionary = new Dictionary(store, 1, { newTextsADay: 100_000, cachedBytesMax: 1024 * 1024 });
    expect(() =>
      dictionary.each(() => {
        throw new Error('given up');
      }),
    ).toThrow('given up');
    insert(3_001);
    expect(store.last(1)).toBe(3_001);
    expect([...store.all(1)].length).toBe(3_001);
    other.close();
    close();
  });
});
