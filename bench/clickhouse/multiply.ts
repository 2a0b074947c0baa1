import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/db/open.ts';
import { sql } from '../../src/log/clickhouse/sql.ts';
import { insertWebsites, loadLog } from '../analytics/quick/load.ts';
import { serveKept } from './serve.ts';

/**
 * Makes many events out of those that `bench/clickhouse.ts` has loaded, inside the engines: loading them takes hours.
 * Copy n of an event is n ms later, by a visitor of its own in a session of its own. So days, visits and texts are the
 * same, as many times.
 *
 *   bun bench/clickhouse/multiply.ts --events 10000000 --times 10 [--only file]
 *
 * The file alone needs nothing that was loaded before.
 */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '10' },
    only: { type: 'string', default: 'file clickhouse' },
  },
});
const [events, times] = [Number(values.events), Number(values.times)];
const [from = '', to = ''] = [events, events * times].map((count) =>
  join(tmpdir(), `pagemeter-bench-clickhouse-${count}`),
);
const PIECE_DAYS = 4;
const PIECE_EVENTS = 250_000;
const DIGITS = '0123456789abcdef';

if (times > DIGITS.length) throw new Error('Copies differ in one digit of their ids.');
if (values.only.includes('clickhouse'))
  await multiplyServer(join(from, 'clickhouse'), join(to, 'clickhouse'));
if (values.only.includes('file')) await multiplyFile(join(from, 'events.db'), join(to, 'events.db'));
writeFileSync(join(to, 'loaded.json'), `${times} times ${events} events`);

async function multiplyServer(old: string, folder: string): Promise<void> {
  cpSync(old, folder, { recursive: true, force: false, errorOnExist: true });
  const { server, stop } = await serveKept(folder);
  const [[firstKey, keys] = [0, 0]] = await server.read<[number, number]>(
    sql`SELECT min(key), max(key) - min(key) + 1 FROM events`,
  );
  const columns = await server.read<[string]>(
    sql`SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'events'`,
  );
  const names = columns.map(([name]) => name);
  const id = `toUUID(${turned('toString(id)', 16)})`;
  const changed: Record<string, string> = {
    created_at_ms: 'created_at_ms + n',
    day: 'intDiv(created_at_ms + n, 86400000)',
    key: `key + n * ${keys}`,
    visitor_id: turned('visitor_id', 1),
    session_id: turned('session_id', 1),
    id,
  };
  const cells = names.map((name) => changed[name] ?? name);
  const half = `toUInt64(bitShiftRight(toUInt128(${id}), 64))`;
  // Some days of a website at a time: they become one part of the table, and are sorted in memory.
  const pieces = await server.read<[website: number, piece: number]>(
    sql`SELECT DISTINCT website_key, intDiv(day, ${PIECE_DAYS}) AS piece FROM events ORDER BY website_key, piece`,
  );
  for (const [website, piece] of pieces) {
    const own = `website_key = ${website} AND intDiv(day, ${PIECE_DAYS}) = ${piece}`;
    const those = `FROM (SELECT * FROM events WHERE ${own} AND key < ${firstKey + keys}) AS old
      ARRAY JOIN range(1, ${times}) AS n SETTINGS max_insert_threads = 1, min_insert_block_size_rows = 100000000, min_insert_block_size_bytes = 0`;
    await server.command({ text: `INSERT INTO events (${names}) SELECT ${cells} ${those}` });
    await server.command({
      text: `INSERT INTO event_ids (first_half, website_key, day) SELECT ${half}, website_key, ${changed.day} ${those}`,
    });
  }
  await server.close();
  await stop();
}

/** In time's order, as if all of them had arrived together. The engine derives them when it is asked first. */
async function multiplyFile(old: string, file: string): Promise<void> {
  for (const path of [old, file]) mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(old)) await loadLog(old, events);
  const { local, close } = await openDatabase({ kind: 'file', path: file }, 'normal');
  if (!local) throw new Error('A file is a local database.');
  insertWebsites(local);
  local.exec(`PRAGMA cache_size = -4000000; ATTACH '${old}' AS old`);
  const { count } = local.prepare('SELECT max(key) AS count FROM old.events').get([]) as { count: number }; // its column
  if (count !== events) throw new Error(`${old} has ${count} events: its loading was cut off. Remove it.`);
  const id = (name: string, digit: number) => `unhex(${turned(`lower(hex(${name}))`, digit)})`;
  const copies = Array.from({ length: times }, (_, n) => `(${n})`).join(', ');
  for (let key = 0; key < events; key += PIECE_EVENTS) {
    local.exec(`INSERT INTO events SELECT (key - 1) * ${times} + n + 1, ${id('event_id', 14)}, website_key, created_at_ms + n, type,
        url, referrer, ${id('session_id', 1)}, ${id('visitor_id', 1)}, device_type, browser, os, location, language, screen, properties, flags
      FROM old.events CROSS JOIN (SELECT column1 AS n FROM (VALUES ${copies})) WHERE key > ${key} AND key <= ${key + PIECE_EVENTS}`);
  }
  local.exec(
    `INSERT INTO event_counts SELECT website_key, type, count * ${times} FROM old.event_counts; DETACH old`,
  );
  close();
}

/** One hexadecimal digit of a text, n further: the others are random, so all ids differ. Both engines understand it. */
function turned(text: string, position: number): string {
  const digit = `substr('${DIGITS}${DIGITS}', instr('${DIGITS}', substr(${text}, ${position}, 1)) + n, 1)`;
  return `concat(substr(${text}, 1, ${position - 1}), ${digit}, substr(${text}, ${position + 1}))`;
}
