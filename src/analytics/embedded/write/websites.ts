import type { LocalDatabase } from '../../../db/local-database.ts';
import { createTermStore } from '../dictionary/dictionary.ts';
import { createVisitorStore } from '../dictionary/visitor-codes.ts';
import { type Bounds, WebsiteDictionaries } from '../dictionary/website-dictionaries.ts';
import type { Pool } from '../memory/pool.ts';
import { createSegmentStore, type SegmentStore } from '../segment/store.ts';
import { Website } from './website.ts';

/** Maximum websites whose dictionaries and segment lists are in memory. */
const IN_MEMORY_MAX = 50;
/** Maximum share of the cache that their dictionaries take. */
const DICTIONARIES_SHARE_MAX = 1 / 3;

export type Websites = {
  readonly segments: SegmentStore;
  get(websiteKey: number): Website;
  /** Lists websites with data that is not on disk. */
  unsaved(): Website[];
  /** Frees the memory of one website, or of all; unsaved data is lost. */
  forget(websiteKey?: number): void;
  /** Frees the memory of the least recently used websites. */
  forgetIdle(): void;
};

type State = { takenUntil: number; visitorCount: number };

export function createWebsites(database: LocalDatabase, pool: Pool, bounds?: Bounds): Websites {
  const segments = createSegmentStore(database);
  const terms = createTermStore(database);
  const visitors = createVisitorStore(database);
  const readState = database.prepare(
    'SELECT taken_until AS takenUntil, visitor_count AS visitorCount FROM website_states WHERE website_key = ?',
  );
  const open = new Map<number, Website>();

  function read(websiteKey: number): Website {
    const state = readState.get([websiteKey]) as State | undefined; // the columns that it selects
    const dictionaries = new WebsiteDictionaries(
      websiteKey,
      terms,
      visitors,
      state?.visitorCount ?? 0,
      bounds,
    );
    return new Website(websiteKey, segments.list(websiteKey), dictionaries, state?.takenUntil ?? 0);
  }

  function forget(website: Website): void {
    for (const segment of website.segments) pool.forget(segment);
    website.isForgotten = true;
    open.delete(website.key);
  }

  return {
    segments,
    get(websiteKey) {
      const website = open.get(websiteKey) ?? read(websiteKey);
      open.delete(websiteKey);
      open.set(websiteKey, website); // most recently used last
      return website;
    },
    unsaved: () => [...open.values()].filter(({ isSaved }) => !isSaved),
    forget(websiteKey) {
      for (const website of [...open.values()])
        if (websiteKey === undefined || website.key === websiteKey) forget(website);
    },
    forgetIdle() {
      let bytes = [...open.values()].reduce((sum, { dictionaries }) => sum + dictionaries.bytes, 0);
      for (const website of [...open.values()]) {
        if (open.size <= IN_MEMORY_MAX && bytes <= pool.bytesMax * DICTIONARIES_SHARE_MAX) break;
        if (website.isHeld) continue;
        bytes -= website.dictionaries.bytes;
        if (website.isSaved) forget(website);
        else {
          website.dictionaries.forgetProperties();
          bytes += website.dictionaries.bytes;
        }
      }
      pool.reserve(bytes);
    },
  };
}
