import { edenGC } from 'bun:jsc';

/**
 * Collections are started once megabytes have become garbage. Left alone the collector waits until the heap has
 * doubled, and its heap never shrinks again: reading ten million events went up to 1,100 MiB, of which 90 were in use.
 * A collection of what is young takes two milliseconds, one of everything up to fifty (while events are read) and is
 * needed for arrays that grew old before they were thrown away.
 */
const YOUNG_BYTES_MAX = 4 * 1024 * 1024;
const OLD_BYTES_MAX = 4 * 1024 * 1024;
/** Divisor for the share of young garbage that has usually grown old. */
const GROWS_OLD = 16;

let youngBytes = 0;
let oldBytes = 0;

/** @param bytes of arrays that have just become garbage, about */
function discard(bytes: number): void {
  oldBytes += bytes;
  if (oldBytes >= OLD_BYTES_MAX) discardAll();
}

/** At once: a long piece of work has ended. */
export function discardAll(): void {
  oldBytes = 0;
  youngBytes = 0;
  Bun.gc(true);
}

/** Gives back to the system what the start needed and nothing else does: 7 MB, in 50 ms. */
export function discardStart(): void {
  discardAll();
  Bun.shrink(); // the collector alone keeps what is free for itself
}

/**
 * @param bytes  that were in use for a moment only, or were released before
 * @param oldBytes of them that have grown old all the same, about
 */
export function discardYoung(bytes: number, oldBytes = bytes / GROWS_OLD): void {
  youngBytes += bytes;
  discard(oldBytes);
  if (youngBytes < YOUNG_BYTES_MAX) return;
  youngBytes = 0;
  edenGC();
}

/** Frees the memory of bytes that are no longer read, without waiting for the collector, which still counts them. */
export function freeBuffer(bytes: ArrayBufferView): void {
  discardYoung(detach(bytes));
}

/** A column with room for more rows at its end; what it was is given back. */
export function grow<Column extends Uint8Array | Int32Array | Uint32Array | Float64Array>(
  column: Column,
  length: number,
): Column {
  const Kind = column.constructor as new (length: number) => Column; // a typed array's own
  const to = new Kind(length);
  to.set(column);
  freeBuffer(column);
  return to;
}

/** Frees one of many buffers that are discarded together. @returns its size in bytes */
export function detach({ buffer, byteLength }: ArrayBufferView): number {
  // Else it is a part of something that others use.
  if (byteLength > 0 && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  return byteLength;
}

/**
 * Lets the event loop turn. Whatever was read by `all`, the native library gives its own memory for it back (900 bytes a
 * call) only in a turn after the result was collected: promises alone do not make one.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
