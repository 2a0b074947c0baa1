import { discardYoung } from '../../../process/garbage.ts';
import type { Segment } from '../segment/segment.ts';

/**
 * The segments in memory, one budget in bytes for all. What is read is pinned meanwhile. A question never evicts what it
 * has used itself: of a range that does not fit, the same segments stay, and the others pass through.
 */
export class Pool {
  /** With the bytes that were counted for each; the last used one is the last of the map. */
  readonly #segments = new Map<Segment, number>();
  #bytes = 0;
  /** Bytes of dictionaries. */
  #reserved = 0;
  #turn = 0;

  constructor(readonly bytesMax: number) {}

  get bytes(): number {
    return this.#bytes + this.#reserved;
  }

  /** To be called before each question, and before each page of the log. */
  begin(): void {
    this.#turn += 1;
  }

  /** Reads a segment, which stays in memory meanwhile; what it brings along is counted afterwards. */
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
    // There is no room: the next question that needs it reads it again.
    if (this.bytes > this.bytesMax) this.#drop(segment);
  }

  /** @param bytes that dictionaries take */
  reserve(bytes: number): void {
    this.#reserved = bytes;
    this.#evict();
  }

  /** Frees the memory of a segment that was replaced. */
  forget(segment: Segment): void {
    if (segment.pins > 0) throw new Error('Dropped a pinned segment.');
    this.#bytes -= this.#segments.get(segment) ?? 0;
    this.#segments.delete(segment);
    discardYoung(segment.bytes); // released at once: the collector still counts it
    segment.drop();
  }

  /** One that is not stored stays. */
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
