import type { Filter, Selection } from '../../analytics/interface/selection.ts';
import type { ImportedFigures, ImportedStats, NotImported } from '../../contract/metrics/imported.ts';
import type { Sums } from '../../sums/store.ts';
import type { Dimension, FilterOperator, NamedDimension } from '../../vocabulary/analytics.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import { SUM_FAMILIES, SUM_FAMILY_NAMES, type SumFamily, type SumFigures } from '../../vocabulary/sums.ts';
import type { Series } from '../question/selection.ts';
import { fromWall, startOf, toWall } from '../time/calendar.ts';
import type { Zone } from '../time/zone.ts';
import { toInstant, toRange } from './wire.ts';

/** Families that totals are taken from, the first one in which every condition of the filter can be tested. */
const TOTALS_OF: readonly SumFamily[] = [
  'visitors',
  'sources',
  'pages',
  'locations',
  'devices',
  'browsers',
  'systems',
  'entryPages',
  'exitPages',
];
/** Families whose export has no bounces and durations. */
const WITHOUT_VISITS: ReadonlySet<SumFamily> = new Set(['pages']);

type Asked = {
  sums: Pick<Sums, 'findFirstDays' | 'read'>;
  selection: Selection;
  zone: Zone;
  series: Series;
  breakdowns: readonly Dimension[];
  limit: number;
  /** Instant of the first event of the website; undefined without any. */
  firstEventMs: number | undefined;
};

/**
 * Reads the imported sums of a question: whole days of its range before the day of the first event. This is the one place
 * where sums are read for answers.
 */
export async function findImported(asked: Asked): Promise<ImportedStats> {
  const { selection, zone, series, breakdowns, firstEventMs } = asked;
  const untilMs = firstEventMs === undefined ? undefined : startOf(zone, firstEventMs, 'day');
  const days = toDays(zone, selection, untilMs);
  const conditions = toConditions(selection.filter);
  const known = [...(await asked.sums.findFirstDays(selection.websiteKey)).keys()];
  const family = conditions && findFamily(inOrder(known), conditions);
  const skipped = whySkipped(asked, known, family);
  const found = {
    imported: true as const,
    range: { ...toRange({ ...selection, zone }), interval: series.interval },
    skipped,
    until: untilMs === undefined ? null : toInstant(untilMs),
  };
  if (skipped !== null || conditions === undefined || family === undefined)
    return { ...found, totals: toFigures(NONE, false), points: [], breakdowns: breakdowns.map(toNoRows) };
  return {
    ...found,
    ...(await findSeries(asked, days, conditions, family)),
    breakdowns: await Promise.all(
      breakdowns.map((each) => findRows(asked, { days, conditions, known }, each)),
    ),
  };
}

type Condition = { dimension: NamedDimension; matches: (value: string | null) => boolean };
type Days = { fromDay: number; toDay: number };

function whySkipped(
  { selection, series }: Asked,
  known: readonly SumFamily[],
  family: SumFamily | undefined,
): NotImported | null {
  if (known.length === 0) return 'no_imported_data';
  if (series.interval === 'hour' || series.interval === 'minute') return 'unsupported_interval';
  if (selection.traffic === 'bots') return 'unsupported_traffic';
  return family ? null : 'unsupported_filter';
}

function inOrder(known: readonly SumFamily[]): SumFamily[] {
  return TOTALS_OF.filter((family) => known.includes(family));
}

/** Returns the local dates of a range that are whole, and before the first event. */
function toDays(zone: Zone, { fromMs, toMs }: Selection, untilMs: number | undefined): Days {
  const fromDay = Math.ceil(toWall(zone, fromMs) / DAY_MS);
  const toDay = Math.floor(toWall(zone, Math.min(toMs, untilMs ?? toMs)) / DAY_MS);
  return { fromDay, toDay };
}

/** Finds a family in which every condition can be tested. */
function findFamily(among: readonly SumFamily[], conditions: readonly Condition[]): SumFamily | undefined {
  return among.find((family) => conditions.every(({ dimension }) => namesOf(family).includes(dimension)));
}

function namesOf(family: SumFamily): readonly NamedDimension[] {
  return SUM_FAMILIES[family];
}

async function findSeries(
  { sums, selection, zone, series }: Asked,
  days: Days,
  conditions: readonly Condition[],
  family: SumFamily,
): Promise<Pick<ImportedStats, 'totals' | 'points'>> {
  const matches = toTest(family, conditions);
  const hasVisits = !WITHOUT_VISITS.has(family);
  const total = { ...NONE };
  const points = new Map<number, SumFigures>();
  for await (const rows of sums.read({ websiteKey: selection.websiteKey, family, ...days }, true))
    for (const row of rows) {
      if (!matches(row.names)) continue;
      addTo(total, row);
      const startMs = bucketOf(series.bounds, fromWall(zone, row.day * DAY_MS));
      const point = points.get(startMs) ?? { ...NONE };
      addTo(point, row);
      points.set(startMs, point);
    }
  return {
    totals: toFigures(total, hasVisits),
    points: [...points]
      .sort(([one], [other]) => one - other)
      .map(([startMs, figures]) => ({ time: toInstant(startMs), ...toFigures(figures, hasVisits) })),
  };
}

