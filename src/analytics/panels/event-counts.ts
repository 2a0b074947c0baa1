import { EVENT_TYPES } from '../../contract/vocabulary.ts';
import type { ScanColumns } from '../scan-columns.ts';
import { type CountColumns, createCounts } from './figures.ts';
import { addSparse } from './sparse-counts.ts';
import type { CountPanel } from './visit-counts.ts';

const PAGEVIEW = EVENT_TYPES.indexOf('pageview');

/**
 * Everything but distinct visitors, by the values of a column of events. A visit that has a value twice counts once.
 *
 * @param size numbers of values are below this; it may grow during the scan
 */
export function createEventCounts(name: string, columns: ScanColumns, size: () => number): CountPanel {
  let counts = createCounts(size());
  let lastVisit = new Uint32Array(size());
  let visitSerial = 0;

  function enlarge(): void {
    const larger = createCounts(size() * 2);
    for (const key of Object.keys(counts) as (keyof CountColumns)[]) larger[key].set(counts[key]);
    counts = larger;
    const stamps = new Uint32Array(size() * 2);
    stamps.set(lastVisit);
    lastVisit = stamps;
  }

  return {
    add(day, selection) {
      const { sums } = selection;
      // A day has many times fewer pages than events.
      if (sums && name === 'page') addSparse(counts, sums.of('page'));
      const { count, visits: selected, hit } = sums && name === 'page' ? sums.rest : selection;
      const column = columns.get(day, name);
      if (counts.visits.length < size()) enlarge();
      const { first, type, durationMs: durations, pageviews: views } = day;
      const { visits, pageviews, events, bounces, durationMs } = counts;
      const stamps = lastVisit;
      for (let index = 0; index < count; index += 1) {
        // Numbers of visits, events and values are within their columns.
        const visit = selected[index] as number;
        const begin = first[visit] as number;
        const end = first[visit + 1] as number;
        const duration = durations[visit] as number;
        const bounce = end - begin === 1 && views[visit] === 1 ? 1 : 0;
        visitSerial += 1;
        for (let event = begin; event < end; event += 1) {
          if (hit !== undefined && hit[event] === 0) continue;
          const value = column[event] as number;
          (events[value] as number) += 1;
          if (type[event] === PAGEVIEW) (pageviews[value] as number) += 1;
          if (stamps[value] === visitSerial) continue;
          stamps[value] = visitSerial;
          (visits[value] as number) += 1;
          (durationMs[value] as number) += duration;
          (bounces[value] as number) += bounce;
        }
      }
    },
    finish: () => counts,
  };
}
