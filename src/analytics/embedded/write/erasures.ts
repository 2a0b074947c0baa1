import type { LogFollower } from '../../../log/follower.ts';

/** An erasure that goes on for this long without a step forward is taken over from whoever ordered it. */
const STALLED_MS_MAX = 30_000;

/** Orders erasures, and tells which of those that are found in the log are this process's to carry out. */
export class Erasures {
  readonly #log: LogFollower;
  /** Lists that were found as the first ones, and since when. */
  readonly #foundAtMs = new Map<number, number>();
  /** Whether one that is found may be of this process, or of the one before it, which has not finished it. */
  #mayBeOwn = true;
  /** Changes with each that this process orders. */
  ownCount = 0;

  constructor(log: LogFollower) {
    this.#log = log;
  }

  /** Orders that events go, and carries it out. What fails half-way is finished when the log is followed next. */
  async erase(websiteKey: number, keys: readonly number[]): Promise<void> {
    this.#noteOwn();
    try {
      await this.#log.orderErasure(websiteKey, keys);
    } finally {
      this.#noteOwn(); // what was read meanwhile may have been read before
    }
    await this.#log.carryOutErasures(Number.POSITIVE_INFINITY);
  }

  /** @param list the first one */
  isOurs(list: number): boolean {
    return this.#mayBeOwn || this.#isStalled(list);
  }

  /** The log was followed without finding one. @param ownCount as it was before */
  recordNone(ownCount: number): void {
    this.#foundAtMs.clear();
    if (ownCount === this.ownCount) this.#mayBeOwn = false;
  }

  #noteOwn(): void {
    this.#mayBeOwn = true;
    this.ownCount += 1;
  }

  #isStalled(list: number): boolean {
    const foundAtMs = this.#foundAtMs.get(list) ?? performance.now();
    this.#foundAtMs.set(list, foundAtMs);
    return performance.now() - foundAtMs > STALLED_MS_MAX;
  }
}
