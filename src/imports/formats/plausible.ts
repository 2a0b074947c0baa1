import { DAY_MS } from '../../vocabulary/durations.ts';
import type { DailySum, SumFamily } from '../../vocabulary/sums.ts';
import { type Fields, toBrowser, toCountry, toDeviceType, toRegion, toSystem } from '../fields.ts';
import type { Format, RowContent } from '../format.ts';
import { eachRecord, readHeader } from '../source/csv.ts';

/** Files of the export by the middle of their names: `imported_sources_20240101_20241231.csv`. */
const FILES: Record<string, { family: SumFamily; names: (fields: Fields) => DailySum['names'] }> = {
  visitors: { family: 'visitors', names: () => [] },
  sources: {
    family: 'sources',
    names: (fields) => [
      toName(fields.source),
      toName(fields.referrer),
      toName(fields.utm_source),
      toName(fields.utm_medium),
      toName(fields.utm_campaign),
      toName(fields.utm_content),
      toName(fields.utm_term),
    ],
  },
  pages: { family: 'pages', names: ({ hostname, page }) => [toName(hostname), toName(page)] },
  entry_pages: { family: 'entryPages', names: ({ entry_page: page }) => [toName(page)] },
  exit_pages: { family: 'exitPages', names: ({ exit_page: page }) => [toName(page)] },
  locations: {
    family: 'locations',
    // Cities are numbers of GeoNames there.
    names: ({ country, region }) => [toCountry(country) ?? null, toRegion(country, region) ?? null, null],
  },
  devices: { family: 'devices', names: ({ device }) => [toDeviceType(device) ?? null] },
  browsers: {
    family: 'browsers',
    names: ({ browser, browser_version: version }) => [
      toBrowser(toName(browser) ?? '') ?? null,
      toName(version),
    ],
  },
  operating_systems: {
    family: 'systems',
    names: ({ operating_system: system, operating_system_version: version }) => [
      toSystem(toName(system) ?? '') ?? null,
      toName(version),
    ],
  },
};
const FILE_NAME = /^imported_(.+?)(?:_\d{8}_\d{8})?\.csv$/;

/** Plausible: the files of its export, each with the sums of days by other dimensions. */
export const plausible: Format = {
  name: 'plausible',
  matches: ({ name }) => familyOf(name) !== undefined,
  readNames: ({ head }) => readHeader(head),
  columns: {
    date: 'day',
    visitors: 'visitors',
    visits: 'visits',
    entrances: 'visits',
    exits: 'visits',
    pageviews: 'pageviews',
    bounces: 'bounces',
    visit_duration: 'visitDuration',
    source: 'source',
    referrer: 'referrer',
    utm_source: 'utmSource',
    utm_medium: 'utmMedium',
    utm_campaign: 'utmCampaign',
    utm_content: 'utmContent',
    utm_term: 'utmTerm',
    hostname: 'hostname',
    page: 'page',
    entry_page: 'entryPage',
    exit_page: 'exitPage',
    country: 'country',
    region: 'region',
    device: 'deviceType',
    browser: 'browser',
    browser_version: 'browserVersion',
    operating_system: 'os',
    operating_system_version: 'osVersion',
  },
  async *read(files) {
    for (const file of files) {
      const kind = familyOf(file.name);
      // A file that the person named with --format, whatever it is called.
      if (!kind) yield [{ file: file.name, line: 1, reason: 'Not a file of the export of Plausible' }];
      else yield* eachRecord([file], (fields) => toRow(fields, kind));
    }
  },
};

function familyOf(name: string) {
  const kind = FILE_NAME.exec(name)?.[1] ?? '';
  return Object.hasOwn(FILES, kind) ? FILES[kind] : undefined;
}

function toRow(fields: Fields, { family, names }: NonNullable<ReturnType<typeof familyOf>>): RowContent {
  const day = toDay(fields.date);
  if (day === undefined) return { reason: 'date: Must be a date such as 2024-01-31' };
  const figures = {
    visitors: toCount(fields.visitors),
    visits: toCount(fields.visits ?? fields.entrances ?? fields.exits),
    pageviews: toCount(fields.pageviews),
    bounces: toCount(fields.bounces),
    durationS: toCount(fields.visit_duration),
  };
  const faulty = Object.entries(figures).find(([, figure]) => figure === undefined)?.[0];
  if (faulty !== undefined) return { reason: `${faulty}: Must be a whole number from 0` };
  // None is undefined, as was just seen.
  return { sum: { day, family, names: names(fields), ...(figures as Record<keyof typeof figures, number>) } };
}

const NAME_LENGTH_MAX = 2_048;

function toName(text: string | undefined): string | null {
  const name = text?.trim() ?? '';
  return ['', 'Direct / None', '(not set)'].includes(name) ? null : name.slice(0, NAME_LENGTH_MAX);
}

/** Absent counts as 0: not every file has every figure. */
function toCount(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return 0;
  const count = Number(text);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Days from 1970-01-01. */
export function toDay(text: string | undefined): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text ?? '')) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) ? undefined : ms / DAY_MS;
}
