/** An event of another product's script in the fields of contract/event-input; undefined: nothing to count. */
export type OldEvent = {
  /** Id of the website in that product. */
  site: string;
  event: Record<string, unknown> | undefined;
};

/** @returns an address, completed with a host where it is a path; undefined when that is unknown */
export function toAddress(text: string | undefined, host: string | undefined): string | undefined {
  if (text === undefined || /^[a-z][a-z0-9+.-]*:/i.test(text)) return text; // of another scheme: refused later
  return host ? `https://${host}${text.startsWith('/') ? '' : '/'}${text}` : undefined;
}

/** Scripts send paths and empty texts as well. */
export function toReferrer(text: string | undefined): string | undefined {
  return text && /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : undefined;
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the property that reports count as revenue; undefined unless there are an amount and a currency */
export function toRevenue(
  amount: unknown,
  currency: unknown,
): { amount: string; currency: string } | undefined {
  const text = textOf(amount);
  if (text === undefined || typeof currency !== 'string' || !/^[a-z]{3}$/i.test(currency)) return undefined;
  return { amount: text, currency: currency.toUpperCase() };
}
