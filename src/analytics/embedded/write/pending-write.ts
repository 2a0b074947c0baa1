import { WAIT_MS_MAX } from './save.ts';

/** What has to be on disk before anything else is removed or erased: one write at a time. */
export class PendingWrite {
  #writing: Promise<unknown> | undefined;

  get isThere(): boolean {
    return this.#writing !== undefined;
  }

  begin(work: () => Promise<unknown>): void {
    this.#writing = work();
    this.#writing.catch(() => undefined); // told to whoever waits for it next
  }

  /**
   * Waits until the deadline and no longer: another process may hold the lock for seconds, and questions about other
   * websites come in between.
   *
   * @returns whether nothing is being written any more
   * @throws what the write threw: then it is done again
   */
  async isDone(deadlineMs: number): Promise<boolean> {
    if (!this.#writing) return true;
    const leftMs = Math.max(0, Math.min(deadlineMs - performance.now(), WAIT_MS_MAX));
    let isWritten = true;
    try {
      isWritten = await Promise.race([this.#writing.then(() => true), Bun.sleep(leftMs).then(() => false)]);
    } finally {
      if (isWritten) this.#writing = undefined;
    }
    return isWritten;
  }

  /** Waits until it has ended, whatever became of it. */
  async ended(): Promise<void> {
    await this.#writing?.catch(() => undefined);
  }
}
