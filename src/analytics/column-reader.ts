import { giveBack } from '../garbage.ts';

type Column = Uint32Array | Float64Array;

/** Rows that are copied one by one rather than as a stretch. */
const SHORT_ROWS = 16;

/** Reads a column from one end to the other that comes in stretches, each of which is given back when it was read. */
export class ColumnReader<Kind extends Column> {
  readonly #stretches: Iterator<Kind>;
  #stretch: Kind | undefined;
  #row = 0;

  constructor(stretches: Iterable<Kind>) {
    this.#stretches = stretches[Symbol.iterator]();
  }

  /** Writes the next rows into a column. @returns false when there are fewer */
  copyTo(out: Column, start: number, count: number): boolean {
    for (let done = 0; done < count; ) {
      const stretch = this.#current();
      if (!stretch) return false;
      const some = Math.min(count - done, stretch.length - this.#row);
      if (some > SHORT_ROWS) out.set(stretch.subarray(this.#row, this.#row + some), start + done);
      else
        for (let row = 0; row < some; row += 1) out[start + done + row] = stretch[this.#row + row] as number; // within it
      this.#row += some;
      done += some;
    }
    return true;
  }

  isAtEnd(): boolean {
    return this.#current() === undefined;
  }

  /** With rows left. */
  #current(): Kind | undefined {
    while (!this.#stretch || this.#row === this.#stretch.length) {
      if (this.#stretch) giveBack(this.#stretch);
      const { value, done } = this.#stretches.next();
      this.#stretch = done ? undefined : value;
      this.#row = 0;
      if (done) return undefined;
    }
    return this.#stretch;
  }
}
