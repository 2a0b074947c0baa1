import { giveBack } from '../garbage.ts';
import { addBase, at, boundsOf, type Column, lookUp, type Narrow, writeOffsets } from './column-loops.ts';
import { NumberTable } from './number-table.ts';
import { type Allocate, OWN } from './slab.ts';

/**
 * Packs columns of non-negative or any whole numbers (below 2^53) into one blob and back. Each column is stored in the
 * narrowest of three forms: one value for all rows; offsets from the least value in 1, 2, 4 or 8 bytes; or a table of
 * the different values and indexes into it. In memory a column always has one type, which the scan's loops rely on.
 *
 * Layout: a head of 8 numbers (float64) a column, then its table and its rows, each aligned to 8 bytes.
 */

const FORMS = { constant: 0, offsets: 1, table: 2 } as const;
/** rows, form, base, width of a row, start of rows, length of the table, width of an entry, start of the table */
const HEAD_FIELDS = 8;
const HEAD_BYTES = HEAD_FIELDS * 8;
const TABLE_MAX = 65_536;

/**
 * Columns are packed into their place one after the other: all packed forms first, and then their blob, would be a busy
 * day twice. There is room for columns that cannot be made narrower; what nothing was written to mostly takes no memory.
 */
export function encodeColumns(columns: readonly Column[]): Uint8Array {
  const headsBytes = 8 + columns.length * HEAD_BYTES;
  // Table and rows together are not larger than the column; each is aligned.
  const room = columns.reduce((sum, { byteLength }) => sum + align(byteLength) + 8, headsBytes);
  const bytes = new Uint8Array(room);
  new Float64Array(bytes.buffer, 0, 1)[0] = columns.length;
  let end = headsBytes;
  columns.forEach((column, index) => {
    const { head, endsAt } = pack(column, { bytes, start: end });
    new Float64Array(bytes.buffer, 8 + index * HEAD_BYTES, HEAD_FIELDS).set(head);
    end = endsAt;
  });
  return bytes.subarray(0, end);
}

/** @param blob as SQLite gave it, on any alignment */
export function openColumns(blob: Uint8Array | ArrayBuffer): Uint8Array {
  const bytes = blob instanceof ArrayBuffer ? new Uint8Array(blob) : blob;
  return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
}

export function decodeU8(bytes: Uint8Array, index: number, allocate: Allocate = OWN): Uint8Array {
  return unpack(bytes, index, allocate.u8(lengthOf(bytes, index)));
}
export function decodeU32(bytes: Uint8Array, index: number, allocate: Allocate = OWN): Uint32Array {
  return unpack(bytes, index, allocate.u32(lengthOf(bytes, index)));
}
export function decodeF64(bytes: Uint8Array, index: number): Float64Array {
  return unpack(bytes, index, new Float64Array(lengthOf(bytes, index)));
}

/** How many columns a blob has. */
export function headCount(bytes: Uint8Array): number {
  return new Float64Array(bytes.buffer, bytes.byteOffset, 1)[0] ?? 0;
}

/** How many rows a column has. */
export function lengthOf(bytes: Uint8Array, index: number): number {
  return headOf(bytes, index)[0] ?? 0;
}

/** What the rows of a column come to together, mostly without unpacking it. */
export function sumOf(bytes: Uint8Array, index: number): number {
  const { length, form, base, width, start } = readHead(bytes, index);
  if (form === FORMS.constant) return length * base;
  const rows = form === FORMS.offsets ? view(bytes, start, length, width) : decodeU32(bytes, index);
  let sum = form === FORMS.offsets ? length * base : 0;
  for (let row = 0; row < length; row += 1) sum += at(rows, row);
  return sum;
}

function headOf(bytes: Uint8Array, index: number): Float64Array {
  return new Float64Array(bytes.buffer, bytes.byteOffset + 8 + index * HEAD_BYTES, HEAD_FIELDS);
}

/** Field by field: to take an array of numbers apart by a pattern runs an iterator, for each column of each day. */
function readHead(bytes: Uint8Array, index: number) {
  const head = headOf(bytes, index);
  return {
    length: at(head, 0),
    form: at(head, 1),
    base: at(head, 2),
    width: at(head, 3),
    start: at(head, 4),
    tableLength: at(head, 5),
    tableWidth: at(head, 6),
    tableStart: at(head, 7),
  };
}

type Packed = { head: number[]; endsAt: number };
/** Where a column is packed to: into these bytes, from here on. */
type Place = { bytes: Uint8Array; start: number };

