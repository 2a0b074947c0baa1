import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import Database from 'libsql';
import type { LastBackup } from '../../src/operations/health.ts';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
const cleanups: (() => void)[] = [];
afterEach(async () => {
  await service.close();
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function onFile(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'pagemeter-health-'));
  cleanups.push(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'pagemeter.db');
  service = await createTestService({ database: { kind: 'file', path } }, LOOKING);
  return path;
}

/** Who may see the details. */
const LOOKING = { metricsToken: 'look-inside' };
const health = () => service.send('GET', '/api/health', { token: LOOKING.metricsToken });
const submit = (code: string) =>
  service.send('POST', '/api/v1/events', {
    body: eventFor(code, { properties: { text: 'x'.repeat(4_000) } }),
  });

/** Asks again until it is so: the file is looked at twice a second. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20);
}

describe('GET /api/health', () => {
  test('tells strangers the status alone', async () => {
    service = await createTestService({}, LOOKING);
    const ask = (token?: string) => service.send('GET', '/api/health', token === undefined ? {} : { token });
    expect((await ask()).body).toEqual({ status: 'ok' });
    expect((await ask('wrong')).body).toEqual({ status: 'ok' });
    expect((await ask(LOOKING.metricsToken)).body).toMatchObject({ status: 'ok', reasons: [], checks: {} });
    service.condition.isStopping = true;
    expect((await ask()).body).toEqual({
      error: 'SERVICE_UNAVAILABLE',
      message: 'The service is not ready',
      status: 'unavailable',
    });
  });

  test('is degraded, with a warning, when the engine stops following the log', async () => {
    const warnings: string[] = [];
    service = await createTestService({}, { ...LOOKING, onWarning: (message) => warnings.push(message) });
    const { apiKey } = await service.addUser();
    const { trackingCode } = await service.addWebsite(apiKey);
    await service.statistics.check();
    await submit(trackingCode);
    await service.analytics.catchUp();
    service.analytics.readUntil = async () => 0; // an engine whose view of the log is frozen
    await service.statistics.check();
    expect((await health()).body).toMatchObject({ status: 'ok' });
    await service.statistics.check();
    expect((await health()).body).toMatchObject({
      status: 'degraded',
      reasons: ['The statistics do not follow the events'],
      checks: { statistics: { ok: false } },
    });
    expect(warnings).toEqual([expect.stringContaining('the statistics do not follow the events')]);
  });

  test('says that all is well, and what it looked at', async () => {
    await onFile();
    const { status, body } = await health();
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'ok',
        reasons: [],
        checks: {
          database: { ok: true, latencyMs: expect.any(Number) },
          ingest: { ok: true, queued: 0, queueMax: 20_000 },
          disk: { ok: true, freeBytes: expect.any(Number) },
          statistics: { ok: true, eventsBehind: 0, secondsBehind: 0 },
        },
      },
    });
  });

  test('answers HEAD with the same status and no body', async () => {
    service = await createTestService({}, LOOKING);
    expect(await service.send('HEAD', '/api/health')).toMatchObject({ status: 200, text: '' });
    service.condition.isStopping = true;
    expect(await service.send('HEAD', '/api/health')).toMatchObject({ status: 503, text: '' });
  });

  test('is 503 with the error body while the service stops, which still answers', async () => {
    service = await createTestService({}, LOOKING);
    service.condition.isStopping = true;
    expect(await health()).toMatchObject({
      status: 503,
      body: {
        error: 'SERVICE_UNAVAILABLE',
        message: 'The service is stopping',
        status: 'unavailable',
        reasons: ['The service is stopping'],
      },
    });
    expect((await service.send('GET', '/api/ping')).status).toBe(200);
  });

  test('counts events that no segment holds yet, and says how old the first of them is', async () => {
    await onFile();
    const { trackingCode } = await service.addWebsite((await service.addUser()).apiKey);
    const statistics = async () => (await health()).body.checks.statistics;
    for (let count = 0; count < 3; count += 1) {
      await submit(trackingCode);
      service.clock.advance(1_500);
    }
    expect(await statistics()).toEqual({ ok: true, eventsBehind: 3, secondsBehind: 4 });
    service.clock.set(service.clock.now() - 60_000); // the clock is put right
    expect(await statistics()).toEqual({ ok: true, eventsBehind: 3, secondsBehind: 0 });
  });

  test('has nothing behind once the segments are written', async () => {
    const path = await onFile();
    const { trackingCode } = await service.addWebsite((await service.addUser()).apiKey);
    await submit(trackingCode);
    service.clock.advance(3_600_000);
    expect((await health()).body.checks.statistics).toMatchObject({ secondsBehind: 3_600 });
    await service.analytics.catchUp(); // reads the log
    await service.close(); // writes what was read
    service = await createTestService({ database: { kind: 'file', path } }, LOOKING);
    expect((await health()).body.checks.statistics).toEqual({ ok: true, eventsBehind: 0, secondsBehind: 0 });
  });

  test('is 503 when the database cannot be written, and asks again after two seconds', async () => {
    const path = await onFile();
    const neighbour = new Database(path);
    neighbour.exec('BEGIN IMMEDIATE');
    const refused = await health();
    neighbour.exec('ROLLBACK');
    neighbour.close();
    expect(refused).toMatchObject({
      status: 503,
      body: { reasons: ['The database does not work: it refuses to be written: SQLITE_BUSY'] },
    });
    expect((await health()).status).toBe(503); // not asked again yet
    service.clock.advance(2_000);
    expect((await health()).status).toBe(200);
  });

  test('is 503 after the database refused events, though the check may write, for ten seconds or until it takes some', async () => {
    await onFile();
    const { trackingCode } = await service.addWebsite((await service.addUser()).apiKey);
    // As on a full disk: what is there may be written again, and nothing can be added.
    await service.db.run(sql`PRAGMA max_page_count = 1`);
    await until(async () => (await submit(trackingCode)).status === 503);
    const refused = await health();
    expect(refused).toMatchObject({
      status: 503,
      body: {
        reasons: ['The database refused the last events'],
        checks: { database: { ok: true }, ingest: { ok: false } },
      },
    });
    service.clock.advance(10_001);
    expect((await health()).status).toBe(200); // unknown until the next write
    expect((await submit(trackingCode)).status).toBe(503);
    expect((await health()).status).toBe(503);
    await service.db.run(sql`PRAGMA max_page_count = 1000000`);
    expect((await submit(trackingCode)).status).toBe(201);
    expect((await health()).status).toBe(200);
  });

  const BACKUPS: [string, LastBackup, object][] = [
    [
      'a backup that succeeded',
      { finishedAtMs: 0, ok: true },
      { status: 'ok', checks: { backup: { ok: true, finishedAt: '1970-01-01T00:00:00.000Z' } } },
    ],
    [
      'a backup that failed, without its words',
      { finishedAtMs: 0, ok: false, error: '/srv/backup: permission denied' },
      { status: 'degraded', reasons: ['The last backup failed'] },
    ],
  ];
  test.each(BACKUPS)('tells of %s', async (_, lastBackup, expected) => {
    service = await createTestService({}, { ...LOOKING, lastBackup: () => lastBackup });
    const { status, body, text } = await health();
    expect({ status, body }).toMatchObject({ status: 200, body: expected });
    expect(text).not.toContain('/srv');
  });
});

const GONE = 'The database does not work: its file was removed or replaced';

describe('when the database file is removed while it is open', () => {
  test('no change is acknowledged any more, health says why, and reading continues', async () => {
    const path = await onFile();
    const { apiKey } = await service.addUser();
    const { trackingCode } = await service.addWebsite(apiKey);
    expect((await submit(trackingCode)).status).toBe(201);
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    await until(async () => (await submit(trackingCode)).status !== 201);
    const refused = await submit(trackingCode);
    expect(refused).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect((await service.send('POST', '/api/v1/websites', { token: apiKey, body: {} })).status).toBe(503);
    expect(await health()).toMatchObject({ status: 503, body: { reasons: [GONE] } });
    expect((await service.send('GET', '/api/v1/websites', { token: apiKey })).status).toBe(200);
    expect(service.errors.map(String).join()).toContain('removed or replaced while it was open');
  });

  test('health says that alone, though events were refused before it was noticed', async () => {
    const path = await onFile();
    const { trackingCode } = await service.addWebsite((await service.addUser()).apiKey);
    await service.db.run(sql`PRAGMA max_page_count = 1`);
    await until(async () => (await submit(trackingCode)).status === 503);
    rmSync(path);
    await until(async () => (await submit(trackingCode)).headers.get('retry-after') === '30');
    expect(await health()).toMatchObject({ status: 503, body: { reasons: [GONE] } });
  });

  test('another file in its place is not taken for it; its own is, when it comes back', async () => {
    const path = await onFile();
    const { trackingCode } = await service.addWebsite((await service.addUser()).apiKey);
    renameSync(path, `${path}.away`);
    writeFileSync(path, '');
    await until(async () => (await submit(trackingCode)).status === 503);
    renameSync(`${path}.away`, path);
    await until(async () => (await submit(trackingCode)).status === 201);
    expect((await health()).status).toBe(200);
  });
});
