import { discard, release } from '../garbage.ts';
import type { Day, VisitAxis } from './day.ts';
import { type Joints, jointsBytes, jointsOf } from './joints.ts';
import { createEventCounts } from './panels/event-counts.ts';
import { type Counts, countVisits } from './panels/figures.ts';
import { freeSparse, type SparseCounts, sparseBytes, takeSparse } from './panels/sparse-counts.ts';
import { type CountPanel, createVisitCounts } from './panels/visit-counts.ts';
import type { ScanColumns } from './scan-columns.ts';
import { dropVisits, emptySelection, reserve, type Selection, weigh } from './selection.ts';

/** What is counted ahead: by the axes of visits, and by page. */
export type SummedAxis = VisitAxis | 'page';

/**
 * A whole day without a filter, counted ahead. Most visits belong to their day alone, so what they come to is found once
 * and kept, longer than the day itself; a question adds the days up. Visits near midnight may be joined with those of
 * other days, and are the rest, which every question counts by itself.
 */
export type DaySums = {
  /** But for the visitors, who do not add up. */
  totals: Counts;
  of(axis: SummedAxis): SparseCounts;
  rest: Selection;
};

export type DaySummer = (day: Day, classMask: number, skip: Uint32Array | undefined) => DaySums | undefined;

type Known = {
  totals: Counts;
  byAxis: Map<SummedAxis, SparseCounts>;
  /** The visits of these classes that may be joined, ascending. */
  joints: Uint32Array;
};

/** What is kept of a day, as long as it does not change. */
export type KeptSums = {
  joints: Joints | undefined;
  /** By mask of classes. */
  known: Map<number, Known>;
  /** To be asked before so much is added. @returns false: it is not to be kept */
  grow(bytes: number): boolean;
};

/** Gives its memory back. */
export function freeSums({ known }: KeptSums): void {
  for (const { byAxis, joints } of known.values()) {
    release(joints);
    for (const counts of byAxis.values()) freeSparse(counts);
  }
}

/**
 * Counts day after day in the same memory: of its own for each, it came to 60 MiB of garbage for a month.
 *
 * @param sizeOf numbers of an axis are below this
 * @param keptOf where they are kept; undefined: there is no room
 */
export function createDaySummer(
  columns: ScanColumns,
  sizeOf: (axis: SummedAxis) => number,
  keptOf: (day: Day) => KeptSums | undefined,
): DaySummer {
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

  function knownOf(day: Day, classMask: number, kept: KeptSums): Known {
    const before = kept.known.get(classMask);
    if (before) return before;
    const ofDay = jointsOf(day);
    if (!kept.joints && kept.grow(jointsBytes(ofDay))) kept.joints = ofDay;
    const made = {
      totals: countVisits(day, select(day, classMask)),
      byAxis: new Map<SummedAxis, SparseCounts>(),
      joints: jointVisits(day, classMask),
    };
    if (kept.grow(made.joints.byteLength)) kept.known.set(classMask, made);
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
    return takeSparse(panel.tally);
  }

  return (day, classMask, skip) => {
    const kept = keptOf(day);
    if (!kept) return undefined;
    const known = knownOf(day, classMask, kept);
    const { totals, byAxis, joints } = known;
    return {
      totals,
      of(axis) {
        const before = byAxis.get(axis);
        if (before) return before;
        const made = count(day, classMask, axis);
        const isKept = kept.known.get(classMask) === known && kept.grow(sparseBytes(made));
        if (isKept) byAxis.set(axis, made);
        else discard(sparseBytes(made));
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
