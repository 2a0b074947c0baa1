import { type DailySum, SUM_FAMILIES, SUM_FAMILY_NAMES, type SumFamily } from '../../vocabulary/sums.ts';
import { type Fields, toBrowser, toCountry, toDeviceType, toSystem } from '../fields.ts';
import type { Format, ImportRow, RowContent } from '../format.ts';
import { ImportError } from '../import-error.ts';
import { afterComments, type Commented, dayOfDigits } from '../source/after-comments.ts';
import { readCsv, readHeader } from '../source/csv.ts';
import type { SourceFile } from '../source/source-file.ts';

type Name = (text: string) => string | null;
type Target = { dimension: string; toName: Name };

const plain: Name = (text) =>
  /^\((not set|none|direct|organic|referral|not provided)\)$/.test(text) ? null : text;
const to = (dimension: string, toName: Name = plain): Target => ({ dimension, toName });

/** Dimensions of reports, of Google Analytics 4 and of Universal Analytics before it, in English. */
const DIMENSIONS: Record<string, Target> = {
  'page path': to('page'),
  'page path and screen class': to('page'),
  'page path + query string': to('page'),
  page: to('page'),
  hostname: to('hostname'),
  'landing page': to('entryPage'),
  'landing page + query string': to('entryPage'),
  'exit page': to('exitPage'),
  source: to('source'),
  'session source': to('source'),
  medium: to('utmMedium'),
  'session medium': to('utmMedium'),
  campaign: to('utmCampaign'),
  'session campaign': to('utmCampaign'),
  country: to('country', (text) => countryByName().get(text.toLowerCase()) ?? null),
  'country id': to('country', (text) => toCountry(text) ?? null),
  'country iso code': to('country', (text) => toCountry(text) ?? null),
  'device category': to('deviceType', (text) => toDeviceType(text) ?? null),
  browser: to('browser', (text) => toBrowser(plain(text) ?? '') ?? null),
  'operating system': to('os', (text) => toSystem(plain(text) ?? '') ?? null),
};
const DAYS = ['date', 'day', 'nth day', 'day index'];
const VISITORS = ['total users', 'users', 'active users'];
const VISITS = ['sessions'];
const PAGEVIEWS = ['views', 'screen page views', 'pageviews'];
const BOUNCES = ['bounces'];
const BOUNCE_RATE = ['bounce rate'];
const DURATION = ['average session duration', 'avg. session duration'];
const KNOWN = new Set([
  ...DAYS,
  ...VISITORS,
  ...VISITS,
  ...PAGEVIEWS,
  ...BOUNCES,
  ...BOUNCE_RATE,
  ...DURATION,
]);

/** Google Analytics, 4 and Universal: reports as CSV that have a column of days and at most one group of dimensions. */
export const googleReports: Format = {
  name: 'google-reports',
  matches: (file) => {
    const header = readHeader(afterComments(file).head);
    const has = (names: readonly string[]) => names.some((name) => header.includes(name));
    return has(DAYS) && (has(VISITORS) || has(VISITS) || has(PAGEVIEWS));
  },
  readNames: (file) => readHeader(afterComments(file).head),
  columns: {
    ...Object.fromEntries(DAYS.map((name) => [name, 'day'])),
    ...Object.fromEntries(VISITORS.map((name) => [name, 'visitors'])),
    ...Object.fromEntries(VISITS.map((name) => [name, 'visits'])),
    ...Object.fromEntries(PAGEVIEWS.map((name) => [name, 'pageviews'])),
    ...Object.fromEntries([...BOUNCES, ...BOUNCE_RATE].map((name) => [name, 'bounces'])),
    ...Object.fromEntries(DURATION.map((name) => [name, 'visitDuration'])),
    ...Object.fromEntries(Object.entries(DIMENSIONS).map(([name, { dimension }]) => [name, dimension])),
  },
  async *read(files) {
    for (const file of files) yield* readReport(file);
  },
};

async function* readReport(file: SourceFile): AsyncGenerator<ImportRow[], void, undefined> {
  const report = afterComments(file);
  const columns = readHeader(report.head).filter((name) => name in DIMENSIONS);
  const family = findFamily(columns.map((name) => DIMENSIONS[name]?.dimension ?? ''));
  if (!family)
    throw new ImportError(
      `${file.name} has dimensions of several groups (${columns.join(', ')}): export a report for each`,
    );
  for await (const group of readCsv(report))
    yield group.map(({ line, fields }) => ({
      file: file.name,
      line: line + report.skippedLines,
      ...toRow(fields, { family, columns, report }),
    }));
}

