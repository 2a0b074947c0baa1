import type { CountedBy } from '../../vocabulary/analytics.ts';
import { EVENT_FLAGS } from '../../vocabulary/contract.ts';

/** @param flags bits of EVENT_FLAGS */
export function toCountedBy(flags: number): CountedBy {
  return flags & EVENT_FLAGS.anonymous ? 'day' : 'browser';
}
