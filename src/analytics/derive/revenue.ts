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

function parse(text: string): { amount?: unknown; currency?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
