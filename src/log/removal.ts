import type { Db } from '../db/open.ts';
import { DAY_MS } from '../vocabulary/durations.ts';
import type { Cell } from './columns.ts';
import { readKeyList } from './key-list.ts';

/** Removal from the log: of these events, those before a UTC day (days since 1970), or all of the website. */
export type Removal = { key: number; websiteKey: number; keys?: number[]; beforeDay?: number };

/** Read by `toRemoval`. */
export const REMOVAL_COLUMNS = 'key, website_key, before_day, events';

export function toRemoval([key, websiteKey, beforeDay, events]: readonly Cell[]): Removal {
  return {
    key: Number(key),
    websiteKey: Number(websiteKey),
    ...(typeof beforeDay === 'number' && { beforeDay }),
    ...(typeof events === 'string' && { keys: readKeyList(events) }),
  };
}

/** Time that a removal stays on record. Tables that were not updated for longer are rebuilt. */
const KEPT_MS = 30 * DAY_MS;
const FORGOTTEN_A_STEP = 1_000;

/** Removes the oldest records. To be called now and then. */
export async function forgetOldRemovals(db: Db, nowMs: number): Promise<void> {
  await db.$client.execute({
    sql: `DELETE FROM removals WHERE key IN
      (SELECT key FROM removals WHERE removed_at_ms < ? ORDER BY key LIMIT ${FORGOTTEN_A_STEP})`,
    args: [nowMs - KEPT_MS],
  });
}
