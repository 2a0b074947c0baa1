/**
 * The collector is told when megabytes have been thrown away. Left alone it waits until the heap has doubled, and its
 * heap never shrinks again: reading ten million events went up to 1,100 MiB, of which 90 were in use. A collection of
 * the small heap that this leaves takes a millisecond or few.
 */
const GARBAGE_BYTES_MAX = 8 * 1024 * 1024;

let garbageBytes = 0;

/** @param bytes what has just become garbage, about */
export function discard(bytes: number): void {
  garbageBytes += bytes;
  if (garbageBytes < GARBAGE_BYTES_MAX) return;
  garbageBytes = 0;
  Bun.gc(true);
}

/** Frees the memory of bytes that nobody reads any more, without waiting for the collector. */
export function giveBack({ buffer, byteLength }: ArrayBufferView): void {
  // Else it is a part of something that others use.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  discard(byteLength); // the collector still counts them
}
