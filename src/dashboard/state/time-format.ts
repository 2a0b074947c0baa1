import type { Interval } from '../../vocabulary/contract.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import { PAGE_LANGUAGE } from './format.ts';

/**
 * Times in the website's time zone. A point contains its wall time with an offset (`local`), so the browser need
 * not know the zone: the wall time is parsed and formatted as if it were UTC.
 */

const STYLES = {
  clock: { timeStyle: 'short' },
  seconds: { timeStyle: 'medium' },
  day: { day: 'numeric', month: 'short' },
  weekday: { weekday: 'short', day: 'numeric', month: 'short' },
  weekdayYear: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  full: { dateStyle: 'full' },
  dateTime: { dateStyle: 'medium', timeStyle: 'short' },
  month: { month: 'short' },
  monthYear: { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
  iso: { dateStyle: 'short' },
  midnight: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Maximum cached formatters: the styles in a few zones. */
const FORMATTERS_MAX = 100;
const formatters = new Map<string, Intl.DateTimeFormat>();

let readerLocale: { of: string; locale: string } | undefined;

/** Locale of dates: the pages' language with the date order and clock of the reader's region. */
function dateLocale(): string {
  const { language } = navigator;
  if (!readerLocale || readerLocale.of !== language)
    readerLocale = { of: language, locale: localeFor(language) };
  return readerLocale.locale;
}

function localeFor(language: string): string {
  try {
    const { region } = new Intl.Locale(language).maximize();
    return region ? `${PAGE_LANGUAGE}-${region}` : PAGE_LANGUAGE;
  } catch {
    return PAGE_LANGUAGE;
  }
}

function dates(style: keyof typeof STYLES, timeZone = 'UTC', locale = dateLocale()): Intl.DateTimeFormat {
  const key = `${style} ${locale} ${timeZone}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = makeFormatter({ ...STYLES[style], timeZone }, locale);
  if (formatters.size >= FORMATTERS_MAX) formatters.clear();
  formatters.set(key, made);
  return made;
}

/** Creates a formatter, in UTC where an old browser does not know the zone: an exception would empty the page. */
function makeFormatter(options: Intl.DateTimeFormatOptions, locale: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, options);
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  }
}

const WALL_LENGTH = '2026-11-20T00:00:00'.length;
const WEEK_DAYS = 7;

/** The wall time of a point as if it were UTC. */
export function toWallMs(local: string): number {
  return Date.parse(`${local.slice(0, WALL_LENGTH)}Z`);
}

/** Tick of an axis. The first hour of a day shows the day, the first month of a year the year. */
export function formatTick(local: string, interval: Interval): string {
  const wallMs = toWallMs(local);
  const wall = new Date(wallMs);
  const isMidnight = wallMs % DAY_MS === 0;
  if (interval === 'month') return dates(wall.getUTCMonth() === 0 ? 'year' : 'month').format(wall);
  const isClock = (interval === 'hour' || interval === 'minute') && !isMidnight;
  return dates(isClock ? 'clock' : 'day').format(wall);
}

/** Full time of a point, for tooltips and tables: `Fri, 20 Nov, 13:00`, `16 – 22 Nov 2026`, `November 2026`. */
export function formatPointTime(local: string, interval: Interval): string {
  const wallMs = toWallMs(local);
  switch (interval) {
    case 'minute':
    case 'hour':
      return `${dates('weekday').format(wallMs)}, ${dates('clock').format(wallMs)}`;
    case 'day':
      return dates('weekdayYear').format(wallMs);
    case 'week':
      return dates('date').formatRange(wallMs, wallMs + (WEEK_DAYS - 1) * DAY_MS);
    case 'month':
      return dates('monthYear').format(wallMs);
  }
}

/** Range from its first instant to the first one after it, ISO. */
export type Range = { from: string; to: string; timezone: string };

/** `1 – 20 Nov 2026`, whole months and years by their name, with times unless the range consists of whole days. */
export function formatRange({ from, to, timezone }: Range): string {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  if (![fromMs, toMs].every((ms) => isMidnight(ms, timezone)))
    return dates('dateTime', timezone).formatRange(fromMs, toMs);
  return formatWhole(fromMs, Math.max(fromMs, toMs - 1), timezone);
}

/** `1 – 28 Oct`: the days of a range, with the year when it is not that of `nowMs`. */
export function formatShortRange({ from, to, timezone }: Range, nowMs: number): string {
  const [fromMs, lastMs] = [Date.parse(from), Date.parse(to) - 1];
  const years = new Set([fromMs, lastMs, nowMs].map((ms) => dates('year', timezone).format(ms)));
  return dates(years.size > 1 ? 'date' : 'day', timezone).formatRange(fromMs, lastMs);
}

/** Formats dates (YYYY-MM-DD), both included; invalid ones as they are. */
export function formatDays(first: string, last: string): string {
  const [from = 0, to = 0] = [first, last].map((date) => Date.parse(`${date}T00:00Z`));
  return Number.isNaN(from + to) ? `${first} – ${last}` : formatWhole(from, to + DAY_MS - 1);
}

/** Formats whole days in the largest unit that they fill: `2025`, `October 2026`, `1 – 20 Nov 2026`. */
function formatWhole(fromMs: number, lastMs: number, timeZone = 'UTC'): string {
  const [first, next] = [fromMs, lastMs + 1].map((ms) => dates('iso', timeZone, 'en-CA').format(ms));
  const style = [first, next].every((date) => date?.endsWith('-01-01'))
    ? 'year'
    : [first, next].every((date) => date?.endsWith('-01'))
      ? 'monthYear'
      : 'date';
  return dates(style, timeZone).formatRange(fromMs, lastMs);
}

/** `Sunday, 1 November 2026`, of a date as text. */
export function formatFullDay(date: string): string {
  return dates('full').format(Date.parse(date));
}

/** `November 2026`, of its first day as text. */
export function formatMonth(date: string): string {
  return dates('monthYear').format(Date.parse(date));
}

/** `7 – 13 Nov 2026 until 10:20` for a range that ends within a day; others as `formatRange`. */
export function formatPart(range: Range): string {
  const { from, to, timezone } = range;
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  if (!isMidnight(fromMs, timezone) || isMidnight(toMs, timezone)) return formatRange(range);
  const days = dates('date', timezone).formatRange(fromMs, toMs);
  return `${days} until\u00a0${dates('clock', timezone).format(toMs)}`;
}

/** Time at which a point is cut: `10:20`, with the day when the point is longer than a day. */
export function formatUntil(at: string, timeZone: string, interval: Interval): string {
  const styles =
    interval === 'week' || interval === 'month' ? (['day', 'clock'] as const) : (['clock'] as const);
  return styles.map((style) => dates(style, timeZone).format(Date.parse(at))).join(', ');
}

/** Whether it is midnight in a zone. The few days that begin at 1 o'clock are ignored. */
export function isMidnight(ms: number, timeZone: string): boolean {
  return dates('midnight', timeZone, 'en-GB').format(ms) === '00:00:00';
}

const STEPS: { unit: Intl.RelativeTimeFormatUnit; s: number }[] = [
  { unit: 'year', s: 31_536_000 },
  { unit: 'month', s: 2_592_000 },
  { unit: 'day', s: 86_400 },
  { unit: 'hour', s: 3_600 },
  { unit: 'minute', s: 60 },
];

/** `now` within a minute, `3 min. ago`, `yesterday`. */
export function formatAgo(ms: number, nowMs: number): string {
  const seconds = (ms - nowMs) / 1_000;
  const { unit, s } = STEPS.find((step) => Math.abs(seconds) >= step.s) ?? { unit: 'second' as const, s: 1 };
  const relative = new Intl.RelativeTimeFormat(PAGE_LANGUAGE, { numeric: 'auto', style: 'short' });
  return relative.format(unit === 'second' ? 0 : (seconds > 0 ? Math.round : Math.trunc)(seconds / s), unit);
}

/** Heading of a day in a zone: `Today`, `Yesterday`, `Fri, 20 Nov 2026`. */
export function formatDay(at: string, timeZone: string, nowMs: number): string {
  const dayOf = (ms: number) => dates('weekdayYear', timeZone).format(ms);
  const day = dayOf(Date.parse(at));
  if (day === dayOf(nowMs)) return 'Today';
  return day === dayOf(nowMs - DAY_MS) ? 'Yesterday' : day;
}

/** `13:05` in a zone, or with seconds. */
export function formatClock(at: string, timeZone: string, withSeconds = false): string {
  return dates(withSeconds ? 'seconds' : 'clock', timeZone).format(Date.parse(at));
}

/** `20 Nov 2026, 13:05` in a zone. */
export function formatInstant(at: string, timeZone: string): string {
  return dates('dateTime', timeZone).format(Date.parse(at));
}
