import type { Day } from '../day.ts';
import type { Selection } from '../selection.ts';
import { type Counts, countVisits, noCounts } from './figures.ts';
import { takeScratch } from './scratch.ts';
import { markVisitors } from './visitor-bits.ts';

export type TotalsPanel = { add(day: Day, selection: Selection): void; finish(): Counts };

/** @param visitorCount the greatest number of a visitor */
export function createTotals(visitorCount: number): TotalsPanel {
  const seen = takeScratch((visitorCount >>> 5) + 1);
  const counts = noCounts();

  /** But for the visitors, which do not add up. */
  function addCounts({ visits, pageviews, events, bounces, durationMs }: Counts): void {
    counts.visits += visits;
    counts.pageviews += pageviews;
    counts.events += events;
    counts.bounces += bounces;
    counts.durationMs += durationMs;
  }

  return {
    add(day, selection) {
      const { sums } = selection;
      if (sums) addCounts(sums.totals);
      addCounts(countVisits(day, sums?.rest ?? selection));
      counts.visitors += markVisitors(day.visitor, selection, seen);
    },
    finish: () => counts,
  };
}
