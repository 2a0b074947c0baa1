import { rmSync } from 'node:fs';
import Database from 'libsql';

/** Another process on the service's database: `bun neighbour.ts FILE DEED TIMES`. */

const HOLD_MS = 200;
const PAUSE_MS = 100;
const PATIENCE_MS = 20_000;

const [path = '', deed = '', times = '1'] = process.argv.slice(2);
const database = new Database(path);
database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);

const DEEDS: Record<string, () => unknown> = {
  async hold() {
    database.exec('BEGIN IMMEDIATE');
    await Bun.sleep(HOLD_MS);
    database.exec('COMMIT');
  },
  checkpoint: () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
  vacuum: () => database.exec('VACUUM'),
  'vacuum-into'() {
    const copy = `${path}.copy`;
    database.exec(`VACUUM INTO '${copy}'`);
    rmSync(copy);
  },
};

for (let time = 0; time < Number(times); time += 1) {
  await DEEDS[deed]?.();
  await Bun.sleep(PAUSE_MS);
}
database.close();
