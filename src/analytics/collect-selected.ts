import type { Selection } from './analytics.ts';
import { dayOf } from './day.ts';
import type { Days } from './days.ts';
import { eachHit } from './groups.ts';
import type { WebsiteTerms } from './website-terms.ts';

/** Keys of events by the UTC day that they are stored under. */
export type KeysByDay = Map<number, number[]>;

/**
 * Which events a selection counts.
 *
 * @param eventsMax with more than these the keys are not all there
 */
export function collectSelected(
  { eventsMax, ...selection }: Selection & { eventsMax: number },
  source: { terms: WebsiteTerms; days: Days },
): { events: number; byDay: KeysByDay } {
  const byDay: KeysByDay = new Map();
  let events = 0;
  eachHit('visitor', selection, source, (_visitor, day, _visit, event) => {
    events += 1;
    if (events > eventsMax) return;
    // A visit that crosses midnight comes in one day with all of its events.
    const number = dayOf(day.startMs + (day.atMs[event] ?? 0));
    const key = day.wide.get('key')?.[event] ?? 0;
    const keys = byDay.get(number);
    if (keys) keys.push(key);
    else byDay.set(number, [key]);
  });
  return { events, byDay };
}
