import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, type Random } from '../../../src/demo/random.ts';
import { createDataDir, startProcess } from '../../support/process.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { createDisk, type Survival } from '../stage/disk.ts';
import { openStage } from '../stage/stage.ts';
import { type Deed, prepareJournal } from '../stage/write-journal.ts';

const DATABASE = /^pagemeter\.db(-wal)?$/;
/** The secret before it is linked into place, which is done as soon as it is synced. */
const SECRET_DRAFT = /^secret\.\d+$/;

/**
 * The service starts for the first time, and gets an account; the power is cut at each moment at which something had
 * reached the disk. It starts again on the remaining files, without help.
 */
export async function tryFirstStart({ isLong, seed }: BarOptions): Promise<BarResult> {
  const faults: string[] = [];
  const random = createRandom(seed);
  const survivals: Survival[] = isLong ? ['nothing', ...Array<Survival>(9).fill('anything')] : ['nothing'];
  let cuts = 0;
  for (const durability of isLong ? ['full', 'normal'] : ['normal'])
    for (const disk of momentsOf(await record(durability)))
      for (const survival of survivals) {
        cuts += 1;
        const failure = await start(disk(survival, random), durability);
        if (failure) faults.push(`${durability}, cut ${cuts}, ${survival} survives: ${failure}`);
      }
  return { figure: `${cuts} power cuts in first starts, ${faults.length} needed help`, faults };
}

/** Files after a power cut, at each sync and at the end: all moments between two syncs have the same on the disk. */
function* momentsOf({ deeds, secret }: Recorded) {
  const disk = createDisk();
  let isSecretThere = false;
  for (const [index, deed] of deeds.entries()) {
    if (DATABASE.test(deed.file)) disk.perform(deed);
    else isSecretThere ||= deed.what === 'sync';
    const others: [string, Uint8Array][] = isSecretThere ? [['secret', secret]] : [];
    if (deed.what === 'sync' || index === deeds.length - 1)
      yield (survival: Survival, random: Random) => new Map([...disk.cutPower(survival, random), ...others]);
  }
}

type Recorded = { deeds: Deed[]; secret: Uint8Array };

async function record(durability: string): Promise<Recorded> {
  const dataDir = createDataDir();
  const journal = prepareJournal(dataDir.path);
  const environment = { ...journal.environment, DURABILITY: durability };
  const stage = await openStage({ dataDir: dataDir.path, environment });
  await stage.kill();
  const deeds = journal.read().filter(({ file }) => DATABASE.test(file) || SECRET_DRAFT.test(file));
  const secret = readFileSync(join(dataDir.path, 'secret')); // Bun writes it by a call that the journal does not see
  journal.remove();
  dataDir.remove();
  return { deeds, secret };
}

/** @returns what the service says when it does not start */
async function start(
  files: ReadonlyMap<string, Uint8Array>,
  DURABILITY: string,
): Promise<string | undefined> {
  const dataDir = createDataDir();
  for (const [name, bytes] of files) writeFileSync(join(dataDir.path, name), bytes, { mode: 0o600 });
  try {
    const service = await startProcess({ DATA_DIR: dataDir.path, DURABILITY });
    service.process.kill('SIGKILL');
    await service.process.exited;
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    dataDir.remove();
  }
}
