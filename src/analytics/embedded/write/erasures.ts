import type { LogFollower } from '../../../log/follower.ts';

/** Maximum time without progress, after which another process may take over an erasure. */
const STALLED_MS_MAX = 30_000;

/** Orders erasures, and decides which erasures in the log this process may carry out. */
export class Erasures {
  readonly #log: LogFollower;
  /** First lists found in the log, and when each was first found. */
  readonly #foundAtMs = new Map<number, number>();
  /** Whether an unfinished erasure may belong to this process, or to its predecessor. */
  #mayBeOwn = true;
  /** Changes with every erasure that this process orders. */
  ownCount = 0;

  constructor(log: LogFollower) {
    this.#log = log;
  }

  /** Orders an erasure and carries it out. If that fails half-way, following the log completes it. */
  async erase(websiteKey: number, keys: readonly number[]): Promise<void> {
    this.#noteOwn();
    try {
      await this.#log.orderErasure(websiteKey, keys);
    } finally {
      this.#noteOwn(); // a list read during the order may be this one
    }
    await this.#log.carryOutErasures(Number.POSITIVE_INFINITY);
  }

  /** @param list number of the first list in the log */
  isOurs(list: number): boolean {
    return this.#mayBeOwn || this.#isStalled(list);
  }

  /** Records that the log contains no erasure. @param ownCount its value before the log was read */
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
