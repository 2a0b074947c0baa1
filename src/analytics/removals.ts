import type { Row } from '@libsql/client/sqlite3';
import { unpackId } from '../db/packed-id.ts';
import { addKeyList } from './key-lists.ts';

/** A record of what was removed from a log on a server (see db/schema): one of three, or the whole website. */
export type Removal = {
  key: number;
  websiteKey: number;
  visitorId: string | undefined;
  beforeDay: number | null;
  /** A list of keys. */
  events: string | undefined;
};

/** The columns in which toRemoval finds them. */
export const REMOVAL_COLUMNS = 'key, website_key, visitor_id, before_day, events';

export function toRemoval({ key, website_key, visitor_id, before_day, events }: Row): Removal {
  return {
    key: Number(key),
    websiteKey: Number(website_key),
    visitorId: visitor_id === null ? undefined : unpackId(visitor_id as string | ArrayBuffer), // a packed id
    beforeDay: before_day === null ? null : Number(before_day),
    events: typeof events === 'string' ? events : undefined,
  };
}

/** Those of visitors, days and websites. The same one told several times, of the steps of a removal, is done once. */
export function onlyLast(removals: readonly Removal[]): Removal[] {
  const byWhat = new Map<string, Removal>();
  for (const removal of removals) {
    if (removal.events !== undefined) continue;
    const what = `${removal.websiteKey} ${removal.beforeDay} ${removal.visitorId}`;
    byWhat.delete(what);
    byWhat.set(what, removal);
  }
  return [...byWhat.values()];
}

/** The keys of those of single events, by website and day: each day is written once. */
export function eventsOf(removals: readonly Removal[]): Map<number, Map<number, Set<number>>> {
  const byWebsite = new Map<number, Map<number, Set<number>>>();
  for (const { websiteKey, events } of removals) {
    if (events === undefined) continue;
    const keysByDay = byWebsite.get(websiteKey) ?? new Map<number, Set<number>>();
    addKeyList(keysByDay, events);
    byWebsite.set(websiteKey, keysByDay);
  }
  return byWebsite;
}
