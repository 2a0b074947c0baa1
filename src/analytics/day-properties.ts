import { decodeU8, decodeU32, encodeColumns, openColumns } from './column-codec.ts';

/**
 * The values of one property key on one day. Texts are kept with the day and not in the website's dictionary: there
 * may be as many order numbers as there are events. Events are named by their ordinal (the column `ordinal`: 1, 2, …
 * in the order in which events with properties were stored; 0 for events without), so the rows stay as they are when
 * later events move the day's events about; new ones are added at the end.
 */
export type DayProperty = {
  /** Ascending. */
  ordinals: number[];
  /** Index into `values`. */
  indexes: number[];
  /** 1 where the value was a JSON number. */
  numeric: number[];
  values: string[];
};

/** What a row and a value take, about: three numbers, a text with its place in a map. */
const ROW_BYTES = 24;
const VALUE_BYTES = 120;

export function propertyBytes({ ordinals, values }: DayProperty): number {
  return ordinals.length * ROW_BYTES + values.length * VALUE_BYTES;
}

export function createDayProperty(): DayProperty {
  return { ordinals: [], indexes: [], numeric: [], values: [] };
}

/** Layout: the length of the packed columns (float64), the columns, the values as a JSON list. */
export function encodeProperty({ ordinals, indexes, numeric, values }: DayProperty): Uint8Array {
  const columns = encodeColumns([
    Uint32Array.from(ordinals),
    Uint32Array.from(indexes),
    Uint8Array.from(numeric),
  ]);
  const texts = Buffer.from(JSON.stringify(values));
  const bytes = new Uint8Array(8 + columns.length + texts.length);
  new Float64Array(bytes.buffer, 0, 1)[0] = columns.length;
  bytes.set(columns, 8);
  bytes.set(texts, 8 + columns.length);
  return bytes;
}

export function decodeProperty(blob: Uint8Array | ArrayBuffer): DayProperty {
  const bytes = openColumns(blob);
  const length = new Float64Array(bytes.buffer, bytes.byteOffset, 1)[0] ?? 0;
  const columns = bytes.subarray(8, 8 + length);
  const texts = Buffer.from(bytes.buffer, bytes.byteOffset + 8 + length, bytes.length - 8 - length);
  return {
    ordinals: [...decodeU32(columns, 0)],
    indexes: [...decodeU32(columns, 1)],
    numeric: [...decodeU8(columns, 2)],
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

/** Adds rows whose ordinals are greater than all that are there. `lookup` is kept by the caller between calls. */
export function appendProperty(
  property: DayProperty,
  lookup: Map<string, number>,
  { ordinal, value, isNumber }: { ordinal: number; value: string; isNumber: boolean },
): void {
  let index = lookup.get(value);
  if (index === undefined) {
    index = property.values.length;
    property.values.push(value);
    lookup.set(value, index);
  }
  property.ordinals.push(ordinal);
  property.indexes.push(index);
  property.numeric.push(isNumber ? 1 : 0);
}
