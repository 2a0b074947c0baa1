import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../src/db/open.ts';
import { runLoad, type Sample } from './ingest/run-load.ts';
import { type Server, startServer } from './ingest/servers.ts';
import { toMiB } from './measured-process.ts';
import * as report from './report.ts';
import { median, medianRatio } from './statistics.ts';

/** Effect of a backup on ingest: the same load without and with one, in turn. */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '4000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '20' },
    connections: { type: 'string', default: '16' },
  },
});
const rounds = Number(values.rounds);
const load = {
  eventsARequest: 1,
  measureMs: Number(values.seconds) * 1_000,
  connections: Number(values.connections),
};
const WATCH_MS = 50;

await report.printMachine(
  `bun bench/backup.ts --events ${values.events} --rounds ${rounds} --seconds ${values.seconds} --connections ${load.connections}`,
);
const server = await startServer('src/main.ts', { BACKUP_EVERY_HOURS: '0' }, fill);
const alone: Sample[] = [];
const concurrent: Sample[] = [];
for (let round = 1; round <= rounds; round += 1) {
  alone.push(await runLoad(server, load));
  const backup = backUpAgainAndAgain(server);
  concurrent.push(await runLoad(server, load));
  console.log(`round ${round}: ${await backup.stop()}`);
}
await server.remove();
for (const [name, samples] of Object.entries({ alone, concurrent })) {
  const of = (key: keyof Sample) => median(samples.map((sample) => sample[key]));
  console.log(
    `${name.padEnd(7)} ${of('requestsPerS').toFixed(0)} req/s, p50 ${of('p50Ms').toFixed(1)} ms, p99 ${of('p99Ms').toFixed(1)} ms`,
  );
}
const p99s = (samples: Sample[]) => samples.map(({ p99Ms }) => p99Ms);
console.log(`p99 during a backup: ${medianRatio(p99s(concurrent), p99s(alone)).toFixed(2)} times (target 2)`);

/** Backups one after the other, so that the load meets one all the time. */
function backUpAgainAndAgain({ dataDir }: Server) {
  const to = join(dataDir, 'backup.db');
  const log = join(dataDir, 'pagemeter.db-wal');
  const took: number[] = [];
  let isOver = false;
  let logBytesMax = 0;
  const watching = setInterval(() => {
    if (existsSync(log)) logBytesMax = Math.max(logBytesMax, statSync(log).size);
  }, WATCH_MS);
  const done = (async () => {
    while (!isOver) {
      rmSync(to, { force: true });
      const startedMs = performance.now();
      const child = Bun.spawn([process.execPath, 'src/main.ts', 'backup', '--to', to], {
        cwd: join(import.meta.dir, '..'),
        env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir },
        stdout: 'ignore',
      });
      if ((await child.exited) !== 0) throw new Error('The backup failed.');
      took.push(performance.now() - startedMs);
    }
    clearInterval(watching);
  })();
  return {
    async stop(): Promise<string> {
      isOver = true;
      await done;
      const sizeMiB = toMiB(statSync(to).size).toFixed(0);
      return `${took.length} backups of ${sizeMiB} MiB, median ${(median(took) / 1_000).toFixed(1)} s; write-ahead log up to ${toMiB(logBytesMax).toFixed(0)} MiB`;
    },
  };
}

/** Rows like those of the tracker. They are marked as read by the statistics, which do no work here. */
async function fill(path: string): Promise<void> {
  const { local, close } = await openDatabase({ kind: 'file', path }, 'normal');
  const count = Number(values.events);
  local?.exec(`
    INSERT INTO events (event_id, website_key, created_at_ms, type, url, referrer, session_id, visitor_id, device_type, browser, os, location, language, screen)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT CAST(printf('%016d', i) AS BLOB), 1, 1763000000000 + i * 1000, 0, 'https://example.com/blog/post-' || (i % 500),
      'https://www.google.com/', randomblob(16), randomblob(16), 0, 'Chrome', 'Windows', 'DE', 'de', '1920x1080' FROM n;
    INSERT INTO event_counts VALUES (1, 0, ${count});
    INSERT INTO analytics_state VALUES ('checkpoint', ${count});`);
  close();
  Bun.gc(true); // libSQL closes the file when its statements are collected
}