function pack(column: Column, place: Place): Packed {
  const { bytes, start } = place;
  const length = column.length;
  const { least, most } = boundsOf(column);
  if (length === 0 || least === most)
    return { head: [length, FORMS.constant, length === 0 ? 0 : least, 0, start, 0, 0, start], endsAt: start };
  const width = widthOf(most - least);
  const coded = width > 1 ? packTable(column, least, width, place) : undefined;
  if (coded) return coded;
  writeOffsets(column, least, view(bytes, start, length, width));
  return {
    head: [length, FORMS.offsets, least, width, start, 0, 0, start],
    endsAt: start + align(length * width),
  };
}

/** By a table of the different values, when that is smaller. */
function packTable(column: Column, least: number, width: number, place: Place): Packed | undefined {
  const length = column.length;
  const indexes = new NumberTable();
  const limit = Math.min(TABLE_MAX, Math.floor((length * (width - 1)) / 8));
  const rows = new Uint16Array(length);
  let row = 0;
  for (; row < length; row += 1) {
    const index = indexes.place(at(column, row) - least);
    if (index >= limit) break;
    rows[row] = index;
  }
  const packed = row < length ? undefined : writeTable(valuesOf(indexes, least), rows, width, place);
  indexes.free();
  giveBack(rows); // megabytes of a busy day
  return packed;
}

function valuesOf(indexes: NumberTable, least: number): number[] {
  return Array.from({ length: indexes.size }, (_, index) => indexes.keyAt(index) + least);
}

/** @returns undefined when offsets of that width are not larger */
function writeTable(
  values: number[],
  rows: Uint16Array,
  width: number,
  { bytes, start }: Place,
): Packed | undefined {
  const length = rows.length;
  const size = values.length;
  const tableWidth = widthOf(Math.max(...chunkMax(values)), Math.min(...chunkMin(values)));
  const rowWidth = widthOf(size - 1);
  if (size * tableWidth + length * rowWidth >= length * width) return undefined;
  view(bytes, start, size, tableWidth).set(values);
  const rowsStart = start + align(size * tableWidth);
  view(bytes, rowsStart, length, rowWidth).set(rows);
  return {
    head: [length, FORMS.table, 0, rowWidth, rowsStart, size, tableWidth, start],
    endsAt: rowsStart + align(length * rowWidth),
  };
}

/** Writes every row of `out`, which has as many. */
export function unpack<Out extends Column>(bytes: Uint8Array, index: number, out: Out): Out {
  const { length, form, base, width, start, tableLength, tableWidth, tableStart } = readHead(bytes, index);
  if (form === FORMS.constant) return out.fill(base) as Out; // fill returns the array itself
  const rows = view(bytes, start, length, width);
  if (form === FORMS.offsets) {
    if (base === 0) out.set(rows);
    else if (out instanceof Uint32Array) addBase(rows, base, out);
    else for (let row = 0; row < length; row += 1) out[row] = at(rows, row) + base;
    return out;
  }
  const table = view(bytes, tableStart, tableLength, tableWidth);
  if (out instanceof Uint32Array) lookUp(rows, new Uint32Array(table), out);
  else for (let row = 0; row < length; row += 1) out[row] = at(table, at(rows, row));
  return out;
}

function widthOf(most: number, least = 0): number {
  if (least < 0) return 8;
  if (most < 0x100) return 1;
  if (most < 0x10000) return 2;
  return most < 0x1_0000_0000 ? 4 : 8;
}

function view(bytes: Uint8Array, start: number, length: number, width: number): Narrow {
  const offset = bytes.byteOffset + start;
  if (width === 1) return new Uint8Array(bytes.buffer, offset, length);
  if (width === 2) return new Uint16Array(bytes.buffer, offset, length);
  if (width === 4) return new Uint32Array(bytes.buffer, offset, length);
  return new Float64Array(bytes.buffer, offset, length);
}

/** Greatest and least of slices: a spread of all values could pass more arguments than a call may have. */
function chunkMax(values: number[]): number[] {
  return slices(values).map((slice) => Math.max(...slice));
}
function chunkMin(values: number[]): number[] {
  return slices(values).map((slice) => Math.min(...slice));
}
function slices(values: number[]): number[][] {
  const found: number[][] = [];
  for (let start = 0; start < values.length; start += 10_000) found.push(values.slice(start, start + 10_000));
  return found;
}

function align(bytes: number): number {
  return (bytes + 7) & ~7;
}
