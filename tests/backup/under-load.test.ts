import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { bytesToUuid } from '../../src/db/packed-id.ts';
import { createRandom } from '../../src/demo/random.ts';
import { createClient } from '../faults/stage/clients.ts';
import { createLedger } from '../faults/stage/ledger.ts';
import { runCommand, spawnCommand } from '../support/command.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';
import { createInstallation, filesOf } from './support.ts';

setDefaultTimeout(60_000); // every test starts processes

/** Backups during the real service on a real file, while clients send events to it. */

const CLIENTS = 8;
const ACKNOWLEDGED_MIN = 200;

let installation: Awaited<ReturnType<typeof createInstallation>>;
let service: ServiceProcess;
beforeAll(async () => {
  installation = await createInstallation(5_000);
  // All clients have one address, and a slow backup gives them time for more than one may send.
  service = await startProcess({ DATA_DIR: installation.path, LIMIT_COLLECT_PER_S: '0' });
});
afterAll(async () => {
  await service.stop();
  installation.remove();
});

/** Sends until `work` is done, which begins once some events are acknowledged. A refusal of any kind is an error. */
async function underLoad<Result>(work: (acknowledged: () => string[]) => Promise<Result>): Promise<Result> {
  const ledger = createLedger();
  const random = createRandom(1);
  let isOver = false;
  const { promise: isLoaded, resolve } = Promise.withResolvers<void>();
  const clients = Array.from({ length: CLIENTS }, () =>
    createClient({
      trackingCode: installation.trackingCode,
      ledger,
      random,
      observe: (answer) => {
        if (answer?.status !== 201) throw new Error(`The service answered ${answer?.status}.`);
      },
    }),
  );
  const running = Promise.all(
    clients.map((client) =>
      client.run(service.url, () => {
        if (ledger.acknowledged.size >= ACKNOWLEDGED_MIN) resolve();
        return isOver;
      }),
    ),
  );
  await Promise.race([isLoaded, running]);
  try {
    return await work(() => [...ledger.acknowledged.keys()]);
  } finally {
    isOver = true;
    await running;
  }
}

describe('a backup under load', () => {
  test('a backup under load refuses no event, and its restored copy has every event that was acknowledged before it began', async () => {
    const backup = join(installation.path, 'backup.db');
    const before = await underLoad(async (acknowledged) => {
      const acknowledgedBefore = acknowledged();
      expect(await runCommand({ DATA_DIR: installation.path }, 'backup', '--to', backup)).toMatchObject({
        code: 0,
        err: '',
      });
      return acknowledgedBefore;
    });
    const elsewhere = createDataDir();
    expect(await runCommand({ DATA_DIR: elsewhere.path }, 'restore', backup)).toMatchObject({
      code: 0,
      err: '',
    });
    const stored = readEventIds(join(elsewhere.path, 'pagemeter.db'));
    expect(before.length).toBeGreaterThanOrEqual(ACKNOWLEDGED_MIN);
    expect(before.filter((id) => !stored.has(id))).toEqual([]);
    expect(await runCommand({ DATA_DIR: elsewhere.path }, 'doctor', '--deep')).toMatchObject({ code: 0 });

    const restarted = await startProcess({ DATA_DIR: elsewhere.path });
    const answer = await fetch(
      `${restarted.url}/api/v1/events?trackingCode=${installation.trackingCode}&limit=1`,
      {
        headers: { 'X-API-Key': installation.apiKey },
      },
    );
    expect(await answer.json()).toMatchObject({ pagination: { total: stored.size } });
    await restarted.stop();
    elsewhere.remove();
  }, 60_000);

  test('killed on the way it leaves nothing that has the name of a backup, and the next one clears up', async () => {
    const to = join(installation.path, 'killed');
    mkdirSync(to);
    const environment = { DATA_DIR: installation.path, BACKUP_TO: to };
    await underLoad(async () => {
      const { promise: hasBegun, resolve } = Promise.withResolvers<string | null>();
      const watcher = watch(to, (_event, name) => resolve(name));
      const child = spawnCommand(environment, 'backup', '--quiet'); // the process that does the work
      const partial = await hasBegun;
      child.kill('SIGKILL');
      await child.exited;
      watcher.close();
      expect(child.signalCode).toBe('SIGKILL'); // else it was done before
      expect(partial).toEndWith('.db.partial');
      expect(filesOf(to).filter((name) => !name.startsWith('.'))).toEqual([]);
    });
    expect(await runCommand(environment, 'backup')).toMatchObject({ code: 0 });
    expect(filesOf(to)).toEqual([expect.stringMatching(/Z\.db$/), expect.stringMatching(/Z\.db\.sha256$/)]);
  }, 60_000);
});

function readEventIds(path: string): Set<string> {
  const database = new Database(path);
  const rows = database.prepare('SELECT event_id FROM events').raw().all() as unknown as [ArrayBuffer][];
  database.close();
  Bun.gc(true);
  return new Set(rows.map(([id]) => bytesToUuid(id)));
}
