import type { LocalColumn } from '../segment/segment.ts';

/** The codes of one segment in another: NONE until one is met. */
const NONE = -1;

export function newTranslation(length: number): Int32Array {
  return new Int32Array(length).fill(NONE);
}

/** Rows of one column, and where they go in another. */
export type Stretch = readonly [from: number, to: number, at: number];

/** Copies a stretch of local codes, translated. @param place gives the code of one that is met for the first time */
export function translate(
  source: LocalColumn,
  into: Uint16Array,
  [from, to, at]: Stretch,
  translation: Int32Array,
  place: (local: number) => number,
): void {
  const stretch = source.subarray(from, to);
  const locals = stretch instanceof Uint16Array ? stretch : new Uint16Array(stretch); // the loop meets one type
  for (let index = 0; index < locals.length; index += 1) {
    const local = locals[index] as number; // within the stretch
    let code = translation[local] as number;
    if (code === NONE) {
      code = place(local);
      translation[local] = code;
    }
    into[at + index] = code;
  }
}
