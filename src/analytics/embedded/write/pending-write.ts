import { WAIT_MS_MAX } from './save.ts';

/** A write that must be on disk before the next removal or erasure: one at a time. */
export class PendingWrite {
  #writing: Promise<unknown> | undefined;

  get isThere(): boolean {
    return this.#writing !== undefined;
  }

  begin(work: () => Promise<unknown>): void {
    this.#writing = work();
    this.#writing.catch(() => undefined); // the next waiter sees the rejection
  }

  /**
   * Waits until the deadline and no longer: another process may hold the lock for seconds, and questions about other
   * websites run in between.
   *
   * @returns whether no write is pending
   * @throws what the write threw; it is then repeated
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

  /** Waits until the write has settled, whatever the result. */
  async ended(): Promise<void> {
    await this.#writing?.catch(() => undefined);
  }
}
