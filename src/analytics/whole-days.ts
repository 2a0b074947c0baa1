import { DAY_MS } from './day.ts';
import type { HeadlineDay, HeadlineSource } from './headline-days.ts';
import { takeScratch } from './panels/scratch.ts';
import { markDifferent } from './panels/visitor-bits.ts';
import { addBits, stretchOf, UNION_DAYS } from './visitor-unions.ts';

/** Marks the visitors of days that count as a whole, ascending: at once where a stretch of them lies within the range. */
export class WholeDays {
  readonly #source: HeadlineSource;
  readonly #websiteKey: number;
  readonly #range: { fromMs: number; toMs: number };
  readonly #bits: Uint32Array;
  #stretch = Number.NaN;
  /** The present stretch was marked when it began. */
  #isKnown = false;
  /** Those of the present stretch, while it is met for the first time; and how many times somebody was marked. */
  #union: Uint32Array | undefined;
  #marks = 0;
  #spare: Uint32Array | undefined;

  /** @param bits of the visitors of the range */
  constructor(
    source: HeadlineSource,
    websiteKey: number,
    range: { fromMs: number; toMs: number },
    bits: Uint32Array,
  ) {
    this.#source = source;
    this.#websiteKey = websiteKey;
    this.#range = range;
    this.#bits = bits;
  }

  mark({ day, visitor }: HeadlineDay): void {
    if (stretchOf(day) !== this.#stretch) this.#begin(stretchOf(day));
    if (this.#isKnown) return;
    markDifferent(visitor, this.#union ?? this.#bits);
    this.#marks += visitor.length;
  }

  /** After the last day. */
  finish(): void {
    if (!this.#union) return;
    addBits(this.#union, this.#bits);
    this.#source.keepUnion(this.#websiteKey, this.#stretch, this.#union, this.#marks);
    this.#union = undefined;
  }

  #begin(stretch: number): void {
    this.finish();
    this.#stretch = stretch;
    const fromMs = stretch * UNION_DAYS * DAY_MS;
    const isWithin = fromMs >= this.#range.fromMs && fromMs + UNION_DAYS * DAY_MS <= this.#range.toMs;
    const known = isWithin ? this.#source.union(this.#websiteKey, stretch) : undefined;
    this.#isKnown = known !== undefined;
    if (known) addBits(known, this.#bits);
    if (known || !isWithin) return;
    this.#spare ??= takeScratch(this.#bits.length);
    this.#union = this.#spare.fill(0);
    this.#marks = 0;
  }
}
