import { completeDay, type Day } from './day.ts';
import { AddedRows, type DayProperty, withRows } from './day-properties.ts';

/** A day without some of its visits. All of its columns must be loaded. */
export function withoutVisits(day: Day, isRemoved: (visit: number) => boolean): Day {
  const visits: number[] = [];
  const events: number[] = [];
  const first: number[] = [];
  for (let visit = 0; visit < day.visitCount; visit += 1) {
    if (isRemoved(visit)) continue;
    visits.push(visit);
    first.push(events.length);
    for (let event = day.first[visit] ?? 0; event < (day.first[visit + 1] ?? 0); event += 1)
      events.push(event);
  }
  first.push(events.length);
  const kept = completeDay({
    day: day.day,
    visitor: Uint32Array.from(visits, (visit) => day.visitor[visit] ?? 0),
    class: Uint8Array.from(visits, (visit) => day.class[visit] ?? 0),
    client: Uint32Array.from(visits, (visit) => day.client[visit] ?? 0),
    origin: Uint32Array.from(visits, (visit) => day.origin[visit] ?? 0),
    first: Uint32Array.from(first),
    atMs: Uint32Array.from(events, (event) => day.atMs[event] ?? 0),
    type: Uint8Array.from(events, (event) => day.type[event] ?? 0),
    page: Uint32Array.from(events, (event) => day.page[event] ?? 0),
  });
  for (const [name, column] of day.extra)
    kept.extra.set(
      name,
      Uint32Array.from(events, (event) => column[event] ?? 0),
    );
  for (const [name, column] of day.wide)
    kept.wide.set(
      name,
      Float64Array.from(events, (event) => column[event] ?? 0),
    );
  return kept;
}

/** The rows of the given ordinals only, and the values that they use. */
export function keepOrdinals(property: DayProperty, ordinals: ReadonlySet<number>): DayProperty {
  const kept = new AddedRows();
  property.ordinals.forEach((ordinal, row) => {
    if (!ordinals.has(ordinal)) return;
    const value = property.values[property.indexes[row] ?? 0] ?? '';
    kept.add(ordinal, value, property.numeric[row] === 1);
  });
  return withRows(undefined, kept);
}
