import { Worker } from 'node:worker_threads';
import { threadUrl } from '../process/threads.ts';

/** `isOver`: one number in shared memory; anything but 0 ends the thread. */
export type WriteThroughOrder = { path: string; isOver: Int32Array };

/**
 * Brings a file to the disk bit by bit while this thread writes it, and so cannot. The system would keep what is written
 * and let it all go at the final sync; what the service syncs meanwhile waits behind that.
 *
 * @param path of a file that is there soon
 * @returns a function that ends it. What was written last may not be on the disk then
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
