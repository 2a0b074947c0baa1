import type { Arena } from '../memory/arena.ts';
import type { SelectionVector } from './select.ts';

/** Calls back for each matching event. What a dashboard asks all the time has loops of its own instead. */
export function eachHit(
  { segment, count, visits, hits }: SelectionVector,
  visitEvent: (event: number, visit: number) => void,
): void {
  const first = segment.column('first');
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number; // within the columns
    const end = first[visit + 1] as number;
    for (let event = first[visit] as number; event < end; event += 1)
      if (hits === undefined || hits[event] === 1) visitEvent(event, visit);
  }
}

/** By event: its visit + 1 when it matches, else 0. For what is stored beside some of the events. */
export function visitsByEvent(vector: SelectionVector, arena: Arena): Uint32Array {
  const visitOf = arena.u32(vector.segment.eventCount);
  eachHit(vector, (event, visit) => {
    visitOf[event] = visit + 1;
  });
  return visitOf;
}