async function findRows(
  { sums, selection, limit }: Asked,
  { days, conditions, known }: { days: Days; conditions: readonly Condition[]; known: readonly SumFamily[] },
  dimension: Dimension,
): Promise<ImportedStats['breakdowns'][number]> {
  const among = known.filter((family) => (namesOf(family) as readonly string[]).includes(dimension));
  const family = findFamily(among, conditions);
  if (!family) return toNoRows(dimension);
  const index = (namesOf(family) as readonly string[]).indexOf(dimension);
  const matches = toTest(family, conditions);
  const byValue = new Map<string | null, SumFigures>();
  for await (const rows of sums.read({ websiteKey: selection.websiteKey, family, ...days }, false))
    for (const row of rows) {
      if (!matches(row.names)) continue;
      const value = row.names[index] ?? null;
      const figures = byValue.get(value) ?? { ...NONE };
      addTo(figures, row);
      byValue.set(value, figures);
    }
  const values = [...byValue].sort(([, one], [, other]) => other.visitors - one.visitors);
  return {
    dimension,
    isIncluded: true,
    rows: values
      .slice(0, limit)
      .map(([value, figures]) => ({ value, ...toFigures(figures, !WITHOUT_VISITS.has(family)) })),
    total: values.length,
  };
}

function toNoRows(dimension: Dimension): ImportedStats['breakdowns'][number] {
  return { dimension, isIncluded: false, rows: [], total: 0 };
}

const NONE: SumFigures = { visitors: 0, visits: 0, pageviews: 0, bounces: 0, durationS: 0 };

function addTo(sum: SumFigures, more: SumFigures): void {
  sum.visitors += more.visitors;
  sum.visits += more.visits;
  sum.pageviews += more.pageviews;
  sum.bounces += more.bounces;
  sum.durationS += more.durationS;
}

function toFigures(
  { visitors, visits, pageviews, bounces, durationS }: SumFigures,
  hasVisits: boolean,
): ImportedFigures {
  const isKnown = hasVisits && visits > 0;
  return {
    visitors,
    visits,
    pageviews,
    bounceRate: isKnown ? Math.min(1, bounces / visits) : null,
    visitDuration: isKnown ? durationS / visits : null,
  };
}

/** Returns the begin of the bucket that an instant lies in. */
function bucketOf(bounds: readonly number[], instantMs: number): number {
  return bounds.findLast((boundMs) => boundMs <= instantMs) ?? instantMs;
}

function toTest(
  family: SumFamily,
  conditions: readonly Condition[],
): (names: readonly (string | null)[]) => boolean {
  const tests = conditions.map(({ dimension, matches }) => ({
    index: namesOf(family).indexOf(dimension),
    matches,
  }));
  return (names) => tests.every(({ index, matches }) => matches(names[index] ?? null));
}

/** Returns conditions that must all be met; undefined when the filter is more than that, or of what no sum knows. */
function toConditions(filter: Filter | undefined): Condition[] | undefined {
  if (!filter) return [];
  if (filter.op === 'and') {
    const all = filter.filters.map(toConditions);
    return all.includes(undefined) ? undefined : all.flatMap((each) => each ?? []);
  }
  if (filter.op === 'not') {
    const [only, ...others] = toConditions(filter.filter) ?? [];
    return only && others.length === 0 ? [{ ...only, matches: (value) => !only.matches(value) }] : undefined;
  }
  if (filter.op !== 'match') return undefined;
  const { dimension, operator, values, ignoresCase = false } = filter;
  const test = TESTS[operator];
  const isKnown = SUM_FAMILY_NAMES.some((family) =>
    (namesOf(family) as readonly string[]).includes(dimension),
  );
  if (!test || !isKnown) return undefined;
  const isNot = operator.endsWith('_not');
  const fold = (text: string) => (ignoresCase || !operator.startsWith('is') ? text.toLowerCase() : text);
  const wanted = values.map(fold);
  return [
    {
      dimension: dimension as NamedDimension, // one of a family
      matches: (value) => wanted.some((each) => test(fold(value ?? ''), each)) !== isNot,
    },
  ];
}

/** Operators without patterns. An empty value means absent, which is part of every text otherwise. */
const TESTS: Partial<Record<FilterOperator, (value: string, wanted: string) => boolean>> = {
  is: (value, wanted) => value === wanted,
  is_not: (value, wanted) => value === wanted,
  contains: (value, wanted) => (wanted === '' ? value === '' : value.includes(wanted)),
  contains_not: (value, wanted) => (wanted === '' ? value === '' : value.includes(wanted)),
  starts_with: (value, wanted) => (wanted === '' ? value === '' : value.startsWith(wanted)),
  ends_with: (value, wanted) => (wanted === '' ? value === '' : value.endsWith(wanted)),
};
