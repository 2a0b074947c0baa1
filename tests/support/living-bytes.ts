import { heapStats } from 'bun:jsc';

/** Bytes alive in this process. The size of the process would include garbage, and of what other tests have left free. */
export function livingBytes(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}
