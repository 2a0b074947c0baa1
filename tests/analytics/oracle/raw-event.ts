import type { Engagement } from '../../../src/db/packed-engagement.ts';
import type { LoggedEvent } from '../../../src/log/event.ts';
import { EVENT_FLAGS } from '../../../src/vocabulary/contract.ts';

/** One row of the log. */
export type RawEvent = LoggedEvent & { key: number; websiteKey: number };

export const DAY_MS = 86_400_000;

export function inOrder(a: RawEvent, b: RawEvent): number {
  return a.createdAtMs - b.createdAtMs || a.key - b.key;
}

export function classOf({ flags }: RawEvent): 'excluded' | 'bots' | 'people' {
  if ((flags & EVENT_FLAGS.excluded) !== 0) return 'excluded';
  return (flags & EVENT_FLAGS.bot) !== 0 ? 'bots' : 'people';
}

/** Day of the event's own time, since 1970. */
export function dayOf({ createdAtMs }: RawEvent): number {
  return Math.floor(createdAtMs / DAY_MS);
}

export function engagementOf({ engagedSeconds = null, scrollDepth = null }: Partial<Engagement>): Engagement {
  return { engagedSeconds, scrollDepth };
}
