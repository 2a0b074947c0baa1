import { MINUTE_MS } from '../../vocabulary/durations.ts';
import type { EventsServer } from './server.ts';
import { type Sql, sql } from './sql.ts';

/**
 * How long a question may take that began before an erasure: its entries are kept for that long after their rows are
 * gone.
 */
const KEPT_MS = 10 * MINUTE_MS;

/** Whether some events of a website are erased whose rows, or whose entries at least, are still there. */
export async function hasErased(server: EventsServer, websiteKey: number): Promise<boolean> {
  const rows = await server.read(sql`SELECT 1 FROM erased_events WHERE website_key = ${websiteKey} LIMIT 1`);
  return rows.length > 0;
}

/**
 * Erases events of a website. They are out of sight together, at once and for good; then their rows go.
 *
 * @param those SELECT of id and key
 * @returns how many there were
 */
export async function eraseEvents(
  server: EventsServer,
  { websiteKey, those, nowMs }: { websiteKey: number; those: Sql; nowMs: number },
): Promise<number> {
  const erasure = crypto.randomUUID();
  // One block, so that one part: they are seen together.
  await server.command(
    sql`INSERT INTO erased_events (website_key, id, key, erasure, ordered_at_ms)
      SELECT ${websiteKey}, id, key, ${erasure}, ${nowMs} FROM (${those})
      SETTINGS max_insert_threads = 1, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0`,
  );
  const [[count] = [0]] = await server.read<[number]>(
    sql`SELECT count() FROM erased_events WHERE website_key = ${websiteKey} AND erasure = ${erasure}`,
  );
  if (count > 0) await removeErased(server, websiteKey);
  return count;
}

/** Removes the rows of what is erased: also what a process left that was killed. Twice does no harm. */
export async function carryOutErasures(server: EventsServer, nowMs: number): Promise<void> {
  const websites = await server.read<[number]>(sql`SELECT DISTINCT website_key FROM erased_events`);
  for (const [websiteKey] of websites) await removeErased(server, websiteKey);
  const before = nowMs - KEPT_MS;
  const [[old] = [0]] = await server.read<[number]>(
    sql`SELECT count() FROM erased_events WHERE ordered_at_ms < ${before}`,
  );
  if (old > 0) await server.command(sql`DELETE FROM erased_events WHERE ordered_at_ms < ${before}`);
}

async function removeErased(server: EventsServer, websiteKey: number): Promise<void> {
  await server.command(
    sql`DELETE FROM engagement WHERE website_key = ${websiteKey}
      AND id IN (SELECT id FROM erased_events WHERE website_key = ${websiteKey})`,
  );
  await server.command(
    sql`DELETE FROM events WHERE website_key = ${websiteKey}
      AND (id, key) IN (SELECT id, key FROM erased_events WHERE website_key = ${websiteKey})`,
  );
}
