import type { Access } from '../../access/access.ts';
import type { Filter, Selection } from '../../analytics/interface/selection.ts';
import type { CountedGoal } from '../../goals/service.ts';
import type { Parameters } from '../../http/parameters.ts';
import { TRAFFIC, type Traffic } from '../../vocabulary/analytics.ts';
import {
  COMPARISON_MATCHES,
  COMPARISONS,
  FILTERS_LENGTH_MAX,
  INTERVALS,
  type Interval,
  PERIOD_DEFAULT,
  PERIODS,
  type Period,
} from '../../vocabulary/contract.ts';
import { type Compared, toCompared } from '../time/comparison.ts';
import { type Range, readBound, toPeriodRange, toSeries } from '../time/range.ts';
import { findZone, requireUtc, type Zone } from '../time/zone.ts';
import { readFilters } from './filters.ts';
import { INSTANT_FORM, INSTANT_LENGTH_MAX } from './instants.ts';
import { readLinkRange } from './link-range.ts';
import type { Known } from './segments.ts';

/** The website and context that an answer depends on besides the parameters. */
export type Subject = Known & {
  website: { key: number; timezone: string; primaryGoalId?: string | null; hasAnonymous: boolean };
  access: Pick<Access, 'role' | 'hides' | 'link'>;
  nowMs: number;
  /** Start of the period `all`. */
  findBeganAtMs: () => Promise<number>;
};

export type Series = { interval: Interval; bounds: number[] };
/** A range with the buckets of its series, and those of the compared range. */
export type AskedTimeseries = Asked & { series: Series; comparedSeries: Series | undefined };
export type Asked = {
  range: Range;
  selection: Selection;
  /** The compared range. */
  compared: (Compared & { selection: Selection }) | undefined;
  nowMs: number;
  /** Goal whose conversions are added to the other figures. */
  goal?: CountedGoal | undefined;
  /** Whether revenue is added to the other figures. */
  withRevenue?: boolean;
};

/**
 * Reads the parameters common to all queries: range, time zone, traffic, filters and comparison. Faults are added to the
 * parameters; the result is valid only after `finish`.
 */
export async function readAsked(parameters: Parameters, subject: Subject): Promise<Asked> {
  const { website, nowMs } = subject;
  const { range, period } = await readRange(parameters, subject);
  const traffic = parameters.choice('traffic', TRAFFIC) ?? 'people';
  const filter = readFilter(parameters, subject, range.zone);
  const compared = await withoutEmpty(
    parameters,
    subject,
    readCompared(parameters, { range, period, nowMs }),
  );
  const select = ({ fromMs, toMs }: Range) =>
    toSelection({ websiteKey: website.key, fromMs, toMs, traffic, filter });
  return {
    range,
    selection: select(range),
    compared: compared && { ...compared, selection: select(compared.range) },
    nowMs,
  };
}

/** Drops an earlier range that ends before the first event, when the caller asks for that (`compareEmpty=false`). */
async function withoutEmpty(
  parameters: Parameters,
  { findBeganAtMs }: Subject,
  compared: Compared | undefined,
): Promise<Compared | undefined> {
  const isEmptyWanted = parameters.choice('compareEmpty', ['true', 'false']) !== 'false';
  if (isEmptyWanted || !compared) return compared;
  return compared.range.toMs <= (await findBeganAtMs()) ? undefined : compared;
}

/** Returns undefined without a comparison, or when there is no earlier range. */
export function readCompared(
  parameters: Parameters,
  { range, ...asked }: { range: Range; period: Period | undefined; nowMs: number },
): Compared | undefined {
  const comparison = parameters.choice('compare', COMPARISONS);
  const isWhole = parameters.flag('compareWhole');
  const match = parameters.choice('compareMatch', COMPARISON_MATCHES) ?? 'date';
  const custom = {
    fromMs: readInstant(parameters, range.zone, 'compareFrom'),
    toMs: readInstant(parameters, range.zone, 'compareTo'),
  };
  if (comparison === 'custom') return toCustom(parameters, range.zone, custom);
  if (typeof (custom.fromMs ?? custom.toMs) === 'number')
    parameters.fault('compare', 'Must be custom with compareFrom and compareTo');
  return comparison && toCompared(range, { ...asked, comparison, match, isWhole });
}

type CustomBounds = Record<'fromMs' | 'toMs', ReturnType<typeof readInstant>>;

/** Reads a compared range that the caller gives explicitly. */
function toCustom(parameters: Parameters, zone: Zone, { fromMs, toMs }: CustomBounds): Compared | undefined {
  if (fromMs === undefined) parameters.fault('compareFrom', 'Required with compare=custom');
  if (toMs === undefined) parameters.fault('compareTo', 'Required with compare=custom');
  if (typeof fromMs !== 'number' || typeof toMs !== 'number') return undefined;
  if (fromMs >= toMs) parameters.fault('compareTo', 'Must be after compareFrom');
  return { range: { fromMs, toMs, zone }, untilMs: undefined };
}

