import { compareText } from '../../derive/text.ts';
import type { Revenue } from '../../interface/revenue.ts';

/** Sums amounts by currency. */
export class Takings {
  unreadable = 0;
  readonly #sums = new Map<string, Sum>();

  /** @param currency empty for a value that is not an amount */
  add(currency: string, minor: number): void {
    if (currency === '') {
      this.unreadable += 1;
      return;
    }
    const sum = this.#sums.get(currency) ?? new Sum();
    if (sum.count === 0) this.#sums.set(currency, sum);
    sum.add(minor);
  }

  toRevenue(): Revenue[] {
    return [...this.#sums]
      .map(([currency, { total, count }]) => ({ currency, minor: total, events: count }))
      .sort((a, b) => compareText(a.currency, b.currency));
  }
}

/** Sums integers of any size, in a double while that is exact. */
class Sum {
  count = 0;
  #small = 0;
  #large = 0n;

  add(whole: number): void {
    this.count += 1;
    const small = this.#small + whole;
    if (!Number.isSafeInteger(small)) this.#large += BigInt(this.#small);
    this.#small = Number.isSafeInteger(small) ? small : whole;
  }

  get total(): bigint {
    return this.#large + BigInt(this.#small);
  }
}
