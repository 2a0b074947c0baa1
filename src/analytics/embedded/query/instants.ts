import type { Segment } from '../segment/segment.ts';

/**
 * The instants of the events of given visits, requested in ascending order. When only hours matter, visits within one hour
 * need none, and the others have a column of their own: a tenth of all instants.
 */
export class Instants {
  /** Instants. An event's instant is at its index + `shiftOf(its visit)`. */
  readonly atMs: Uint32Array;
  readonly #long: Uint16Array | undefined;
  readonly #first: Uint16Array;
  #index = 0;
  #at = 0;

  constructor(segment: Segment, isHourly: boolean) {
    this.atMs = segment.column(isHourly ? 'longVisitMs' : 'atMs');
    this.#long = isHourly ? segment.column('longVisit') : undefined;
    this.#first = segment.column('first');
  }

  shiftOf(visit: number): number {
    if (!this.#long) return 0;
    for (;;) {
      const long = this.#long[this.#index];
      if (long === undefined) throw new Error('A visit of one hour has no instants of its own.');
      if (long >= visit) return this.#at - (this.#first[visit] as number);
      this.#at += (this.#first[long + 1] as number) - (this.#first[long] as number);
      this.#index += 1;
    }
  }
}
