import { EVENT_TYPES } from '../contract/vocabulary.ts';
import { axisOf, type Day, exitPagesOf } from './day.ts';
import type { DaySummer } from './day-sums.ts';
import type { CompiledFilter, Cursor } from './filter.ts';
import { takeBytes, withSpare } from './panels/scratch.ts';
import { HIGH } from './panels/tally.ts';
import type { ScanColumns } from './scan-columns.ts';
import { bounceOf, dropVisits, emptySelection, reserve, type Selection, weigh } from './selection.ts';

const PAGEVIEW = EVENT_TYPES.indexOf('pageview');

export type Selector = {
  /**
   * @param skip these are left out, because they are joined with others and come in a day of their own; ascending
   * @param counts what is needed besides the visits: `none`; what `each` comes to; the same, but a day that is selected
   *   as a whole may be counted `ahead`
   */
  select(day: Day, skip: Uint32Array | undefined, counts: 'none' | 'each' | 'ahead'): Selection;
};

type Options = {
  fromMs: number;
  toMs: number;
  /** Bit n: events of class n count. */
  classMask: number;
  /** Only the visits of this visitor. */
  visitor: number | undefined;
  filter: CompiledFilter;
  columns: ScanColumns;
  sum: DaySummer;
};

export function createSelector({
  fromMs,
  toMs,
  classMask,
  visitor,
  filter,
  columns,
  sum,
}: Options): Selector {
  const { visitTables, visitTests, eventTables, eventTests, eventColumns } = filter;
  const isFiltered = visitTables.length + visitTests.length > 0;
  const testsEvents = eventTables.length + eventTests.length > 0;
  const cursor: Cursor = { client: 0, origin: 0, entryPage: 0, exitPage: 0, event: [] };
  const selection = emptySelection();
  const classPass = Uint8Array.from([0, 1, 2], (code) => (classMask >> code) & 1);
  let hits = new Uint8Array(0);

  function select(day: Day, skip: Uint32Array | undefined, counts: 'none' | 'each' | 'ahead'): Selection {
    reserve(selection, day.visitCount);
    selection.count = 0;
    selection.hit = undefined;
    selection.sums = undefined;
    selection.isWeighed = false;
    selection.counted = undefined;
    selectVisits(day, skip);
    if (visitor !== undefined) keepVisitor(day, visitor);
    if (isFiltered) filterVisits(day);
    const isWhole = day.startMs >= fromMs && day.endMs <= toMs;
    if (!isWhole || testsEvents) countHits(day);
    else if (counts === 'ahead' && !isFiltered && visitor === undefined)
      selection.sums = sum(day, classMask, skip);
    const isCounted = selection.hit !== undefined || selection.sums !== undefined;
    if (!isCounted && counts !== 'none') weigh(day, selection);
    return selection;
  }

  /** Without branches: which visits pass is as good as random. */
  function selectVisits(day: Day, skip: Uint32Array | undefined): void {
    const { visits } = selection;
    const { visitCount, class: classes } = day;
    const [table] = visitTables;
    let count = 0;
    if (table) {
      const { pass } = table;
      const column = axisOf(day, table.axis);
      for (let visit = 0; visit < visitCount; visit += 1) {
        visits[count] = visit;
        // Numbers of visits, classes and the axis are within their columns.
        count += (classPass[classes[visit] as number] as number) & (pass[column[visit] as number] as number);
      }
    } else
      for (let visit = 0; visit < visitCount; visit += 1) {
        visits[count] = visit;
        count += classPass[classes[visit] as number] as number;
      }
    selection.count = skip ? dropVisits(visits, count, skip) : count;
  }

  function keepVisitor(day: Day, wanted: number): void {
    const { visits, count } = selection;
    selection.count = 0;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      if (day.visitor[visit] !== wanted) continue;
      visits[selection.count] = visit;
      selection.count += 1;
    }
  }

  function filterVisits(day: Day): void {
    for (const { axis, pass } of visitTables.slice(1)) keepPassing(axisOf(day, axis), pass);
    if (visitTests.length === 0) return;
    const { visits } = selection;
    let kept = 0;
    for (let index = 0; index < selection.count; index += 1) {
      const visit = visits[index] as number;
      pointAt(day, visit);
      if (!visitTests.every((test) => test(cursor))) continue;
      visits[kept] = visit;
      kept += 1;
    }
    selection.count = kept;
  }

  function keepPassing(column: Uint32Array, pass: Uint8Array): void {
    const { visits, count } = selection;
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      visits[kept] = visit;
      kept += pass[column[visit] as number] as number; // 0 or 1
    }
    selection.count = kept;
  }

  /** Looks at each event, but for visits of which all match, and drops visits without a matching one. */
  function countHits(day: Day): void {
    if (hits.length < day.eventCount) hits = takeBytes(withSpare(day.eventCount));
    const { visits, eventsAndViews, bounced } = selection;
    const { first, atMs, type, durationMs, pageviews } = day;
    const from = Math.max(0, fromMs - day.startMs);
    const to = toMs - day.startMs;
    if (!testsEvents) hits.fill(1, 0, day.eventCount);
    const tables = eventTables.map(({ name, pass }) => ({ column: columns.get(day, name), pass }));
    const tested = eventTests.length > 0 ? eventColumns.map((name) => columns.get(day, name)) : [];
    let kept = 0;
    for (let index = 0; index < selection.count; index += 1) {
      const visit = visits[index] as number;
      const begin = first[visit] as number; // visits and events are within their columns
      const end = first[visit + 1] as number;
      const startMs = atMs[begin] as number;
      if (!testsEvents && startMs >= from && startMs + (durationMs[visit] as number) < to) {
        visits[kept] = visit;
        eventsAndViews[kept] = end - begin + HIGH * (pageviews[visit] as number);
        bounced[kept] = bounceOf(day, visit);
        kept += 1;
        continue;
      }
      if (tested.length > 0) pointAt(day, visit);
      let views = 0;
      let count = 0;
      for (let event = begin; event < end; event += 1) {
        const at = atMs[event] as number;
        let passes = at >= from && at < to ? 1 : 0;
        for (const { column, pass } of tables) passes &= pass[column[event] as number] as number;
        if (passes === 1 && eventTests.length > 0) passes = testEvent(tested, event) ? 1 : 0;
        hits[event] = passes;
        count += passes;
        if (type[event] === PAGEVIEW) views += passes;
      }
      if (count === 0) continue;
      visits[kept] = visit;
      eventsAndViews[kept] = count + HIGH * views;
      bounced[kept] = bounceOf(day, visit);
      kept += 1;
    }
    selection.count = kept;
    selection.hit = hits;
    selection.isWeighed = true;
  }

  function testEvent(tested: Uint32Array[], event: number): boolean {
    for (let slot = 0; slot < tested.length; slot += 1)
      cursor.event[slot] = (tested[slot] as Uint32Array)[event] as number;
    return eventTests.every((test) => test(cursor));
  }

  function pointAt(day: Day, visit: number): void {
    cursor.client = day.client[visit] as number;
    cursor.origin = day.origin[visit] as number;
    cursor.entryPage = day.entryPage[visit] as number;
    cursor.exitPage = exitPagesOf(day)[visit] as number;
  }

  return { select };
}
