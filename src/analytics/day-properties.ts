import { giveBack, longer } from '../garbage.ts';
import { decodeU8, decodeU32, encodeColumns, openColumns } from './column-codec.ts';

/**
 * The values of one property key on one day. Texts are kept with the day and not in the website's dictionary: there
 * may be as many order numbers as there are events. Events are named by their ordinal (the column `ordinal`: 1, 2, …
 * in the order in which events with properties were stored; 0 for events without), so the rows stay as they are when
 * later events move the day's events about; new ones are added at the end.
 */
export type DayProperty = {
  /** Ascending. */
  ordinals: Uint32Array;
  /** Index into `values`. */
  indexes: Uint32Array;
  /** 1 where the value was a JSON number. */
  numeric: Uint8Array;
  values: string[];
};

/** What a row and a value take, about. */
const ROW_BYTES = 9;
const VALUE_BYTES = 60;
const ADDED_ROWS_MIN = 16;

export function propertyBytes({ ordinals, values }: DayProperty): number {
  return ordinals.length * ROW_BYTES + values.length * VALUE_BYTES;
}

/** Layout: the length of the packed columns (float64), the columns, the values as a JSON list. */
export function encodeProperty({ ordinals, indexes, numeric, values }: DayProperty): Uint8Array {
  const columns = encodeColumns([ordinals, indexes, numeric]);
  const texts = Buffer.from(JSON.stringify(values));
  const bytes = new Uint8Array(8 + columns.length + texts.length);
  new Float64Array(bytes.buffer, 0, 1)[0] = columns.length;
  bytes.set(columns, 8);
  bytes.set(texts, 8 + columns.length);
  giveBack(new Uint8Array(columns.buffer)); // there may be more of it than was packed
  return bytes;
}

export function decodeProperty(blob: Uint8Array | ArrayBuffer): DayProperty {
  const bytes = openColumns(blob);
  const length = new Float64Array(bytes.buffer, bytes.byteOffset, 1)[0] ?? 0;
  const columns = bytes.subarray(8, 8 + length);
  const texts = Buffer.from(bytes.buffer, bytes.byteOffset + 8 + length, bytes.length - 8 - length);
  return {
    ordinals: decodeU32(columns, 0),
    indexes: decodeU32(columns, 1),
    numeric: decodeU8(columns, 2),
    // Written by encodeProperty.
    values: JSON.parse(texts.toString()) as string[],
  };
}

/** Which events have the key, without unpacking their values. */
export function decodeOrdinals(blob: Uint8Array | ArrayBuffer): Uint32Array {
  const bytes = openColumns(blob);
  const length = new Float64Array(bytes.buffer, bytes.byteOffset, 1)[0] ?? 0;
  return decodeU32(bytes.subarray(8, 8 + length), 0);
}

/** Of one that nobody needs any more. */
export function freeProperty({ ordinals, indexes, numeric }: DayProperty): void {
  for (const column of [ordinals, indexes, numeric]) giveBack(column);
}

/** Rows that are to follow those of a property. */
export class AddedRows {
  count = 0;
  ordinals = new Uint32Array(ADDED_ROWS_MIN);
  numeric = new Uint8Array(ADDED_ROWS_MIN);
  /** Index into `values`, the different ones among these rows. */
  indexes = new Uint32Array(ADDED_ROWS_MIN);
  readonly values: string[] = [];
  readonly #lookup = new Map<string, number>();

  /** @param ordinal greater than all that are there */
  add(ordinal: number, value: string, isNumber: boolean): void {
    let index = this.#lookup.get(value);
    if (index === undefined) {
      index = this.values.length;
      this.values.push(value);
      this.#lookup.set(value, index);
    }
    const row = this.count;
    if (row === this.ordinals.length) {
      this.ordinals = longer(this.ordinals, 2 * row);
      this.numeric = longer(this.numeric, 2 * row);
      this.indexes = longer(this.indexes, 2 * row);
    }
    this.ordinals[row] = ordinal;
    this.indexes[row] = index;
    this.numeric[row] = isNumber ? 1 : 0;
    this.count += 1;
  }

  bytes(): number {
    return this.ordinals.length * ROW_BYTES + this.values.length * VALUE_BYTES;
  }
}

/** @param before given back */
export function withRows(before: DayProperty | undefined, added: AddedRows): DayProperty {
  const values = before?.values ?? [];
  const lookup = new Map(values.map((value, index) => [value, index]));
  const moved = added.values.map((value) => {
    const known = lookup.get(value);
    return known ?? values.push(value) - 1;
  });
  const stored = before?.ordinals.length ?? 0;
  const length = stored + added.count;
  const ordinals = longer(before?.ordinals ?? new Uint32Array(0), length);
  const indexes = longer(before?.indexes ?? new Uint32Array(0), length);
  const numeric = longer(before?.numeric ?? new Uint8Array(0), length);
  ordinals.set(added.ordinals.subarray(0, added.count), stored);
  numeric.set(added.numeric.subarray(0, added.count), stored);
  for (let row = 0; row < added.count; row += 1)
    indexes[stored + row] = moved[added.indexes[row] as number] as number; // each of them has its value
  return { ordinals, indexes, numeric, values };
}
