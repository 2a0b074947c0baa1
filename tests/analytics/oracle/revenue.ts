import type { RevenueAnswer, RevenueRequest } from '../../../src/analytics/analytics.ts';
import type { Revenue } from '../../../src/analytics/interface/revenue.ts';
import { compareTexts, groupByValue } from './breakdown.ts';
import type { NaiveLog } from './log.ts';
import { type Match, narrow, select } from './selection.ts';

export function sumRevenue(log: NaiveLog, request: RevenueRequest): RevenueAnswer {
  const { bounds, dimension, conditions, ...selection } = request;
  const matches = select(log, selection);
  const values = dimension && groupByValue(matches, dimension);
  return {
    ...toRevenue(matches),
    ...(bounds && {
      points: bounds.slice(1).map((endMs, index) => {
        const isInside = ({ event }: Match) =>
          event.createdAtMs >= (bounds[index] ?? endMs) && event.createdAtMs < endMs;
        return toRevenue(matches.filter(isInside)).revenue;
      }),
    }),
    ...(values && {
      values: values
        .map(({ value, matches: own }) => ({ value: value || null, revenue: toRevenue(own).revenue }))
        .filter(({ revenue }) => revenue.length > 0)
        .sort((a, b) => compareTexts(a.value, b.value)),
    }),
    ...(conditions && {
      conditions: conditions.map((filter) => toRevenue(select(log, narrow(selection, filter))).revenue),
    }),
  };
}

const DIGITS: Record<string, number> = { EUR: 2, USD: 2, JPY: 0, KWD: 3 };

export function toRevenue(matches: readonly Match[]): { revenue: Revenue[]; unreadable: number } {
  const sums = new Map<string, Revenue>();
  let unreadable = 0;
  for (const { properties } of matches) {
    const text = properties.get('revenue')?.text;
    if (text === undefined) continue;
    const money = readMoney(text);
    if (!money) unreadable += 1;
    else {
      const { currency } = money;
      const { minor, events } = sums.get(currency) ?? { minor: 0n, events: 0 };
      sums.set(currency, { currency, minor: minor + money.minor, events: events + 1 });
    }
  }
  return { revenue: [...sums.values()].sort((a, b) => compareTexts(a.currency, b.currency)), unreadable };
}

function readOwn(text: string | null): { revenue?: unknown } | undefined {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Revenue of events by their properties as sent. */
export function sumAmounts(properties: readonly (string | null)[]): Revenue[] {
  const amounts = properties.flatMap((text) => {
    const revenue = readOwn(text)?.revenue;
    return (revenue !== undefined && readMoney(JSON.stringify(revenue))) || [];
  });
  const byCode = Map.groupBy(amounts, ({ currency }) => currency);
  return [...byCode]
    .map(([currency, own]) => ({
      currency,
      minor: own.reduce((sum, { minor }) => sum + minor, 0n),
      events: own.length,
    }))
    .sort((a, b) => compareTexts(a.currency, b.currency));
}

export function readMoney(text: string): { currency: string; minor: bigint } | undefined {
  let value: { amount?: unknown; currency?: unknown } | null;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { amount: sent, currency: code } = value ?? {};
  if (typeof code !== 'string' || /[^a-zA-Z]/.test(code)) return undefined;
  const currency = code.toUpperCase();
  const digits = DIGITS[currency];
  // Of a number 15 digits are read.
  const amount = typeof sent === 'number' ? String(Number(sent.toPrecision(15))) : sent;
  if (digits === undefined || typeof amount !== 'string') return undefined;
  const [whole = '', fraction = '', ...more] = amount.split('.');
  const isNumber =
    /^-?\d+$/.test(whole) && (fraction === '' ? !amount.includes('.') : /^\d+$/.test(fraction));
  if (!isNumber || more.length > 0 || BigInt(whole) > 9_999_999_999n || BigInt(whole) < -9_999_999_999n)
    return undefined;
  if (!/^0*$/.test(fraction.slice(digits))) return undefined;
  return { currency, minor: BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0')) };
}
