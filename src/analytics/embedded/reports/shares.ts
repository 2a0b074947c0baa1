import {
  ATTRIBUTED_VISITS_MAX,
  type AttributionModel,
  CONVERSION_PARTS,
} from '../../../vocabulary/analytics.ts';
import type { AttributedShare, AttributionAnswer } from '../../analytics.ts';
import { compareText } from '../../derive/text.ts';
import type { Arena } from '../memory/arena.ts';
import type { CodedColumn } from '../query/coded-column.ts';

export type Money = { minor: number; currency: string };
/** Sums by currency. */
type Sums = Map<string, bigint>;

/** Shares of all conversions, by value of a dimension. */
export class Shares {
  /** Codes of the visits that led to a conversion, the converting visit first. */
  readonly path = new Uint32Array(ATTRIBUTED_VISITS_MAX);
  readonly #column: CodedColumn;
  /** Shares by code. */
  readonly #parts: Record<AttributionModel, Float64Array>;
  readonly #money: Record<AttributionModel, Map<number, Sums>>;

  constructor(column: CodedColumn, arena: Arena) {
    this.#column = column;
    const parts = () => arena.f64(column.count + 1);
    this.#parts = { first: parts(), last: parts(), linear: parts() };
    this.#money = { first: new Map(), last: new Map(), linear: new Map() };
  }

  /** @param length length of the path, at least 1 */
  add(length: number, money: Money | undefined): void {
    const { first, last, linear } = this.#parts;
    const firstCode = this.path[length - 1] as number;
    const lastCode = this.path[0] as number;
    (first[firstCode] as number) += CONVERSION_PARTS;
    (last[lastCode] as number) += CONVERSION_PARTS;
    for (let index = 0; index < length; index += 1)
      (linear[this.path[index] as number] as number) += shareOf(CONVERSION_PARTS, length, index);
    if (!money) return;
    this.#pay('first', firstCode, money.currency, money.minor);
    this.#pay('last', lastCode, money.currency, money.minor);
    for (let index = 0; index < length; index += 1)
      this.#pay('linear', this.path[index] as number, money.currency, shareOf(money.minor, length, index));
  }

  toRows(): AttributionAnswer['rows'] {
    const rows: AttributionAnswer['rows'] = [];
    this.#parts.linear.forEach((millionths, code) => {
      if (millionths === 0) return;
      rows.push({
        value: code === 0 ? null : this.#column.text(code),
        first: this.#toShare('first', code),
        last: this.#toShare('last', code),
        linear: this.#toShare('linear', code),
      });
    });
    return rows.sort((a, b) => b.linear.millionths - a.linear.millionths || compareText(a.value, b.value));
  }

  #pay(model: AttributionModel, code: number, currency: string, minor: number): void {
    const sums: Sums = this.#money[model].get(code) ?? new Map();
    this.#money[model].set(code, sums);
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(minor));
  }

  #toShare(model: AttributionModel, code: number): AttributedShare {
    const revenue = [...(this.#money[model].get(code) ?? [])].map(([currency, minor]) => ({
      currency,
      minor,
    }));
    return {
      millionths: this.#parts[model][code] as number,
      revenue: revenue.sort((a, b) => compareText(a.currency, b.currency)),
    };
  }
}

/** Splits a whole number evenly. The remainder goes to the earliest visits, which are last in a path. */
function shareOf(whole: number, count: number, index: number): number {
  const each = Math.trunc(whole / count);
  const left = whole - each * count;
  return each + (count - 1 - index < Math.abs(left) ? Math.sign(left) : 0);
}
