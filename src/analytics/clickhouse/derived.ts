import type { Derive } from '../../log/clickhouse/rows.ts';
import type { LoggedEvent } from '../../log/event.ts';
import { toTypeCode } from '../../log/event-type.ts';
import { ORIGIN_DIMENSIONS, type OriginDimension, REVENUE_KEY } from '../../vocabulary/analytics.ts';
import { readAddress } from '../derive/address.ts';
import { toClass } from '../derive/class.ts';
import { deriveOrigin } from '../derive/origin.ts';
import { eventName, readProperties } from '../derive/properties.ts';
import { readRevenue } from '../derive/revenue.ts';

/** Results of reading an event's revenue. */
export const REVENUE = { none: 0, unreadable: 1, amount: 2 } as const;

/**
 * Returns the column of a dimension that an event determines for a visit that it begins. `referrer` is the address as sent.
 */
export function originColumn(name: OriginDimension): string {
  if (name === 'referrer') return 'referrer_host';
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
const ORIGIN_COLUMNS = ORIGIN_DIMENSIONS.map(originColumn);

/** Columns that follow from the address, the referrer and the flags of an event alone. */
export const ADDRESS_COLUMNS: readonly string[] = ['page', 'hostname', ...ORIGIN_COLUMNS];

/** Returns the values of ADDRESS_COLUMNS. */
export function deriveAddress({
  url,
  referrer,
  flags,
}: Pick<LoggedEvent, 'url' | 'referrer' | 'flags'>): string[] {
  const address = readAddress(url, flags);
  return [address.page, address.hostname, ...deriveOrigin(address, referrer)];
}

/** Derives the columns that questions read, when an event is stored. Absent texts are empty. */
export const derive: Derive = (event) => {
  const address = readAddress(event.url, event.flags);
  const json = event.properties ?? '';
  const properties = event.properties === null ? [] : readProperties(json);
  const origin = deriveOrigin(address, event.referrer);
  const revenue = properties.find(({ key }) => key === REVENUE_KEY);
  const money = revenue && readRevenue(revenue.value);
  const columns: Record<string, unknown> = {
    class: toClass(event.flags),
    page: address.page,
    hostname: address.hostname,
    name: eventName(toTypeCode(event.eventType), properties, json),
    property_keys: properties.map(({ key }) => key),
    property_values: properties.map(({ value }) => value),
    property_numbers: properties.map(({ number }) => (number === undefined ? 0 : 1)),
    revenue: revenue ? (money ? REVENUE.amount : REVENUE.unreadable) : REVENUE.none,
    currency: money?.currency ?? '',
    minor: money?.minor ?? 0,
  };
  // Instead of `fromEntries`, which took a third of the whole function's time.
  for (const [index, name] of ORIGIN_COLUMNS.entries()) columns[name] = origin[index];
  return columns;
};
