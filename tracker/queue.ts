/** `{"events":[` and `]}`. */
const ENVELOPE_BYTES = 13;

/**
 * Bytes of a chunk, or of several, in UTF-8, which is what browsers count against the budget of keepalive requests.
 */
export const chunkBytes = (chunk: string[]): number => ENVELOPE_BYTES + new Blob([chunk.join()]).size;

/** Takes events off the front: at most `count`, and as many as fit into `bytesMax`, but always one. */
export const takeChunk = (queue: string[], bytesMax: number, count: number): string[] => {
  while (count > 1 && chunkBytes(queue.slice(0, count)) > bytesMax) count--;
  return queue.splice(0, count);
};
