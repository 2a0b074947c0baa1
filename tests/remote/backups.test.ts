import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeLastBackup } from '../../src/backup/last-backup.ts';
import { createDataDir, startProcess } from '../support/process.ts';
import { startSqld } from '../support/sqld.ts';

const sqld = await startSqld();
const SAYS = 'no backups are made: the database is on a server';

/** The backups of a database on a server are the server's. */
describe.if(sqld !== undefined)('a service with a libSQL server', () => {
  const dataDir = createDataDir();
  const environment = {
    DATA_DIR: dataDir.path,
    DATABASE_URL: sqld?.url ?? '',
    METRICS_TOKEN: 'm'.repeat(16),
  };
  // Left by a file that this service had before.
  beforeAll(() => writeLastBackup(dataDir.path, { finishedAtMs: 0, ok: false, error: 'no space' }));
  afterAll(async () => {
    await sqld?.stop();
    dataDir.remove();
  });

  const EVERY: [string, boolean][] = [
    ['', true],
    ['6', true],
    ['0', false],
  ];
  test.each(EVERY)('says once that it makes none, with BACKUP_EVERY_HOURS=%p: %p', async (hours, isSaid) => {
    const service = await startProcess({ ...environment, BACKUP_EVERY_HOURS: hours });
    const health = await fetch(`${service.url}/api/health`);
    const metrics = await fetch(`${service.url}/metrics`, {
      headers: { Authorization: `Bearer ${environment.METRICS_TOKEN}` },
    });
    const told = { health: await health.json(), metrics: await metrics.text() };
    expect(await service.stop()).toBe(0);
    expect(service.output().split(SAYS).length - 1).toBe(isSaid ? 1 : 0);
    expect(told.health).toMatchObject({ status: 'ok', reasons: [] });
    expect(told.health).not.toHaveProperty('checks.backup');
    expect(told.metrics).not.toContain('last_backup');
    expect(told.metrics).toContain('pagemeter_uptime_seconds');
  });
});
