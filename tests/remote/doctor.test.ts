import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type SQL, sql } from 'drizzle-orm';
import type { Finding } from '../../src/doctor/finding.ts';
import { runCommand } from '../support/command.ts';
import { eventFor } from '../support/event.ts';
import { onceRead } from '../support/once-read.ts';
import { createDataDir } from '../support/process.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { type Sqld, startSqld } from '../support/sqld.ts';

const sqld: Sqld | undefined = await startSqld();

/** Checks made on the server; the others are as with a file. */
const ASKED = ['database', 'schema', 'integrity', 'references', 'counters', 'erasures', 'statistics'];
const WELL = {
  schema: 'ok',
  integrity: 'ok',
  references: 'ok',
  counters: 'ok',
  erasures: 'ok',
  statistics: 'ok',
};

describe.if(sqld !== undefined)('pagemeter doctor with a database on a libSQL server', () => {
  const dir = createDataDir();
  const database = { kind: 'remote', url: sqld?.url ?? '', authToken: undefined } as const;
  let service: TestService;
  beforeAll(async () => {
    service = await createTestService({ database, dataDir: dir.path });
    const { token } = await service.signUp();
    const { id, trackingCode } = await service.addWebsite(token);
    await service.send('POST', '/api/v1/events', { body: eventFor(trackingCode) });
    const ask = () => service.send('GET', `/api/v1/websites/${id}/stats`, { token });
    expect((await onceRead(ask)).status).toBe(200);
  });
  afterAll(async () => {
    await service.close();
    await sqld?.stop();
    dir.remove();
  });

  async function examine(url = database.url) {
    const { code, out } = await runCommand({ DATABASE_URL: url, DATA_DIR: dir.path }, 'doctor', '--json');
    // What the command promises to print.
    const findings = (JSON.parse(out) as Finding[]).filter(({ check }) => ASKED.includes(check));
    return { code, levels: Object.fromEntries(findings.map(({ check, level }) => [check, level])), findings };
  }

  test('finds no fault next to a healthy service', async () => {
    expect(await examine()).toMatchObject({ code: 0, levels: WELL });
  });

  test.each<[what: string, check: string, level: Finding['level'], breakIt: SQL, mend: SQL]>([
    [
      'a wrong counter',
      'counters',
      'fault',
      sql`update event_counts set count = count + 1`,
      sql`update event_counts set count = count - 1`,
    ],
    [
      'events without a website',
      'references',
      'fault',
      sql`update events set website_key = website_key + 100`,
      sql`update events set website_key = website_key - 100`,
    ],
    [
      'an erasure that was cut off',
      'erasures',
      'warn',
      sql`insert into erasures (website_key, events) values (1, '{}')`,
      sql`delete from erasures`,
    ],
    [
      'statistics of another log',
      'statistics',
      'warn',
      sql`update analytics_state set value = value + 1 where name = 'log'`,
      sql`update analytics_state set value = value - 1 where name = 'log'`,
    ],
    [
      'tables of a newer version',
      'schema',
      'fault',
      sql`insert into __drizzle_migrations (hash, created_at) values (1, 9999999999999)`,
      sql`delete from __drizzle_migrations where created_at = 9999999999999`,
    ],
  ])('finds %s', async (_what, check, level, breakIt, mend) => {
    await service.db.run(breakIt);
    const { code, levels } = await examine();
    await service.db.run(mend);
    expect({ code, level: levels[check] }).toEqual({ code: level === 'fault' ? 1 : 0, level });
  });

  test('says that there are no tables yet', async () => {
    const empty = await startSqld();
    expect(await examine(empty?.url)).toMatchObject({ code: 0, levels: { schema: 'warn' } });
    await empty?.stop();
  });

  test('says that the server is away', async () => {
    await sqld?.kill();
    const { code, findings } = await examine();
    await sqld?.start();
    const { host } = new URL(database.url);
    expect({ code, findings }).toMatchObject({
      code: 1,
      findings: [{ check: 'database', message: `The server at ${host} does not answer as it should.` }],
    });
  });
});
