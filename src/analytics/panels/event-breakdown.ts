import { EVENT_TYPES } from '../../contract/vocabulary.ts';
import type { Day } from '../day.ts';
import type { ScanColumns } from '../scan-columns.ts';
import type { Selection } from '../selection.ts';
import { type CountColumns, createCounts } from './figures.ts';

const PAGEVIEW = EVENT_TYPES.indexOf('pageview');

export type EventBreakdown = {
  add(day: Day, selection: Selection): void;
  finish(): CountColumns;
};

/**
 * Counts the values of a column of events. A visit that has a value twice counts once; the pairs (value, visitor) are
 * gathered and sorted by value at the end, which finds the distinct visitors of all values with one stamp a visitor.
 *
 * @param size         numbers of values are below this; it may grow during the scan
 * @param visitorCount the greatest number of a visitor
 */
export function createEventBreakdown(
  name: string,
  columns: ScanColumns,
  size: () => number,
  visitorCount: number,
): EventBreakdown {
  let counts = createCounts(size());
  let lastVisit = new Float64Array(size());
  let visitSerial = 0;
  let values = new Uint32Array(4_096);
  let people = new Uint32Array(4_096);
  let pairs = 0;

  function add(day: Day, { count, visits: selected, hit }: Selection): void {
    const column = columns.get(day, name);
    if (counts.visits.length < size()) enlarge();
    reserve(day.eventCount);
    const { first, type, visitor, durationMs, pageviews: views } = day;
    for (let index = 0; index < count; index += 1) {
      // Numbers of visits, events and values are within their columns.
      const visit = selected[index] as number;
      const end = first[visit + 1] as number;
      const begin = first[visit] as number;
      const isBounce = end - begin === 1 && views[visit] === 1;
      visitSerial += 1;
      for (let event = begin; event < end; event += 1) {
        if (hit !== undefined && hit[event] === 0) continue;
        const value = column[event] as number;
        (counts.events[value] as number) += 1;
        if (type[event] === PAGEVIEW) (counts.pageviews[value] as number) += 1;
        if (lastVisit[value] === visitSerial) continue;
        lastVisit[value] = visitSerial;
        (counts.visits[value] as number) += 1;
        (counts.durationMs[value] as number) += durationMs[visit] as number;
        if (isBounce) (counts.bounces[value] as number) += 1;
        values[pairs] = value;
        people[pairs] = visitor[visit] as number;
        pairs += 1;
      }
    }
  }

  function enlarge(): void {
    const larger = createCounts(size() * 2);
    for (const key of Object.keys(counts) as (keyof CountColumns)[]) larger[key].set(counts[key]);
    counts = larger;
    const stamps = new Float64Array(size() * 2);
    stamps.set(lastVisit);
    lastVisit = stamps;
  }

  function reserve(more: number): void {
    if (pairs + more <= values.length) return;
    const length = Math.ceil((pairs + more) * 1.5);
    const oldValues = values;
    const oldPeople = people;
    values = new Uint32Array(length);
    people = new Uint32Array(length);
    values.set(oldValues.subarray(0, pairs));
    people.set(oldPeople.subarray(0, pairs));
  }

  /** Sorts the pairs by value (counting sort) and stamps each visitor with the value. */
  function finish(): CountColumns {
    const valueCount = counts.visits.length;
    const next = new Uint32Array(valueCount + 1);
    for (let pair = 0; pair < pairs; pair += 1) (next[(values[pair] as number) + 1] as number) += 1;
    for (let value = 0; value < valueCount; value += 1)
      next[value + 1] = (next[value + 1] as number) + (next[value] as number);
    const sorted = new Uint32Array(pairs);
    for (let pair = 0; pair < pairs; pair += 1) {
      const value = values[pair] as number;
      const place = next[value] as number;
      sorted[place] = people[pair] as number;
      next[value] = place + 1;
    }
    // next[value] is now where the pairs of that value end.
    const stamp = new Uint32Array(visitorCount + 1);
    let pair = 0;
    for (let value = 0; value < valueCount; value += 1) {
      const end = next[value] as number;
      let visitors = 0;
      for (; pair < end; pair += 1) {
        const person = sorted[pair] as number;
        if (stamp[person] === value + 1) continue;
        stamp[person] = value + 1;
        visitors += 1;
      }
      counts.visitors[value] = visitors;
    }
    return counts;
  }

  return { add, finish };
}
