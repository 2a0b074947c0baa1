import { type Day, EXTRA_COLUMNS, furtherColumnsOf, WIDE_COLUMNS, whole } from './day.ts';
import { createGrowingDay } from './growing-day.ts';
import { withoutVisits } from './keep-events.ts';
import type { LogRow, PendingEvent } from './read-event.ts';

/** The rows of the log with these keys, ascending like them. Those that are gone are left out. */
export type ReadRows = (keys: readonly number[]) => LogRow[] | Promise<LogRow[]>;

const READ_ROWS_A_STEP = 1_000;

type Parts = {
  removed: ReadonlySet<number>;
  readRows: ReadRows;
  read: (row: LogRow) => PendingEvent;
};

/**
 * A day without some of its events. All of its columns must be loaded. Visits that lose a part are made anew from the
 * log: without an event in their middle they may fall apart, and what a visit says of its client and its origin is what
 * its first event said. The others need no row of the log.
 */
export async function withoutEvents(day: Day, { removed, readRows, read }: Parts): Promise<Day> {
  const { touched, rest } = findTouched(day, removed);
  const kept = withoutVisits(day, (visit) => touched.has(visit));
  const growing = createGrowingDay(
    day.day,
    { ...kept, extra: new Map(), wide: new Map() },
    furtherColumnsOf(kept),
  );
  const keys = [...rest.keys()].sort((a, b) => a - b);
  for (let start = 0; start < keys.length; start += READ_ROWS_A_STEP)
    for (const row of await readRows(keys.slice(start, start + READ_ROWS_A_STEP)))
      growing.add(read(row), rest.get(row[0]) ?? 0);
  const changed = growing.current();
  for (const name of EXTRA_COLUMNS) changed.extra.set(name, whole(growing.extra(name)));
  for (const name of WIDE_COLUMNS) changed.wide.set(name, whole(growing.wide(name)));
  return changed;
}

/** The visits that lose an event, and what is left of them: the ordinals of events by their keys. */
function findTouched(day: Day, removed: ReadonlySet<number>) {
  const keys = day.wide.get('key') ?? new Float64Array(0);
  const ordinals = day.extra.get('ordinal');
  const touched = new Set<number>();
  const rest = new Map<number, number>();
  for (let visit = 0; visit < day.visitCount; visit += 1) {
    const from = day.first[visit] ?? 0;
    const to = day.first[visit + 1] ?? 0;
    if (!keys.subarray(from, to).some((key) => removed.has(key))) continue;
    touched.add(visit);
    for (let event = from; event < to; event += 1) {
      const key = keys[event] ?? 0;
      if (!removed.has(key)) rest.set(key, ordinals?.[event] ?? 0);
    }
  }
  return { touched, rest };
}
