import type { Day } from '../day.ts';
import type { Scan } from '../scan.ts';
import type { Selection } from '../selection.ts';
import { addCounts, type Counts, countSelected, noCounts } from './figures.ts';

export type TotalsPanel = { add(day: Day, selection: Selection): void; finish(): Counts };

/** @param scan which meets the visitors */
export function createTotals(scan: Pick<Scan, 'peopleCount'>): TotalsPanel {
  const counts = noCounts();
  return {
    add: (day, selection) => void addCounts(counts, countSelected(day, selection)),
    finish: () => ({ ...counts, visitors: scan.peopleCount() }),
  };
}
