/**
 * Loops over the rows of columns, one for each kind of array that large columns come in: one for all kinds is three times
 * as slow.
 */

/** In memory. */
export type Column = Uint8Array | Uint32Array | Float64Array;
/** As packed. */
export type Narrow = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** The index is below the length: a typed array has no holes. */
export function at(array: ArrayLike<number>, index: number): number {
  return array[index] as number;
}

type Bounds = { least: number; most: number };

export function boundsOf(column: Column): Bounds {
  if (column instanceof Float64Array) return boundsOfNumbers(column);
  let least = 0xffff_ffff;
  let most = 0;
  if (column instanceof Uint32Array)
    for (let row = 0; row < column.length; row += 1) {
      const value = column[row] as number; // within it, as below; an iterator takes five times as long
      if (value < least) least = value;
      if (value > most) most = value;
    }
  else
    for (let row = 0; row < column.length; row += 1) {
      const value = column[row] as number;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  return { least, most };
}

function boundsOfNumbers(column: Float64Array): Bounds {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < column.length; row += 1) {
    const value = column[row] as number; // within it
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { least, most };
}

export function writeOffsets(column: Column, least: number, out: Narrow): void {
  // Both have the same length.
  if (column instanceof Uint32Array && out instanceof Uint8Array)
    for (let row = 0; row < column.length; row += 1) out[row] = (column[row] as number) - least;
  else if (column instanceof Uint32Array && out instanceof Uint16Array)
    for (let row = 0; row < column.length; row += 1) out[row] = (column[row] as number) - least;
  else if (column instanceof Uint32Array && out instanceof Uint32Array)
    for (let row = 0; row < column.length; row += 1) out[row] = (column[row] as number) - least;
  else if (column instanceof Uint8Array && out instanceof Uint8Array)
    for (let row = 0; row < column.length; row += 1) out[row] = (column[row] as number) - least;
  else if (column instanceof Float64Array && out instanceof Uint32Array)
    for (let row = 0; row < column.length; row += 1) out[row] = (column[row] as number) - least;
  else for (let row = 0; row < column.length; row += 1) out[row] = at(column, row) - least;
}

export function addBase(rows: Narrow, base: number, out: Uint32Array): void {
  // Both have the same length.
  if (rows instanceof Uint8Array)
    for (let row = 0; row < out.length; row += 1) out[row] = (rows[row] as number) + base;
  else if (rows instanceof Uint16Array)
    for (let row = 0; row < out.length; row += 1) out[row] = (rows[row] as number) + base;
  else if (rows instanceof Uint32Array)
    for (let row = 0; row < out.length; row += 1) out[row] = (rows[row] as number) + base;
  else for (let row = 0; row < out.length; row += 1) out[row] = at(rows, row) + base;
}

/** @param rows indexes into the table */
export function lookUp(rows: Narrow, table: Uint32Array, out: Uint32Array): void {
  // Rows have the same length, and their values are below the table's.
  if (rows instanceof Uint8Array)
    for (let row = 0; row < out.length; row += 1) out[row] = table[rows[row] as number] as number;
  else if (rows instanceof Uint16Array)
    for (let row = 0; row < out.length; row += 1) out[row] = table[rows[row] as number] as number;
  else for (let row = 0; row < out.length; row += 1) out[row] = table[at(rows, row)] as number;
}
