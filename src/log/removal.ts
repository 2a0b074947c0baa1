import type { Cell } from './columns.ts';
import { readKeyList } from './key-list.ts';

/** What was removed from the log: these events, those before a UTC day (days since 1970), or all of the website. */
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
