import { type EventFacts, toEventFacts } from './facts.ts';
import { BOUNDS, type Bounds } from './names.ts';
import type { RawEvent } from './raw-event.ts';
import { VISIT_EVENTS_MAX } from './visits.ts';

/** Limits that the engine accepts in small, so that little traffic meets its limits. */
export type Limits = { bounds?: Bounds; visitEventsMax?: number };

/** Remaining events of the log, for the naive implementation. */
export type NaiveLog = ReturnType<typeof openNaiveLog>;

/** @param readEvents the log as it is now, in the order of storing; those that were removed here are left out of it */
export function openNaiveLog(
  readEvents: () => readonly RawEvent[],
  { bounds = BOUNDS, visitEventsMax = VISIT_EVENTS_MAX }: Limits,
) {
  const removed = new Set<number>();
  /** By website, and of which state of the log. */
  const facts = new Map<number, { state: string; facts: EventFacts[] }>();
  const events = () => readEvents().filter(({ key }) => !removed.has(key));

  return {
    visitEventsMax,
    events,

    factsOf(websiteKey: number): readonly EventFacts[] {
      const state = `${readEvents().length} ${removed.size}`;
      const known = facts.get(websiteKey);
      if (known?.state === state) return known.facts;
      const own = events().filter((event) => event.websiteKey === websiteKey);
      const made = { state, facts: toEventFacts(own, bounds) };
      facts.set(websiteKey, made);
      return made.facts;
    },

    /** @returns how many there were */
    remove(isGone: (event: RawEvent) => boolean): number {
      const gone = events().filter(isGone);
      for (const { key } of gone) removed.add(key);
      return gone.length;
    },
  };
}
