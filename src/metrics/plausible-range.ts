import { PLAUSIBLE_RANGES, type PlausibleRange } from '../contract/plausible.ts';
import type { Period } from '../contract/vocabulary.ts';
import { dayStart, startOf } from './calendar.ts';
import { type Range, readBound, toPeriodRange } from './range.ts';
import type { Subject } from './selection.ts';
import type { Zone } from './zone.ts';

export type RangeSubject = { zone: Zone } & Pick<Subject, 'nowMs' | 'findBeganAtMs'>;

export const RANGE_FORM = `Must be one of: ${PLAUSIBLE_RANGES.join(', ')}; or first and last date such as ["2026-11-01","2026-11-20"]`;

/** Those that have a period of their own here; the days of 91d and the months of 6mo are counted below. */
const PERIOD_OF: Partial<Record<PlausibleRange, Period>> = {
  day: 'today',
  '24h': '24h',
  '7d': '7d',
  '28d': '28d',
  '30d': '30d',
  month: 'month',
  '12mo': '12mo',
  year: 'year',
  all: 'all',
};

/** @returns undefined for what cannot be read */
export async function readPlausibleRange(value: unknown, subject: RangeSubject): Promise<Range | undefined> {
  const { zone, nowMs, findBeganAtMs } = subject;
  if (Array.isArray(value)) return readPair(value, zone);
  const name = PLAUSIBLE_RANGES.find((candidate) => candidate === value);
  if (!name) return undefined;
  const period = PERIOD_OF[name];
  if (period) return toPeriodRange(period, zone, nowMs, period === 'all' ? await findBeganAtMs() : nowMs);
  const { fromMs, toMs } = toPeriodRange('today', zone, nowMs, nowMs);
  if (name === '91d') return { zone, fromMs: dayStart(zone, fromMs, -90), toMs };
  return { zone, fromMs: dayStart(zone, startOf(zone, nowMs, 'month'), -5, 'month'), toMs };
}

const SECOND_MS = 1_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME_WITH_OFFSET = /T.*(?:Z|[+-]\d{2}:\d{2})$/;

/** Two dates or two times with offset. Both are included: the last date as a whole day, the last time as a whole second. */
function readPair([first, last, ...rest]: unknown[], zone: Zone): Range | undefined {
  if (typeof first !== 'string' || typeof last !== 'string' || rest.length > 0) return undefined;
  if (![DATE, TIME_WITH_OFFSET].some((form) => form.test(first) && form.test(last))) return undefined;
  const fromMs = readBound(first, zone, 'from');
  const lastMs = readBound(last, zone, 'to');
  if (fromMs === undefined || lastMs === undefined) return undefined;
  const toMs = last.includes('T') ? lastMs + SECOND_MS : lastMs;
  return fromMs < toMs ? { zone, fromMs, toMs } : undefined;
}
