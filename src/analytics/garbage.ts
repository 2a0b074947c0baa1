import { edenGC } from 'bun:jsc';

/**
 * The collector is told when megabytes have been thrown away. Left alone it waits until the heap has doubled, and its
 * heap never shrinks again: reading ten million events went up to 1,100 MiB, of which 90 were in use. Most of the
 * garbage is young, and a collection of what is young takes two milliseconds; one of everything takes fifty, and is
 * needed for what grew old before it was thrown away.
 */
const YOUNG_BYTES_MAX = 4 * 1024 * 1024;
/** Of all that was thrown away, young or old. */
const GARBAGE_BYTES_MAX = 32 * 1024 * 1024;

let youngBytes = 0;
let garbageBytes = 0;

/** @param bytes what has just become garbage, about */
export function discard(bytes: number): void {
  youngBytes += bytes;
  garbageBytes += bytes;
  if (garbageBytes >= GARBAGE_BYTES_MAX) {
    garbageBytes = 0;
    youngBytes = 0;
    Bun.gc(true);
  } else if (youngBytes >= YOUNG_BYTES_MAX) {
    youngBytes = 0;
    edenGC();
  }
}

/** Frees the memory of bytes that nobody reads any more, without waiting for the collector. */
export function giveBack(bytes: ArrayBufferView): void {
  discard(release(bytes)); // the collector still counts them
}

/** The same for one of many, which are to be discarded together. @returns how many bytes it had */
export function release({ buffer, byteLength }: ArrayBufferView): number {
  // Else it is a part of something that others use.
  if (byteLength > 0 && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  return byteLength;
}
