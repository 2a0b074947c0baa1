import { EVENT_TYPES } from '../../contract/vocabulary.ts';
import type { ScanColumns } from '../scan-columns.ts';
import { weigh } from '../selection.ts';
import { takeCounts } from './scratch.ts';
import { addSparse } from './sparse-counts.ts';
import { HIGH, ONE_VISIT, Tally } from './tally.ts';
import type { CountPanel } from './visit-counts.ts';

/** What an event of a type adds to Tally.eventsAndViews, by the type's code. */
const ONE_EVENT = Float64Array.from(EVENT_TYPES, (type) => (type === 'pageview' ? HIGH + 1 : 1));

/**
 * Everything but distinct visitors, by the values of a column of events. A visit that has a value twice counts once.
 *
 * @param size numbers of values are below this; it may grow during the scan
 */
export function createEventCounts(name: string, columns: ScanColumns, size: () => number): CountPanel {
  const tally = new Tally(size());
  let lastVisit = takeCounts(size());
  let visitSerial = 0;

  function enlarge(): void {
    tally.grow(size() * 2);
    const stamps = takeCounts(size() * 2);
    stamps.set(lastVisit);
    lastVisit = stamps;
  }

  return {
    tally,
    add(day, selection) {
      const { sums } = selection;
      const column = columns.get(day, name);
      if (tally.size < size()) enlarge();
      tally.reserve(day.eventCount);
      // A day has many times fewer pages than events.
      if (sums && name === 'page') addSparse(tally, sums.of('page'));
      const counted = sums && name === 'page' ? sums.rest : selection;
      weigh(day, counted);
      const { count, visits, bounced, hit } = counted;
      const { first, type, durationMs: durations } = day;
      const { eventsAndViews, visitsAndBounces, durationMs } = tally;
      const stamps = lastVisit;
      for (let index = 0; index < count; index += 1) {
        // Numbers of visits, events, types and values are within their columns.
        const visit = visits[index] as number;
        const end = first[visit + 1] as number;
        const duration = durations[visit] as number;
        const ofVisit = ONE_VISIT[bounced[index] as number] as number;
        visitSerial += 1;
        for (let event = first[visit] as number; event < end; event += 1) {
          if (hit !== undefined && hit[event] === 0) continue;
          const value = column[event] as number;
          (eventsAndViews[value] as number) += ONE_EVENT[type[event] as number] as number;
          if (stamps[value] === visitSerial) continue;
          stamps[value] = visitSerial;
          (visitsAndBounces[value] as number) += ofVisit;
          (durationMs[value] as number) += duration;
        }
      }
    },
  };
}
