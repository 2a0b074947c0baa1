import type { Arena } from '../memory/arena.ts';
import type { Matches } from './matches.ts';

/**
 * Numbers the visitors of a question 1, 2, … in order of first appearance, so that arrays by visitor need only as many
 * entries as there are visitors.
 */
export class VisitorIds {
  /** Visitor code → twice its number, plus 1 for visitors with more than one visit. */
  readonly #numbers: Uint32Array;
  readonly #returning: Uint16Array;
  /** Number of the visitor of each visit of the last matches. */
  readonly ofVisits: Uint32Array;
  count = 0;

  /** @param visitorCount greatest visitor code */
  constructor(arena: Arena, visitorCount: number) {
    this.#numbers = arena.u32(visitorCount + 1);
    this.#returning = arena.u16(2 ** 16);
    this.ofVisits = arena.u32(2 ** 16);
  }

  /** Numbers the new visitors. Without a branch: whether a visitor was seen before is unpredictable. */
  assign({ segment, count, visits }: Matches): void {
    const visitor = segment.column('visitor');
    const numbers = this.#numbers;
    const { ofVisits } = this;
    let met = this.count;
    for (let index = 0; index < count; index += 1) {
      const code = visitor[visits[index] as number] as number;
      const known = numbers[code] as number;
      const isNew = (known - 1) >>> 31; // 1 when it is 0: there are fewer than 2^30
      met += isNew;
      const number = (known >>> 1) + met * isNew;
      numbers[code] = 2 * number + 1 - isNew;
      ofVisits[index] = number;
    }
    this.count = met;
  }

  /** Looks up visitors that have a number. */
  lookup({ segment, count, visits }: Matches): void {
    const visitor = segment.column('visitor');
    for (let index = 0; index < count; index += 1)
      this.ofVisits[index] = (this.#numbers[visitor[visits[index] as number] as number] as number) >>> 1;
  }

  /** Looks up as `lookup` does. @returns only visits of visitors with more than one; valid until the next call */
  lookupReturning({ segment, count, visits, hits }: Matches): Matches {
    const visitor = segment.column('visitor');
    const numbers = this.#numbers;
    const { ofVisits } = this;
    const returning = this.#returning;
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const number = numbers[visitor[visit] as number] as number;
      returning[kept] = visit;
      ofVisits[kept] = number >>> 1;
      kept += number & 1;
    }
    return { segment, count: kept, visits: returning, hits };
  }
}

/** Counts distinct visitors without numbering them: one bit each. */
export class VisitorCounter {
  readonly #bits: Uint32Array;
  count = 0;

  /** @param visitorCount greatest visitor code */
  constructor(arena: Arena, visitorCount: number) {
    this.#bits = arena.u32((visitorCount >>> 5) + 1);
  }

  /** Counts without a branch, as `VisitorIds` does. */
  assign({ segment, count, visits }: Matches): void {
    const visitor = segment.column('visitor');
    const bits = this.#bits;
    let met = this.count;
    for (let index = 0; index < count; index += 1) {
      const code = visitor[visits[index] as number] as number;
      const word = bits[code >>> 5] as number;
      met += (~word >>> (code & 31)) & 1;
      bits[code >>> 5] = word | (1 << (code & 31));
    }
    this.count = met;
  }
}
