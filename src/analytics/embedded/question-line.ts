import { discardAll, discardYoung, turn } from '../../process/garbage.ts';
import { CATCHING_UP } from '../../vocabulary/analytics.ts';
import type { Arena } from './memory/arena.ts';
import type { Pool } from './memory/pool.ts';
import type { Follower } from './write/follow.ts';
import type { Websites } from './write/websites.ts';

/** Others come in between such stretches of reading. */
const STRETCH_MS = 100;
/** What a question throws away, about, besides what the arena has. */
const GARBAGE_BYTES = 512 * 1024;
/** One byte in so many of it has grown old meanwhile. */
const GARBAGE_OLD = 4;
/** What a longer answer leaves behind would wait beside all that the next question brings; collecting it takes a tenth. */
const LONG_ANSWER_MS = 150;

type Parts = {
  follower: Follower;
  websites: Websites;
  pool: Pool;
  arena: Arena;
  /** How long a question waits until the events before it have been read, before it is refused. */
  patienceMs: number;
};

/** Whoever needs the segments, one after the other: questions, and those who change them. */
export class QuestionLine {
  readonly #parts: Parts;
  #last: Promise<unknown> = Promise.resolve();
  /** Of these a question has been refused, and there is still more to read: the next ones need not wait as long. */
  readonly #farBehind = new Set<number | undefined>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** One at a time. */
  wait<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const answer = this.#last.then(work);
    this.#last = answer.catch(() => undefined); // told to the one who asked
    return answer;
  }

  /**
   * Each after everything of its websites that was committed before it is read.
   *
   * @throws CATCHING_UP
   */
  ask<Answer>(websiteKeys: readonly number[], work: () => Answer | Promise<Answer>): Promise<Answer> {
    return this.#inStretches(websiteKeys, async () => {
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
    return this.#inStretches([websiteKey], () => Promise.resolve());
  }

  /** Reads on for a stretch. @returns false when there is more to read */
  async follow(): Promise<boolean> {
    const isDone = await this.wait(() => this.#parts.follower.catchUp(STRETCH_MS));
    if (isDone) this.#farBehind.clear();
    return isDone;
  }

  /** Reads on for a stretch, and works once all has been read; until then it goes to the end of the line again. */
  async #inStretches<Answer>(
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

  /** Of a long log, only what the question needs: nobody waits for what another website was sent. @returns those that are behind */
  async #readFor(websiteKeys: readonly (number | undefined)[]): Promise<(number | undefined)[]> {
    const { follower } = this.#parts;
    // Most often there is little to read: all at once is less than each by itself.
    if (websiteKeys.length > 1 && (await follower.catchUp(STRETCH_MS))) return [];
    const deadlineMs = performance.now() + STRETCH_MS;
    const behind: (number | undefined)[] = [];
    for (const websiteKey of websiteKeys) {
      const isDone = await follower.catchUp(deadlineMs - performance.now(), websiteKey);
      if (isDone) this.#farBehind.delete(websiteKey);
      else behind.push(websiteKey);
    }
    return behind;
  }
}

/** Once whoever asked has the answer. */
async function collect(): Promise<void> {
  await turn();
  discardAll();
}
