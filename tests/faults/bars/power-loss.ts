import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { bytesToUuid } from '../../../src/db/packed-id.ts';
import { createRandom } from '../../../src/demo/random.ts';
import { createDataDir } from '../../support/process.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { runAll } from '../stage/clients.ts';
import { createDisk, type Survival } from '../stage/disk.ts';
import { percentile } from '../stage/measure.ts';
import { openStage } from '../stage/stage.ts';
import { prepareJournal } from '../stage/write-journal.ts';

const CLIENTS = 8;
const DATABASE = 'pagemeter.db';
const LOG = 'pagemeter.db-wal';

/**
 * Everything that the service writes is journalled; then the power is cut at random points of the journal, and the
 * database is opened with what a disk with a cache would have kept.
 */
export async function tryPowerLoss({ isLong, seed }: BarOptions): Promise<BarResult> {
  const points = isLong ? 200 : 30;
  const events = isLong ? 10_000 : 500;
  const full = await cutPower('full', points, events, seed);
  const normal = await cutPower('normal', points, events, seed);
  const faults = [...full.faults, ...normal.faults];
  if (percentile(full.lost, 1) > 0) faults.push('acknowledged events were lost with DURABILITY=full');
  return {
    figure: `${points} power cuts each: full lost ${percentile(full.lost, 1)} of up to ${full.acknowledged} acknowledged events; normal lost ${percentile(normal.lost, 0.5)} in the median and ${percentile(normal.lost, 1)} of ${normal.acknowledged} at most, none from before the last checkpoint; ${faults.length} faults`,
    faults,
  };
}

type Outcome = { acknowledged: number /** At each point. */; lost: number[]; faults: string[] };

async function cutPower(
  durability: 'full' | 'normal',
  points: number,
  events: number,
  seed: number,
): Promise<Outcome> {
  const { deeds, acknowledgedAtMs } = await record(durability, events, seed);
  const random = createRandom(seed);
  const cuts = Array.from({ length: points }, () => random.below(deeds.length)).sort((a, b) => a - b);
  const disk = createDisk();
  const outcome: Outcome = { acknowledged: acknowledgedAtMs.size, lost: [], faults: [] };
  let lastSyncMs = 0;
  let index = 0;
  for (const [number, cut] of cuts.entries()) {
    for (; index <= cut; index += 1) {
      const deed = deeds[index];
      if (!deed) break;
      disk.perform(deed);
      if (deed.what === 'sync' && deed.file === LOG) lastSyncMs = deed.atMs;
    }
    const cutAtMs = deeds[cut]?.atMs ?? 0;
    const survival: Survival = number % 2 === 0 ? 'nothing' : 'anything';
    const stored = open(disk.cutPower(survival, random), outcome.faults, `${durability}, deed ${cut}`);
    const lost = [...acknowledgedAtMs].filter(([id, atMs]) => atMs < cutAtMs && !stored.has(id));
    outcome.lost.push(lost.length);
    const beforeSync = lost.filter(([, atMs]) => atMs < lastSyncMs).length;
    if (beforeSync > 0)
      outcome.faults.push(`${durability}, deed ${cut}: lost ${beforeSync} from before the last sync`);
  }
  return outcome;
}

/** A service under load from its first start on, until it is killed. */
async function record(durability: string, events: number, seed: number) {
  const dataDir = createDataDir();
  const journal = prepareJournal(dataDir.path);
  const stage = await openStage({
    seed,
    dataDir: dataDir.path,
    environment: { ...journal.environment, DURABILITY: durability },
  });
  const clients = stage.createClients(CLIENTS, { pauseMs: 2 });
  const running = runAll(clients, stage.url(), () => false);
  while (stage.ledger.acknowledged.size < events) await Bun.sleep(5);
  await stage.kill();
  await running;
  const deeds = journal.read().filter(({ file }) => file === DATABASE || file === LOG);
  journal.remove();
  dataDir.remove();
  return { deeds, acknowledgedAtMs: stage.ledger.acknowledged };
}

/** The ids that are stored after recovery. */
function open(files: ReadonlyMap<string, Uint8Array>, faults: string[], where: string): Set<string> {
  const directory = mkdtempSync(join(tmpdir(), 'pagemeter-power-'));
  for (const [name, bytes] of files) writeFileSync(join(directory, name), bytes);
  const database = new Database(join(directory, DATABASE));
  try {
    const integrity = JSON.stringify(database.prepare('PRAGMA integrity_check').all());
    if (integrity !== '[{"integrity_check":"ok"}]') faults.push(`${where}: ${integrity}`);
    const tables = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'events'").all();
    if (tables.length === 0) return new Set();
    // The column of the query.
    const rows = database.prepare('SELECT event_id FROM events').all() as { event_id: ArrayBuffer }[];
    return new Set(rows.map(({ event_id }) => bytesToUuid(event_id)));
  } catch (error) {
    faults.push(`${where}: ${error}`);
    return new Set();
  } finally {
    database.close();
    rmSync(directory, { recursive: true });
  }
}
