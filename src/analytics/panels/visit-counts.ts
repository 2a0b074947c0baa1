import { axisOf, type Day, type VisitAxis } from '../day.ts';
import type { Selection } from '../selection.ts';
import { type CountColumns, createCounts } from './figures.ts';
import { addSparse } from './sparse-counts.ts';

export type CountPanel = { add(day: Day, selection: Selection): void; finish(): CountColumns };

/** Everything but distinct visitors, by the numbers of one axis of visits (below `size`). */
export function createVisitCounts(axis: VisitAxis, size: number): CountPanel {
  const counts = createCounts(size);
  const { visits, pageviews, events, bounces, durationMs } = counts;

  function addVisits(day: Day, { count, visits: selected, pageviews: views, events: all }: Selection): void {
    const column = axisOf(day, axis);
    const { first, durationMs: durations, pageviews: ownViews } = day;
    for (let index = 0; index < count; index += 1) {
      // Numbers of visits and of the axis are within their columns.
      const visit = selected[index] as number;
      const number = column[visit] as number;
      (visits[number] as number) += 1;
      (pageviews[number] as number) += views[index] as number;
      (events[number] as number) += all[index] as number;
      (durationMs[number] as number) += durations[visit] as number;
      if (ownViews[visit] === 1 && (first[visit + 1] as number) - (first[visit] as number) === 1)
        (bounces[number] as number) += 1;
    }
  }

  return {
    add(day, selection) {
      const { sums } = selection;
      if (sums) addSparse(counts, sums.of(axis));
      addVisits(day, sums?.rest ?? selection);
    },
    finish: () => counts,
  };
}
