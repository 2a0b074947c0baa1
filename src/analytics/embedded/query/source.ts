import type { KeyedEvent } from '../../../log/follower.ts';
import type { WebsiteDictionaries } from '../dictionary/website-dictionaries.ts';
import type { Arena } from '../memory/arena.ts';
import type { Pool } from '../memory/pool.ts';
import type { Segment } from '../segment/segment.ts';

/** What is asked of a website: its segments, ordered by day and visitor, and their texts. */
type AskedWebsite = {
  readonly segments: readonly Segment[];
  readonly dictionaries: WebsiteDictionaries;
};

/** What a question is answered from. */
export type Source = {
  website: AskedWebsite;
  pool: Pool;
  arena: Arena;
  /** Single events of the log, for what segments do not hold: ids, addresses, properties as sent. */
  readKeys: (keys: readonly number[]) => Promise<KeyedEvent[]>;
  /** How long its conditions may still try texts, all together. */
  patience: { leftMs: number };
};

/**
 * Who asks holds up everybody else meanwhile. On 100,000 pages of 255 characters a usual pattern takes 20 to 700 ms, 200
 * texts of `contains` 1.8 s, and ten regular expressions that were made for it 13 minutes.
 */
export const TEXTS_MS_MAX = 5_000;
