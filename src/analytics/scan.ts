import type { Selection as SelectionRequest } from './analytics.ts';
import { CLASSES, type Day, type WideColumn } from './day.ts';
import type { Days } from './days.ts';
import { type CompiledFilter, compileFilter } from './filter.ts';
import { createScanColumns, type ScanColumns } from './scan-columns.ts';
import { createSelector, type Selection } from './selection.ts';
import { stitch } from './stitch.ts';
import type { Traffic } from './vocabulary.ts';
import type { WebsiteTerms } from './website-terms.ts';

const CLASS_MASKS: Record<Traffic, number> = {
  people: 1 << CLASSES.people,
  bots: 1 << CLASSES.bot,
  all: (1 << CLASSES.people) | (1 << CLASSES.bot) | (1 << CLASSES.excluded),
};

type Visit = (day: Day, selection: Selection) => void;

export type Scan = {
  columns: ScanColumns;
  /** Goes through the matching events, a day at a time. A second pass finds what the first one joined. */
  run(visit: Visit): void;
};

type Options = {
  /** `visitor`: only this one's visits. */
  request: SelectionRequest & { visitor?: number };
  terms: WebsiteTerms;
  days: Days;
  /** Columns of events that the panels read, besides `page`. */
  names: readonly string[];
  wideNames?: readonly WideColumn[];
};

/** One pass over the days of a selection. Every answer comes from here, which is why they agree. */
export function createScan({ request, terms, days, names, wideNames = [] }: Options): Scan {
  const { fromMs, toMs, traffic = 'people', visitor } = request;
  const columns = createScanColumns(days);
  const filter: CompiledFilter = compileFilter(request.filter, terms, columns);
  const needed = new Set([...names, ...filter.eventColumns]);
  needed.delete('page'); // every day has it
  const options = {
    classMask: CLASS_MASKS[traffic],
    anyClass: traffic === 'all',
    columns,
    names: [...needed],
    wideNames,
  };
  const selector = createSelector({
    fromMs,
    toMs,
    classMask: options.classMask,
    visitor,
    filter,
    columns,
  });
  /** What the first pass found: days by their numbers, because not all of them may fit in memory at once. */
  let plan: { day: Day | number; skip: Uint8Array | undefined }[] | undefined;

  function look(day: Day, skip: Uint8Array | undefined, visit: Visit): void {
    if (day.endMs <= fromMs || day.startMs >= toMs) return;
    const selection = selector.select(day, skip);
    if (selection.count > 0) visit(day, selection);
  }

  function runFirst(visit: Visit): void {
    const found: typeof plan = [];
    const range = days.range(fromMs, toMs, wideNames, options.anyClass);
    for (const { day, skip, isJoined } of stitch(range, options)) {
      found.push({ day: isJoined ? day : day.day, skip });
      look(day, skip, visit);
    }
    plan = found;
  }

  return {
    columns,
    run(visit) {
      if (!plan) return runFirst(visit);
      for (const { day, skip } of plan) {
        const known = typeof day === 'number' ? days.get(day) : day;
        if (!known) continue;
        for (const name of wideNames) if (typeof day === 'number') days.wide(known, name);
        look(known, skip, visit);
      }
    },
  };
}
