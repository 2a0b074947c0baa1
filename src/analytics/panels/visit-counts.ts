import { axisOf, type Day, type VisitAxis } from '../day.ts';
import type { Selection } from '../selection.ts';
import { addSparse } from './sparse-counts.ts';
import { ONE_VISIT, Tally } from './tally.ts';

/** Counts what the selected visits come to in `tally`. */
export type CountPanel = { tally: Tally; add(day: Day, selection: Selection): void };

/** Everything but distinct visitors, by the numbers of one axis of visits (below `size`). */
export function createVisitCounts(axis: VisitAxis, size: number): CountPanel {
  const tally = new Tally(size);
  const { eventsAndViews, visitsAndBounces, durationMs } = tally;

  function addVisits(day: Day, selection: Selection): void {
    const column = axisOf(day, axis);
    const { count, visits, eventsAndViews: ofEvents, bounced } = selection;
    const { durationMs: durations } = day;
    for (let index = 0; index < count; index += 1) {
      // Numbers of visits and of the axis are within their columns.
      const visit = visits[index] as number;
      const number = column[visit] as number;
      (eventsAndViews[number] as number) += ofEvents[index] as number;
      (visitsAndBounces[number] as number) += ONE_VISIT[bounced[index] as number] as number;
      (durationMs[number] as number) += durations[visit] as number;
    }
  }

  return {
    tally,
    add(day, selection) {
      const { sums } = selection;
      tally.reserve(day.eventCount);
      if (sums) addSparse(tally, sums.of(axis));
      addVisits(day, sums?.rest ?? selection);
    },
  };
}
