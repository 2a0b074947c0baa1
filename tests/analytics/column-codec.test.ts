import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  decodeF64,
  decodeU8,
  decodeU32,
  encodeColumns,
  openColumns,
  sumOf,
} from '../../src/analytics/column-codec.ts';
import type { Column } from '../../src/analytics/column-loops.ts';
import { runs } from './oracle/runs.ts';

/** Few different values, many near each other, many far apart: each of the three forms, in each width. */
function values(most: number): fc.Arbitrary<number[]> {
  const near = fc.integer({ min: 0, max: Math.min(most, 300) });
  const far = fc.integer({ min: 0, max: most });
  const few = fc.uniqueArray(far, { minLength: 1, maxLength: 4 });
  return fc.oneof(
    fc.array(near, { maxLength: 400 }),
    fc.array(far, { maxLength: 400 }),
    few.chain((some) => fc.array(fc.constantFrom(...some), { maxLength: 900 })),
  );
}
const column: fc.Arbitrary<Column> = fc.oneof(
  values(0xff).map((rows) => Uint8Array.from(rows)),
  values(0xffff_ffff).map((rows) => Uint32Array.from(rows)),
  values(Number.MAX_SAFE_INTEGER).map((rows) => Float64Array.from(rows)),
);

test('columns are what they were after they were packed, wherever the blob lies in memory', () => {
  fc.assert(
    fc.property(fc.array(column, { maxLength: 6 }), fc.nat({ max: 9 }), (columns, offset) => {
      const packed = encodeColumns(columns);
      const moved = new Uint8Array(offset + packed.length).subarray(offset);
      moved.set(packed);
      const bytes = openColumns(moved);
      columns.forEach((rows, index) => {
        expect(decode(bytes, index, rows)).toEqual(rows);
        if (!(rows instanceof Float64Array))
          expect(sumOf(bytes, index)).toBe([...rows].reduce((sum, row) => sum + row, 0));
      });
    }),
    runs(250),
  );
});

function decode(bytes: Uint8Array, index: number, like: Column): Column {
  if (like instanceof Uint8Array) return decodeU8(bytes, index);
  return like instanceof Uint32Array ? decodeU32(bytes, index) : decodeF64(bytes, index);
}
