import type { NamedDimension } from '../../analytics/vocabulary.ts';

export const DIMENSION_NAMES: Record<NamedDimension, string> = {
  page: 'Page',
  entryPage: 'Entry page',
  exitPage: 'Exit page',
  hostname: 'Hostname',
  source: 'Source',
  channel: 'Channel',
  referrer: 'Referrer',
  utmSource: 'UTM source',
  utmMedium: 'UTM medium',
  utmCampaign: 'UTM campaign',
  utmTerm: 'UTM term',
  utmContent: 'UTM content',
  country: 'Country',
  language: 'Language',
  browser: 'Browser',
  os: 'Operating system',
  deviceType: 'Device',
  screen: 'Screen',
  event: 'Custom event',
  eventType: 'Kind of event',
};

const PROPERTY_PREFIX = 'property:';

/** `country` → `Country`, `property:plan` → `Property plan`; an unknown one as it is. */
export function nameOfDimension(dimension: string): string {
  if (dimension.startsWith(PROPERTY_PREFIX)) return `Property ${dimension.slice(PROPERTY_PREFIX.length)}`;
  if (dimension === 'goal') return 'Goal';
  return Object.entries(DIMENSION_NAMES).find(([name]) => name === dimension)?.[1] ?? dimension;
}
