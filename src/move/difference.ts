/**
 * In a form that two right answers share: sums and quotients may differ in their last bits, by the order in which
 * numbers were added.
 */
export function comparable(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? value + 0 : Number(value.toPrecision(12));
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, comparable(part)]));
}

/** The first place where two answers differ: `rows.2.visitors: 5, not 6`; undefined when they are alike. */
export function findDifference(one: unknown, other: unknown): string | undefined {
  return compare(comparable(one), comparable(other), []);
}

function compare(one: unknown, other: unknown, path: readonly string[]): string | undefined {
  if (!isObject(one) || !isObject(other))
    return one === other ? undefined : `${path.join('.')}: ${show(one)}, not ${show(other)}`;
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = compare(one[name], other[name], [...path, name]);
    if (found) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const SHOWN_MAX = 200;

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN_MAX);
}
