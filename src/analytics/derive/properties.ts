import { toTypeCode } from '../../log/event-type.ts';
import { REVENUE_KEY } from '../../vocabulary/analytics.ts';
import { TEXT_MAX, toText } from './text.ts';

const CUSTOM = toTypeCode('custom');

export type Property = { key: string; value: string; number: number | undefined };

/**
 * The properties of an event that are not null, their values as text; of keys that become the same text, the last.
 * Unreadable JSON has none.
 */
export function readProperties(json: string): Property[] {
  const properties = new Map<string, Property>();
  for (const [name, value] of Object.entries(parseObject(json))) {
    if (value === null || value === undefined) continue;
    const text = toText(typeof value === 'object' ? toJson(name, value) : String(value));
    if (text === '') continue; // the same as absent
    const key = toText(name);
    properties.set(key, { key, value: text, number: typeof value === 'number' ? value : undefined });
  }
  return [...properties.values()];
}

/** Reduces long revenue to amount and currency, so that other members, such as an order's items, do not cause truncation. */
function toJson(name: string, value: object): string {
  const json = JSON.stringify(value);
  if (name !== REVENUE_KEY || json.length <= TEXT_MAX) return json;
  if (!('amount' in value && 'currency' in value)) return json;
  return JSON.stringify({ amount: value.amount, currency: value.currency });
}

/** The name of a custom event; empty for other types. */
export function eventName(type: number, properties: readonly Property[], json: string): string {
  if (type !== CUSTOM) return '';
  const name = properties.find(({ key }) => key === 'name');
  if (!name || name.number !== undefined) return '';
  // Only a string is a name: the text of `true` or of a list is not.
  return typeof parseObject(json).name === 'string' ? name.value : '';
}

function parseObject(json: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json);
    // A JSON object has string keys.
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
