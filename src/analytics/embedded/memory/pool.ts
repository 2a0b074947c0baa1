import { discardYoung } from '../../../process/garbage.ts';
import type { Segment } from '../segment/segment.ts';

/**
 * The segments in memory, under one budget in bytes. A segment is pinned while it is read. A question never evicts segments
 * that it has used: of a range that does not fit, the same segments stay and the others pass through.
 */
export class Pool {
  /** Bytes counted for each segment, least recently used first. */
  readonly #segments = new Map<Segment, number>();
  #bytes = 0;
  /** Bytes of dictionaries. */
  #reserved = 0;
  #turn = 0;

  constructor(readonly bytesMax: number) {}

  get bytes(): number {
    return this.#bytes + this.#reserved;
  }

  /** Call before each question and each page of the log. */
  begin(): void {
    this.#turn += 1;
  }

  /** Pins a segment during the work, and counts afterwards what it loaded. */
  use<Result>(segment: Segment, work: (segment: Segment) => Result): Result {
    this.pin(segment);
    try {
      return work(segment);
    } finally {
      this.unpin(segment);
    }
  }

  pin(segment: Segment): void {
    segment.pins += 1;
    segment.usedBy = this.#turn;
    const counted = this.#segments.get(segment) ?? 0;
    this.#segments.delete(segment);
    this.#segments.set(segment, counted);
  }

  unpin(segment: Segment): void {
    if (segment.pins === 0) throw new Error('Unpinned a segment that is not pinned.');
    segment.pins -= 1;
    if (segment.pins > 0) return;
    discardYoung(segment.closeParts());
    this.#bytes += segment.bytes - (this.#segments.get(segment) ?? 0);
    this.#segments.set(segment, segment.bytes);
    this.#evict();
    // Over budget: the next question that needs it reads it again.
    if (this.bytes > this.bytesMax) this.#drop(segment);
  }

  /** @param bytes bytes of the dictionaries */
  reserve(bytes: number): void {
    this.#reserved = bytes;
    this.#evict();
  }

  /** Frees the memory of a segment that was replaced. */
  forget(segment: Segment): void {
    if (segment.pins > 0) throw new Error('Dropped a pinned segment.');
    this.#bytes -= this.#segments.get(segment) ?? 0;
    this.#segments.delete(segment);
    discardYoung(segment.bytes); // released at once: the garbage collector still counts it
    segment.drop();
  }

  /** Keeps segments that are not stored. */
  #drop(segment: Segment): void {
    if (segment.id !== 0) this.forget(segment);
  }

  #evict(): void {
    for (const segment of this.#segments.keys()) {
      if (this.bytes <= this.bytesMax) return;
      if (segment.pins === 0 && segment.usedBy < this.#turn) this.#drop(segment);
    }
  }
}
