import { readRevenue } from '../derive/revenue.ts';
import { REVENUE_KEY } from '../dimensions.ts';
import { openColumn } from '../query/coded-column.ts';
import { Texts } from '../query/rank.ts';
import type { Source } from '../query/source.ts';

export type Money = ReturnType<typeof readRevenue>;

/** By code of the values of the revenue property: what it comes to. */
export function createMoneyReader(source: Source): (code: number) => Money {
  const texts = new Texts(openColumn(`property:${REVENUE_KEY}`, source));
  const known = new Map<number, Money>();
  return (code) => {
    if (!known.has(code)) known.set(code, readRevenue(texts.get(code)));
    return known.get(code);
  };
}
