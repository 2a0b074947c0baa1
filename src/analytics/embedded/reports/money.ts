import { REVENUE_KEY } from '../../../vocabulary/analytics.ts';
import { readRevenue } from '../../derive/revenue.ts';
import { openColumn } from '../query/coded-column.ts';
import { Texts } from '../query/rank.ts';
import type { Source } from '../query/source.ts';
import type { SegmentProperty } from '../segment/properties.ts';
import type { Segment } from '../segment/segment.ts';

/** The events of a segment that have the revenue property, and the amount of each value. */
export type SegmentMoney = SegmentProperty & Amounts;

/**
 * Amounts by local code of the value. A currency is an index into `currencies`; the empty currency marks values that are
 * not amounts.
 */
type Amounts = { minor: Float64Array; currency: Uint16Array; currencies: readonly string[]; bytes: number };

/**
 * Returns a reader that parses amounts once per segment and caches them with it. It returns undefined for a segment without
 * any.
 */
export function createMoneyReader(source: Source): (segment: Segment) => SegmentMoney | undefined {
  const key = source.website.dictionaries.get('propertyKey').find(REVENUE_KEY);
  const texts = new Texts(openColumn(`property:${REVENUE_KEY}`, source));
  return (segment) => {
    const property = key === 0 ? undefined : segment.property(key);
    return (
      property && { ...property, ...segment.remember('money', () => readAmounts(property.codes, texts)) }
    );
  };
}

function readAmounts(codes: Uint32Array, texts: Texts): Amounts {
  const minor = new Float64Array(codes.length);
  const currency = new Uint16Array(codes.length);
  const currencies = [''];
  codes.forEach((code, local) => {
    const money = readRevenue(texts.get(code));
    if (!money) return;
    const known = currencies.indexOf(money.currency);
    currency[local] = known < 0 ? currencies.push(money.currency) - 1 : known;
    minor[local] = money.minor;
  });
  return { minor, currency, currencies, bytes: minor.byteLength + currency.byteLength };
}
