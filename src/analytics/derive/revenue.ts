import { toMinor } from '../../money.ts';

/** @param text the value of that property, as JSON. Undefined: it is no amount of money */
export function readRevenue(text: string): { minor: number; currency: string } | undefined {
  const { amount, currency } = parse(text);
  const isAmount = typeof amount === 'string' || typeof amount === 'number';
  if (!isAmount || typeof currency !== 'string') return undefined;
  const minor = toMinor(String(amount), currency);
  return minor === undefined ? undefined : { minor, currency };
}

function parse(text: string): { amount?: unknown; currency?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
