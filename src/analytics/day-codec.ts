import { type Column, decodeU8, decodeU32, encodeColumns, openColumns } from './column-codec.ts';
import { completeDay, type Day } from './day.ts';

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

export function decodeDay(day: number, blob: Uint8Array | ArrayBuffer): Day {
  const bytes = openColumns(blob);
  const counts = decodeU32(bytes, 4);
  const first = new Uint32Array(counts.length + 1);
  let sum = 0;
  for (let visit = 0; visit < counts.length; visit += 1) {
    sum += counts[visit] as number; // within the column
    first[visit + 1] = sum;
  }
  return completeDay({
    day,
    visitor: decodeU32(bytes, 0),
    class: decodeU8(bytes, 1),
    client: decodeU32(bytes, 2),
    origin: decodeU32(bytes, 3),
    first,
    atMs: decodeU32(bytes, 5),
    type: decodeU8(bytes, 6),
    page: decodeU32(bytes, 7),
  });
}
