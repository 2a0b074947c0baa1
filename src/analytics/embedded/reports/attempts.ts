import { freeBuffer, grow } from '../../../process/garbage.ts';

const NONE = Number.NEGATIVE_INFINITY;

/**
 * How far each unit (a visit or a visitor) got through the steps. Of all attempts that reached a step, the one
 * that began last has most time left, so it is the only one kept: a unit has one instant for each step.
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
  /** Start of the attempt that reached each step, by unit and step. */
  #began = new Float64Array(0);

  constructor(size: number, windowMs: number) {
    this.#size = size;
    this.#windowMs = windowMs;
  }

  /** @param count number of units, including this one */
  enter(count: number): void {
    const needed = count * this.#size;
    if (needed > this.#began.length) this.#began = grow(this.#began, 2 * needed);
    // `fill` takes ten times as long.
    for (let at = needed - this.#size; at < needed; at += 1) this.#began[at] = NONE;
  }

  /**
   * @param word steps that the event is, one bit each
   * @param endsOthers ends the attempts that this event does not continue
   * @param depth furthest step of the unit so far
   * @returns furthest step of the unit now
   */
  step(unit: number, word: number, at: number, endsOthers: boolean, depth: number): number {
    const began = this.#began;
    const base = unit * this.#size;
    let furthest = depth;
    // Last step first: an event is one step of an attempt, not two.
    for (let rest = endsOthers ? (1 << this.#size) - 1 : word; rest !== 0; ) {
      const step = 31 - Math.clz32(rest);
      rest ^= 1 << step;
      const before = step === 0 ? at : (began[base + step - 1] as number);
      const isReached = ((word >>> step) & 1) === 1 && at - before <= this.#windowMs;
      const kept = endsOthers ? NONE : (began[base + step] as number);
      began[base + step] = isReached ? Math.max(kept, before) : kept;
      if (isReached && before !== NONE && step > furthest) furthest = step;
    }
    return furthest;
  }

  /** Frees its memory. */
  free(): void {
    freeBuffer(this.#began);
  }
}
