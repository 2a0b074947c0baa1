import type { LocalColumn } from '../segment/segment.ts';

/** Local code not translated yet. */
const NONE = -1;

export function newTranslation(length: number): Int32Array {
  return new Int32Array(length).fill(NONE);
}

/** A range of rows of one column, and its position in another. */
export type RowRange = readonly [from: number, to: number, at: number];

/** Copies and translates a range of local codes. @param place returns the code of one met for the first time */
export function translate(
  source: LocalColumn,
  into: Uint16Array,
  [from, to, at]: RowRange,
  translation: Int32Array,
  place: (local: number) => number,
): void {
  const range = source.subarray(from, to);
  const locals = range instanceof Uint16Array ? range : new Uint16Array(range); // the loop meets one type
  for (let index = 0; index < locals.length; index += 1) {
    const local = locals[index] as number;
    let code = translation[local] as number;
    if (code === NONE) {
      code = place(local);
      translation[local] = code;
    }
    into[at + index] = code;
  }
}
