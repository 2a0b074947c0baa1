import type { Day } from '../day.ts';
import type { Selection } from '../selection.ts';
import type { Counts } from './figures.ts';
import { takeScratch } from './scratch.ts';

export type TotalsPanel = { add(day: Day, selection: Selection): void; finish(): Counts };

/** @param visitorCount the greatest number of a visitor */
export function createTotals(visitorCount: number): TotalsPanel {
  /** One bit for each visitor. */
  const seen = takeScratch((visitorCount >>> 5) + 1);
  const counts: Counts = { visitors: 0, visits: 0, pageviews: 0, events: 0, bounces: 0, durationMs: 0 };

  return {
    add({ visitor, first, pageviews: views, durationMs }, { count, visits, pageviews, events }) {
      let visitors = 0;
      let bounces = 0;
      let duration = 0;
      let sumPageviews = 0;
      let sumEvents = 0;
      for (let index = 0; index < count; index += 1) {
        // Numbers of visits and visitors are within their columns.
        const visit = visits[index] as number;
        const person = visitor[visit] as number;
        const word = seen[person >>> 5] as number;
        const bit = 1 << (person & 31);
        if ((word & bit) === 0) {
          seen[person >>> 5] = word | bit;
          visitors += 1;
        }
        if (views[visit] === 1 && (first[visit + 1] as number) - (first[visit] as number) === 1) bounces += 1;
        duration += durationMs[visit] as number;
        sumPageviews += pageviews[index] as number;
        sumEvents += events[index] as number;
      }
      counts.visitors += visitors;
      counts.visits += count;
      counts.pageviews += sumPageviews;
      counts.events += sumEvents;
      counts.bounces += bounces;
      counts.durationMs += duration;
    },
    finish: () => counts,
  };
}
