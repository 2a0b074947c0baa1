import {
  type Column,
  decodeU8,
  decodeU32,
  encodeColumns,
  lengthOf,
  openColumns,
  unpack,
} from './column-codec.ts';
import { completeDay, type Day, dayBytes } from './day.ts';
import { type Allocate, OWN } from './slab.ts';

/** A day as the blob of `day_blocks`: the columns that cannot be computed from others. */
export function encodeDay(day: Day): Uint8Array {
  const counts = new Uint32Array(day.visitCount);
  for (let visit = 0; visit < counts.length; visit += 1)
    // `first` has one more entry than there are visits.
    counts[visit] = (day.first[visit + 1] as number) - (day.first[visit] as number);
  const columns: Column[] = [
    day.visitor,
    day.class,
    day.client,
    day.origin,
    counts,
    day.atMs,
    day.type,
    day.page,
  ];
  return encodeColumns(columns);
}

/** What a packed day will take in memory. */
export function decodedBytes(blob: Uint8Array): number {
  const bytes = openColumns(blob);
  return dayBytes(lengthOf(bytes, 0), lengthOf(bytes, 5));
}

export function decodeDay(day: number, blob: Uint8Array, allocate: Allocate = OWN): Day {
  const bytes = openColumns(blob);
  const first = allocate.u32(lengthOf(bytes, 0) + 1);
  first[0] = 0;
  unpack(bytes, 4, first.subarray(1)); // how many events each visit has
  for (let visit = 1; visit < first.length; visit += 1)
    first[visit] = (first[visit] as number) + (first[visit - 1] as number); // within the column
  const core = {
    day,
    visitor: decodeU32(bytes, 0, allocate),
    class: decodeU8(bytes, 1, allocate),
    client: decodeU32(bytes, 2, allocate),
    origin: decodeU32(bytes, 3, allocate),
    first,
    atMs: decodeU32(bytes, 5, allocate),
    type: decodeU8(bytes, 6, allocate),
    page: decodeU32(bytes, 7, allocate),
  };
  return completeDay(core, allocate);
}
