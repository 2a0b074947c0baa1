import { Worker } from 'node:worker_threads';
import { threadUrl } from '../process/threads.ts';

/** `isOver`: one number in shared memory; anything but 0 ends the thread. */
export type WriteThroughOrder = { path: string; isOver: Int32Array };

/**
 * Syncs a file step by step in another thread while this one writes it. Otherwise the system writes everything at the final
 * sync, and every sync of the service waits behind that.
 *
 * @param path of a file that will exist soon
 * @returns a function that stops syncing. The last writes may not be on the disk then
 */
export async function writeThrough(path: string): Promise<() => void> {
  const isOver = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: WriteThroughOrder = { path, isOver };
  const worker = new Worker(new URL(threadUrl('backup/write-through-worker.ts')), { workerData });
  await new Promise<void>((resolve) => {
    worker.once('message', () => resolve());
    worker.once('error', () => resolve()); // the sync at the end does all of it
  });
  return () => {
    Atomics.store(isOver, 0, 1);
    Atomics.notify(isOver, 0);
  };
}
