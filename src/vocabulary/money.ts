import { AMOUNT_DIGITS_MAX } from './contract.ts';

/**
 * Amounts are whole minor units of a currency of ISO 4217, never fractions. Codes and digits are those of the runtime's
 * Intl, which follows ISO 4217 (ECMA-402, CurrencyDigits) with few exceptions.
 */

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** Codes of ISO 4217 that are not used for payments: metals, units of account, tests, "no currency". */
const NO_MONEY = /^X(AG|AU|BA|BB|BC|BD|DR|PD|PT|SU|TS|UA|XX)$/;
/** Minor digits of ISO 4217 where Intl differs. */
const DIGITS_OF_ISO: Partial<Record<string, number>> = { UYW: 4 };
const AMOUNT = /^(-?)(\d+)(?:\.(\d+))?$/;

const digitsOf = new Map<string, number>();

/** Returns the number of digits of the minor unit; undefined when it is not a currency. */
export function findMinorDigits(currency: string): number | undefined {
  if (!CURRENCIES.has(currency) || NO_MONEY.test(currency)) return undefined;
  const known = digitsOf.get(currency);
  if (known !== undefined) return known;
  const { maximumFractionDigits = 0 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  const digits = DIGITS_OF_ISO[currency] ?? maximumFractionDigits;
  digitsOf.set(currency, digits);
  return digits;
}

/**
 * Parses an amount: `19.90` of EUR is 1990. Undefined when it is not an amount of the currency: too many digits, a comma,
 * an exponent.
 */
export function toMinor(amount: string, currency: string): number | undefined {
  const digits = findMinorDigits(currency);
  const [, sign = '', whole = '', fraction = ''] = AMOUNT.exec(amount) ?? [];
  if (digits === undefined || whole === '') return undefined;
  const significant = whole.replace(/^0+(?=\d)/, '');
  const zeros = fraction.slice(digits);
  if (significant.length > AMOUNT_DIGITS_MAX || /[^0]/.test(zeros)) return undefined;
  const minor = Number(significant + fraction.slice(0, digits).padEnd(digits, '0'));
  return sign === '-' && minor !== 0 ? -minor : minor;
}

/** Formats minor units; a sum may exceed any single amount. */
export function toAmount(minor: number | bigint, currency: string): string {
  const digits = findMinorDigits(currency) ?? 0;
  const text = String(minor < 0 ? -minor : minor).padStart(digits + 1, '0');
  const amount = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return minor < 0 ? `-${amount}` : amount;
}
