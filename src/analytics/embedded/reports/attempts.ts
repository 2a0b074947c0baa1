import { freeBuffer, grow } from '../../../process/garbage.ts';

const NONE = Number.NEGATIVE_INFINITY;

/**
 * How far each unit (a visit or a visitor) has got through some steps. Of all attempts that have got to a step, the one
 * that began last has most time left. It is the only one to keep: a unit has one instant for each step.
 *
 * Three steps, a window of an hour: 1 at 10:00, 2 at 10:30, 1 at 10:50, 3 at 11:20.
 *
 * | at | word | began, by step |
 * |---|---|---|
 * | 10:00 | step 1 | 10:00 – – |
 * | 10:30 | step 2 | 10:00 10:00 – |
 * | 10:50 | step 1 | 10:50 10:00 – |
 * | 11:20 | step 3 | 10:50 10:00 – : 10:00 is more than an hour ago |
 */
export class Attempts {
  readonly #size: number;
  readonly #windowMs: number;
  /** By unit and step: when the attempt began that has got there. */
  #began = new Float64Array(0);

  constructor(size: number, windowMs: number) {
    this.#size = size;
    this.#windowMs = windowMs;
  }

  /** @param count of units, this one included */
  enter(count: number): void {
    const needed = count * this.#size;
    if (needed > this.#began.length) this.#began = grow(this.#began, 2 * needed);
    for (let place = needed - this.#size; place < needed; place += 1) this.#began[place] = NONE; // `fill` takes ten times as long
  }

  /**
   * @param word which steps the event is, a bit for each
   * @param endsOthers attempts that this event does not carry on are over
   * @param depth the furthest step of the unit
   * @returns the furthest step now
   */
  step(unit: number, word: number, at: number, endsOthers: boolean, depth: number): number {
    const began = this.#began;
    const base = unit * this.#size;
    let furthest = depth;
    // From the last step to the first: an event is one step of an attempt, not two.
    for (let rest = endsOthers ? (1 << this.#size) - 1 : word; rest !== 0; ) {
      const step = 31 - Math.clz32(rest);
      rest ^= 1 << step;
      const before = step === 0 ? at : (began[base + step - 1] as number); // within the array, as below
      const isReached = ((word >>> step) & 1) === 1 && at - before <= this.#windowMs;
      const kept = endsOthers ? NONE : (began[base + step] as number);
      began[base + step] = isReached ? Math.max(kept, before) : kept;
      if (isReached && before !== NONE && step > furthest) furthest = step;
    }
    return furthest;
  }

  /** Gives the memory back. */
  free(): void {
    freeBuffer(this.#began);
  }
}
