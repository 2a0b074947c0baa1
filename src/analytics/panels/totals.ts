import type { Day } from '../day.ts';
import type { Scan } from '../scan.ts';
import type { Selection } from '../selection.ts';
import { type Counts, countVisits, noCounts } from './figures.ts';

export type TotalsPanel = { add(day: Day, selection: Selection): void; finish(): Counts };

/** @param scan which meets the visitors */
export function createTotals(scan: Pick<Scan, 'peopleCount'>): TotalsPanel {
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
    },
    finish: () => ({ ...counts, visitors: scan.peopleCount() }),
  };
}
