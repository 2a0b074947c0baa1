/** Formats that can be imported, with their names for people. */
export const IMPORT_FORMATS = {
  pagemeter: 'Pagemeter NDJSON',
  'pagemeter-csv': 'Pagemeter CSV',
  umami: 'Umami CSV or dump',
  matomo: 'Matomo visits (Live API, JSON or CSV)',
  goatcounter: 'GoatCounter CSV',
  ga4: 'Google Analytics 4 (BigQuery export, JSON)',
  posthog: 'PostHog events (JSON)',
  'simple-analytics': 'Simple Analytics CSV',
  plausible: 'Plausible export (daily sums)',
  'google-reports': 'Google Analytics reports by day (CSV)',
  'access-log': 'access log (common or combined)',
  'access-log-json': 'access log (JSON)',
} as const;
export type ImportFormat = keyof typeof IMPORT_FORMATS;
export const IMPORT_FORMAT_NAMES = Object.keys(IMPORT_FORMATS) as ImportFormat[]; // the keys of its type
/** Formats whose rows are sums of days instead of events. */
const SUM_FORMATS: readonly string[] = ['plausible', 'google-reports'] satisfies ImportFormat[];

/** Returns the name of the rows that a format has, in the plural. */
export function unitsOf(format: string): 'events' | 'sums' {
  return SUM_FORMATS.includes(format) ? 'sums' : 'events';
}
