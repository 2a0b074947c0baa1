import type { Activity, Visit } from '../../contract/metrics/lists.ts';
import { dateIn } from '../state/ranges.ts';

/** Visits of a visitor by the day on which they began, and events by their visit. Newest first throughout. */

export const dayOf = ({ startedAt }: Visit, timezone: string) => dateIn(Date.parse(startedAt), timezone);

/** Events before the first one of a day's visits: where a page of events begins. */
export function offsetOf(visits: readonly Visit[], day: string, timezone: string): number {
  const newer = visits.filter((visit) => dayOf(visit, timezone) > day);
  return newer.reduce((sum, { events }) => sum + events, 0);
}

/** A run of events of one visit; `visit` is undefined for those of visits that are not listed. */
export type VisitEvents = { visit: Visit | undefined; events: Activity[] };

export function byVisit(events: readonly Activity[], visits: readonly Visit[]): VisitEvents[] {
  const groups: VisitEvents[] = [];
  for (const event of events) {
    const visit = visits.find(
      ({ startedAt, endedAt }) => startedAt <= event.createdAt && event.createdAt <= endedAt,
    );
    const last = groups.at(-1);
    if (last && last.visit === visit) last.events.push(event);
    else groups.push({ visit, events: [event] });
  }
  return groups;
}