/** `exactOptionalPropertyTypes` requires that an absent filter has no key. */
function toSelection({
  filter,
  ...rest
}: Omit<Selection, 'filter'> & { filter: Filter | undefined }): Selection {
  return filter ? { ...rest, filter } : rest;
}

/** Reads traffic and filters, for queries without a range. */
export function readNow(
  parameters: Parameters,
  subject: Subject,
): { traffic: Traffic; filter: Filter | undefined } {
  return {
    traffic: parameters.choice('traffic', TRAFFIC) ?? 'people',
    filter: readFilter(parameters, subject, findZone(subject.website.timezone) ?? requireUtc()),
  };
}

const NO_POINTS: Series = { interval: 'month', bounds: [] };

/**
 * Computes the series of the range and of the compared range. Too many points are a fault of `interval`; for the compared
 * range they are left out instead, so that its totals can still be compared.
 */
export function readTimeseries(parameters: Parameters, asked: Asked): AskedTimeseries {
  const interval = parameters.choice('interval', INTERVALS);
  const series = toSeries(asked.range, interval);
  if (typeof series === 'string') {
    parameters.fault('interval', series);
    return { ...asked, series: NO_POINTS, comparedSeries: undefined };
  }
  const compared = asked.compared && toSeries(asked.compared.range, series.interval);
  const { interval: name } = series;
  return {
    ...asked,
    series,
    comparedSeries: typeof compared === 'string' ? { ...NO_POINTS, interval: name } : compared,
  };
}

/** Does the same for an answer that consists of points: too many in the compared range are a fault of `compare`. */
export function readComparedTimeseries(parameters: Parameters, asked: Asked): AskedTimeseries {
  const timeseries = readTimeseries(parameters, asked);
  const { compared, series } = timeseries;
  const comparedSeries = compared && toSeries(compared.range, series.interval);
  if (typeof comparedSeries === 'string') parameters.fault('compare', comparedSeries);
  return timeseries;
}

export async function readRange(
  parameters: Parameters,
  subject: Pick<Subject, 'website' | 'nowMs' | 'findBeganAtMs'> & { access?: Pick<Access, 'link'> },
): Promise<{ range: Range; period: Period | undefined }> {
  const { website, nowMs, findBeganAtMs, access } = subject;
  if (access?.link?.range) return readLinkRange(parameters, access.link.range, subject);
  const zone = readZone(parameters, website.timezone);
  const period = parameters.choice('period', PERIODS);
  const from = readInstant(parameters, zone, 'from');
  const to = readInstant(parameters, zone, 'to');
  if (from === undefined && to === undefined) {
    const named = period ?? PERIOD_DEFAULT;
    const beganAtMs = named === 'all' ? await findBeganAtMs() : nowMs;
    return { range: toPeriodRange(named, zone, nowMs, beganAtMs), period: named };
  }
  if (period) parameters.fault('period', 'Must not be given together with from and to');
  const today = toPeriodRange('today', zone, nowMs, nowMs); // replaces an unreadable range
  if (from === undefined) parameters.fault('from', 'Required with to');
  if (from === undefined || from === 'faulty' || to === 'faulty') return { range: today, period: undefined };
  const toMs = to ?? today.toMs;
  if (from >= toMs) {
    parameters.fault(
      to === undefined ? 'from' : 'to',
      to === undefined ? 'Must not be after today' : 'Must be after from',
    );
    return { range: today, period: undefined };
  }
  return { range: { fromMs: from, toMs, zone }, period: undefined };
}

function readInstant(
  parameters: Parameters,
  zone: Zone,
  name: 'from' | 'to' | 'compareFrom' | 'compareTo',
): number | 'faulty' | undefined {
  const text = parameters.text(name, INSTANT_LENGTH_MAX);
  if (text === undefined) return undefined;
  const instantMs = readBound(text, zone, /to$/i.test(name) ? 'to' : 'from');
  if (instantMs !== undefined) return instantMs;
  parameters.fault(name, INSTANT_FORM);
  return 'faulty';
}

function readZone(parameters: Parameters, fallback: string): Zone {
  const name = parameters.text('timezone', 64);
  const zone = findZone(name ?? fallback);
  if (!zone) parameters.fault('timezone', 'Must be an IANA time zone such as Europe/Berlin');
  return zone ?? requireUtc();
}

/** @throws AppError FORBIDDEN when it filters by a property, and these are hidden from the caller */
function readFilter(parameters: Parameters, subject: Subject, zone: Zone): Filter | undefined {
  const text = parameters.text('filters', FILTERS_LENGTH_MAX);
  if (text === undefined) return undefined;
  const read = readFilters(text, subject, zone);
  if ('faults' in read) {
    parameters.fault('filters', ...read.faults);
    return undefined;
  }
  const isNone = read.filter.op === 'and' && read.filter.filters.length === 0; // an empty list
  return isNone ? undefined : read.filter;
}
