import type { Segment } from '../segment/segment.ts';

/** Which visits and events of a segment match. */
export type Matches = {
  segment: Segment;
  count: number;
  /** Ascending. */
  visits: Uint16Array;
  /** 1 for each event that matches. Undefined when all events of the visits do. */
  hits: Uint8Array | undefined;
};

/** Calls back for each matching event. Frequent dashboard questions have loops of their own instead. */
export function eachHit(
  { segment, count, visits, hits }: Matches,
  visitEvent: (event: number, visit: number) => void,
): void {
  const first = segment.column('first');
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number;
    const end = first[visit + 1] as number;
    for (let event = first[visit] as number; event < end; event += 1)
      if (hits === undefined || hits[event] === 1) visitEvent(event, visit);
  }
}

/**
 * Calls back for those of the given events that match.
 *
 * @param events ascending, such as those of a property
 * @param visitEvent `row` is the event's index in `events`
 */
export function eachHitAmong(
  events: Uint16Array,
  { segment, count, visits, hits }: Matches,
  visitEvent: (event: number, visit: number, row: number) => void,
): void {
  const first = segment.column('first');
  let index = 0;
  for (let row = 0; row < events.length; row += 1) {
    const event = events[row] as number;
    while (index < count && (first[(visits[index] as number) + 1] as number) <= event) index += 1;
    if (index === count) return;
    const visit = visits[index] as number;
    const isOfVisit = (first[visit] as number) <= event;
    if (isOfVisit && (hits === undefined || hits[event] === 1)) visitEvent(event, visit, row);
  }
}
