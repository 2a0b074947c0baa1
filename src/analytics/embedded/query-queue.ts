import { discardAll, discardYoung, turn } from '../../process/garbage.ts';
import { createQueue } from '../../process/queue.ts';
import { CATCHING_UP } from '../../vocabulary/analytics.ts';
import type { Arena } from './memory/arena.ts';
import type { Pool } from './memory/pool.ts';
import type { Follower } from './write/follow.ts';
import type { Websites } from './write/websites.ts';

/** Maximum time that reading the log runs between questions. */
const TIME_SLICE_MS = 100;
/** Approximate garbage of a question, outside the arena. */
const GARBAGE_BYTES = 512 * 1024;
/** Share of that garbage that was promoted: one byte in this many. */
const GARBAGE_OLD = 4;
/** Minimum duration of an answer whose garbage is collected before the next question; collecting takes a tenth of that. */
const LONG_ANSWER_MS = 150;

type Parts = {
  follower: Follower;
  websites: Websites;
  pool: Pool;
  arena: Arena;
  /** Maximum wait for earlier events to be read before a question is refused. */
  patienceMs: number;
};

/** Runs queries and writes on the segments one at a time. */
export class QueryQueue {
  /** Runs work after everything that was queued before. */
  readonly wait = createQueue();
  readonly #parts: Parts;
  /** Websites of refused questions that are still behind: the next question need not wait as long. */
  readonly #farBehind = new Set<number | undefined>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Runs a question after everything of its websites that was committed before it has been read.
   *
   * @throws CATCHING_UP
   */
  ask<Answer>(websiteKeys: readonly number[], work: () => Answer | Promise<Answer>): Promise<Answer> {
    return this.#inTimeSlices(websiteKeys, async () => {
      const { pool, arena, websites } = this.#parts;
      pool.begin();
      const startedAtMs = performance.now();
      try {
        return await work();
      } finally {
        arena.reset();
        websites.forgetIdle();
        discardYoung(GARBAGE_BYTES, GARBAGE_BYTES / GARBAGE_OLD);
        if (performance.now() - startedAtMs > LONG_ANSWER_MS) void this.wait(collect);
      }
    });
  }

  /**
   * @param websiteKey undefined stands for all
   * @throws CATCHING_UP
   */
  catchUp(websiteKey?: number): Promise<void> {
    return this.#inTimeSlices([websiteKey], () => Promise.resolve());
  }

  /** Reads on for a time slice. @returns false when there is more to read */
  async follow(): Promise<boolean> {
    const isDone = await this.wait(() => this.#parts.follower.catchUp(TIME_SLICE_MS));
    if (isDone) this.#farBehind.clear();
    return isDone;
  }

  /** Reads in time slices until everything is read, then runs the work. Re-queues itself between slices. */
  async #inTimeSlices<Answer>(
    websiteKeys: readonly (number | undefined)[],
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    const sinceMs = performance.now();
    for (;;) {
      const answer = await this.wait(async () => {
        const behind = await this.#readFor(websiteKeys);
        if (behind.length === 0) return { value: await work() };
        const isPatient = !behind.some((key) => this.#farBehind.has(key));
        if (isPatient && performance.now() - sinceMs < this.#parts.patienceMs) return undefined;
        for (const key of behind) this.#farBehind.add(key);
        throw Object.assign(new Error('The log is being read.'), { code: CATCHING_UP });
      });
      if (answer) return answer.value;
    }
  }

  /**
   * Reads only what the question needs, so that no website waits for another's events. @returns the websites that are
   * behind
   */
  async #readFor(websiteKeys: readonly (number | undefined)[]): Promise<(number | undefined)[]> {
    const { follower } = this.#parts;
    // Usually there is little to read: reading everything at once is cheaper than website by website.
    if (websiteKeys.length > 1 && (await follower.catchUp(TIME_SLICE_MS))) return [];
    const deadlineMs = performance.now() + TIME_SLICE_MS;
    const behind: (number | undefined)[] = [];
    for (const websiteKey of websiteKeys) {
      const isDone = await follower.catchUp(deadlineMs - performance.now(), websiteKey);
      if (isDone) this.#farBehind.delete(websiteKey);
      else behind.push(websiteKey);
    }
    return behind;
  }
}

/** Collects garbage after the answer was sent. */
async function collect(): Promise<void> {
  await turn();
  discardAll();
}
