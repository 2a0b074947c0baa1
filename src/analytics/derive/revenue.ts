import { toMinor } from '../../vocabulary/money.ts';

/** Digits that a number of JavaScript holds for sure: 0.1 + 0.2 is 0.3 with so many. */
const NUMBER_DIGITS = 15;

/** Without the flag u: with it, a dotless i is an i. */
const CODE = /^[a-z]{3}$/i;

/** @param text the value of that property, as JSON. Undefined: it is not an amount of money */
export function readRevenue(text: string): { minor: number; currency: string } | undefined {
  const { amount, currency } = parse(text);
  const digits = typeof amount === 'number' ? amount.toPrecision(NUMBER_DIGITS) : amount;
  if (typeof digits !== 'string' || typeof currency !== 'string' || !CODE.test(currency)) return undefined;
  const code = currency.toUpperCase();
  const minor = toMinor(digits, code);
  return minor === undefined ? undefined : { minor, currency: code };
}

function parse(text: string): { amount?: unknown; currency?: unknown; revenue?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/**
 * Sums the amounts of events in each currency, ordered by code.
 *
 * @param properties of each event, as JSON text
 */
export function sumAmounts(properties: readonly (string | null)[]) {
  const sums = new Map<string, { currency: string; minor: bigint; events: number }>();
  for (const text of properties) {
    const { revenue } = parse(text ?? '');
    const amount = revenue === undefined ? undefined : readRevenue(JSON.stringify(revenue));
    if (!amount) continue;
    const { currency, minor } = amount;
    const known = sums.get(currency) ?? { currency, minor: 0n, events: 0 };
    sums.set(currency, { currency, minor: known.minor + BigInt(minor), events: known.events + 1 });
  }
  return [...sums.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
