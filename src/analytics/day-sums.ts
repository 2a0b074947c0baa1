import type { Day, VisitAxis } from './day.ts';
import { jointsOf } from './joints.ts';
import { createEventCounts } from './panels/event-counts.ts';
import { type Counts, countVisits } from './panels/figures.ts';
import { type SparseCounts, sparseBytes, takeSparse } from './panels/sparse-counts.ts';
import { type CountPanel, createVisitCounts } from './panels/visit-counts.ts';
import type { ScanColumns } from './scan-columns.ts';
import { dropVisits, emptySelection, reserve, type Selection, weigh } from './selection.ts';

/** What is counted ahead: by the axes of visits, and by page. */
export type SummedAxis = VisitAxis | 'page';

/**
 * A whole day without a filter, counted ahead. Most visits belong to their day alone, so what they come to is found once
 * for each day in memory; a question adds the days up. Visits near midnight may be joined with those of other days, and
 * are the rest, which every question counts by itself.
 */
export type DaySums = {
  /** But for the visitors, who do not add up. */
  totals: Counts;
  of(axis: SummedAxis): SparseCounts;
  rest: Selection;
};

export type DaySummer = (day: Day, classMask: number, skip: Uint32Array | undefined) => DaySums;

/** Goes with the day when that leaves the memory; by mask of classes. */
const known = new WeakMap<Day, Map<number, Known>>();
type Known = {
  totals: Counts;
  byAxis: Map<SummedAxis, SparseCounts>;
  /** The visits of these classes that may be joined, ascending. */
  joints: Uint32Array;
};

/**
 * Counts day after day in the same memory: of its own for each, it came to 60 MiB of garbage for a month.
 *
 * @param sizeOf numbers of an axis are below this
 */
export function createDaySummer(columns: ScanColumns, sizeOf: (axis: SummedAxis) => number): DaySummer {
  const panels = new Map<SummedAxis, CountPanel>();
  const selection = emptySelection();
  let selected: Day | undefined;

  /** The visits that are no joints. */
  function select(day: Day, classMask: number): Selection {
    if (selected === day) return selection;
    selected = day;
    const isLeftOut = new Uint8Array(day.visitCount);
    for (const visit of jointVisits(day, classMask)) isLeftOut[visit] = 1;
    reserve(selection, day.visitCount);
    selection.count = 0;
    for (let visit = 0; visit < day.visitCount; visit += 1) {
      // Visits are within their columns.
      if (isLeftOut[visit] === 1 || ((classMask >> (day.class[visit] as number)) & 1) === 0) continue;
      selection.visits[selection.count] = visit;
      selection.count += 1;
    }
    selection.isWeighed = false;
    weigh(day, selection);
    return selection;
  }

  function knownOf(day: Day, classMask: number): Known {
    const byMask = known.get(day) ?? new Map<number, Known>();
    const before = byMask.get(classMask);
    if (before) return before;
    known.set(day, byMask);
    const made = {
      totals: countVisits(day, select(day, classMask)),
      byAxis: new Map<SummedAxis, SparseCounts>(),
      joints: jointVisits(day, classMask),
    };
    day.summedBytes = (day.summedBytes ?? 0) + made.joints.byteLength;
    byMask.set(classMask, made);
    return made;
  }

  function count(day: Day, classMask: number, axis: SummedAxis): SparseCounts {
    let panel = panels.get(axis);
    if (!panel) {
      const size = sizeOf(axis);
      panel =
        axis === 'page' ? createEventCounts('page', columns, () => size) : createVisitCounts(axis, size);
      panels.set(axis, panel);
    }
    panel.add(day, select(day, classMask));
    const counts = takeSparse(panel.tally);
    day.summedBytes = (day.summedBytes ?? 0) + sparseBytes(counts);
    return counts;
  }

  return (day, classMask, skip) => {
    const { totals, byAxis, joints } = knownOf(day, classMask);
    return {
      totals,
      of(axis) {
        const before = byAxis.get(axis);
        if (before) return before;
        const made = count(day, classMask, axis);
        byAxis.set(axis, made);
        return made;
      },
      rest: toRest(day, joints, skip),
    };
  };
}

function jointVisits(day: Day, classMask: number): Uint32Array {
  const { heads, tails, mixed } = jointsOf(day);
  const visits = [...new Set([...heads, ...tails, ...mixed])].filter(
    (visit) => ((classMask >> (day.class[visit] ?? 0)) & 1) === 1,
  );
  return Uint32Array.from(visits).sort();
}

function toRest(day: Day, joints: Uint32Array, skip: Uint32Array | undefined): Selection {
  const rest = emptySelection();
  rest.visits = joints.slice();
  rest.count = skip ? dropVisits(rest.visits, joints.length, skip) : joints.length;
  rest.eventsAndViews = new Float64Array(rest.count);
  rest.bounced = new Uint8Array(rest.count);
  weigh(day, rest);
  return rest;
}
