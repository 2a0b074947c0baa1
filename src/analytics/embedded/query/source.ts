import type { KeyedEvent } from '../../../log/follower.ts';
import type { WebsiteDictionaries } from '../dictionary/website-dictionaries.ts';
import type { Arena } from '../memory/arena.ts';
import type { Pool } from '../memory/pool.ts';
import type { Segment } from '../segment/segment.ts';
import type { TextTime } from './text-time.ts';

/** A website as a question reads it: its segments, ordered by day and visitor, and their texts. */
type AskedWebsite = {
  readonly key: number;
  readonly segments: readonly Segment[];
  readonly dictionaries: WebsiteDictionaries;
};

/** Data that a question is answered from. */
export type Source = {
  website: AskedWebsite;
  pool: Pool;
  arena: Arena;
  /** Reads single events of the log, for what segments do not hold: ids, addresses, properties as sent. */
  readKeys: (keys: readonly number[]) => Promise<KeyedEvent[]>;
  textTime: TextTime;
};