function findFamily(dimensions: readonly string[]): SumFamily | undefined {
  return SUM_FAMILY_NAMES.find((family) => {
    const names: readonly string[] = SUM_FAMILIES[family];
    return dimensions.every((dimension) => names.includes(dimension));
  });
}

type Read = { family: SumFamily; columns: readonly string[]; report: Commented };

function toRow(fields: Fields, { family, columns, report }: Read): RowContent {
  const unknown = Object.entries(fields).find(
    ([name, text]) => !KNOWN.has(name) && !(name in DIMENSIONS) && text && toNumber(text) === undefined,
  );
  if (unknown && !/total/i.test(unknown[1] ?? '')) return { reason: `${unknown[0]}: Not a known dimension` };
  const dayText = pick(fields, DAYS);
  if (!dayText || /total/i.test(dayText)) return { leftOut: 'totals' };
  const day = toDay(dayText, 'nth day' in fields ? report.startDay : undefined);
  if (day === undefined) return { reason: 'date: Must be a date such as 20240131' };
  const count = (names: readonly string[]) => toNumber(pick(fields, names) ?? '0');
  const [visitors, visits, pageviews, bounces] = [VISITORS, VISITS, PAGEVIEWS, BOUNCES].map(count);
  if ([visitors, visits, pageviews, bounces].some((figure) => figure === undefined || figure < 0))
    return { reason: 'Figures must be numbers from 0' };
  const rate = toNumber(pick(fields, BOUNCE_RATE) ?? '') ?? 0;
  const sum: DailySum = {
    day,
    family,
    names: SUM_FAMILIES[family].map((dimension) => {
      const column = columns.find((name) => DIMENSIONS[name]?.dimension === dimension);
      const text = column === undefined ? undefined : fields[column];
      return text ? (DIMENSIONS[column ?? '']?.toName(text.slice(0, NAME_LENGTH_MAX)) ?? null) : null;
    }),
    visitors: Math.round(visitors ?? 0),
    visits: Math.round(visits ?? 0),
    pageviews: Math.round(pageviews ?? 0),
    bounces: Math.round(bounces || rate * (visits ?? 0)),
    durationS: Math.round(toSeconds(pick(fields, DURATION) ?? '') * (visits ?? 0)),
  };
  return { sum };
}

const NAME_LENGTH_MAX = 2_048;

function pick(fields: Fields, names: readonly string[]): string | undefined {
  return names.map((name) => fields[name]).find((text) => text !== undefined && text !== '');
}

/** `1,234`, `12.5`, `45%` */
function toNumber(text: string): number | undefined {
  const isPercent = text.endsWith('%');
  const number = Number(text.replace(/,(?=\d{3})/g, '').replace('%', ''));
  if (text === '' || Number.isNaN(number)) return undefined;
  return isPercent ? number / 100 : number;
}

/** `00:01:32`, or seconds. */
function toSeconds(text: string): number {
  const [, hours, minutes, seconds] = /^(\d+):(\d\d):(\d\d)$/.exec(text) ?? [];
  if (hours === undefined) return toNumber(text) ?? 0;
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

/** `20240131`, `2024-01-31`, `1/31/24`, or the number of a day after the first one of the report. */
function toDay(text: string, startDay: number | undefined): number | undefined {
  if (startDay !== undefined && /^\d{1,4}$/.test(text)) return startDay + Number(text);
  const [, month, day, short] = /^(\d{1,2})\/(\d{1,2})\/(?:20)?(\d\d)$/.exec(text) ?? [];
  const digits = short
    ? `20${short}${month?.padStart(2, '0')}${day?.padStart(2, '0')}`
    : text.replaceAll('-', '');
  return dayOfDigits(digits);
}

let countries: Map<string, string> | undefined;

/** Codes of countries by their English names. */
function countryByName(): Map<string, string> {
  if (countries) return countries;
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  countries = new Map(
    codes.flatMap((code) => (names.of(code) ? [[names.of(code)?.toLowerCase() ?? '', code]] : [])),
  );
  return countries;
}
