import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../src/db/open.ts';
import { users } from '../src/db/schema.ts';
import { loadLog } from './analytics/quick/load.ts';
import { toMiB } from './measured-process.ts';
import * as report from './report.ts';
import { median } from './statistics.ts';

/**
 * Events a second of `pagemeter export`, from the start of the process to the file with its checksum, and the memory
 * that it takes. The target is 150,000 events/s, and memory that does not grow with the history.
 *
 *   bun bench/export.ts [--events 1000000] [--rounds 3]
 */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
  },
});
const FILES = ['a.ndjson', 'a.ndjson.gz', 'a.ndjson.zst', 'a.csv', 'a.csv.zst', 'a.parquet'];
const MAIN = join(import.meta.dir, '../src/main.ts');

await report.printMachine(`bun bench/export.ts --events ${values.events} --rounds ${values.rounds}`);
const folder = mkdtempSync(join(tmpdir(), 'pagemeter-bench-export-'));
try {
  const [website, events] = await load(join(folder, 'pagemeter.db'));
  console.log(`${events} events of one website`);
  for (const name of FILES) await measure(name, website, events);
} finally {
  rmSync(folder, { recursive: true });
}

/** Gives the largest website of the traffic an owner. @returns its id and the number of its events */
async function load(path: string): Promise<[website: string, events: number]> {
  await loadLog(path, Number(values.events));
  const database = await openDatabase({ kind: 'file', path }, 'full');
  const { db, local } = database;
  await db.insert(users).values({
    id: 'owner',
    email: 'owner@example.com',
    emailKey: 'owner@example.com',
    passwordHash: '',
    name: 'Owner',
    createdAtMs: 0,
  });
  local?.exec("UPDATE websites SET user_id = 'owner'");
  const row = local?.prepare('SELECT count(*) AS events FROM events WHERE website_key = 1').get([]);
  database.close();
  return ['website-0', (row as { events: number }).events]; // the column of the statement
}

async function measure(name: string, website: string, events: number): Promise<void> {
  const tookMs: number[] = [];
  let peakBytes = 0;
  const file = join(folder, name);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const startedAtMs = performance.now();
    const child = Bun.spawn(
      [process.execPath, MAIN, 'export', file, '--website', website, '--replace', '--quiet'],
      {
        env: { ...process.env, DATA_DIR: folder },
        stdout: 'ignore',
        stderr: 'inherit',
      },
    );
    if ((await child.exited) !== 0) throw new Error(`The export of ${name} failed.`);
    tookMs.push(performance.now() - startedAtMs);
    peakBytes = Math.max(peakBytes, child.resourceUsage()?.maxRSS ?? 0);
  }
  const rate = (events * 1_000) / median(tookMs);
  console.log(
    `${name.padEnd(14)} ${Math.round(rate).toLocaleString('en')} events/s, ${toMiB(statSync(file).size).toFixed(0)} MiB, at most ${toMiB(peakBytes).toFixed(0)} MiB of memory`,
  );
}
