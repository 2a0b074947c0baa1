import type { Analytics, Headline } from '../../analytics/analytics.ts';
import type { Overview } from '../../contract/metrics-overview.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import type { Table } from '../files/format.ts';
import { toPreviousCells, toPreviousColumns } from '../files/tables.ts';
import type { Series } from '../question/selection.ts';
import type { Compared } from '../time/comparison.ts';
import type { Range } from '../time/range.ts';
import { changeOf, toComparison, toInstant, toRange } from './wire.ts';

type Entry = Overview['websites'][number];
/** Websites that are asked about together, because their range is the same. */
export type OverviewGroup = {
  websites: WebsiteRow[];
  range: Range;
  compared: Compared | undefined;
  series: Series | undefined;
};

/** The headline figures of many websites: one question a range, whatever their number. */
export async function answerOverview(analytics: Analytics, group: OverviewGroup): Promise<Entry[]> {
  const { websites, range, compared, series } = group;
  const websiteKeys = websites.map(({ key }) => key);
  const ask = async ({ fromMs, toMs }: Range, bounds?: readonly number[]) =>
    byWebsite(await analytics.headlines({ websiteKeys, fromMs, toMs, ...(bounds && { bounds }) }));
  const [now, before] = await Promise.all([ask(range, series?.bounds), compared && ask(compared.range)]);
  const times = series?.bounds.map(toInstant) ?? []; // the same for all, however many there are
  return websites.map((website) => {
    const { key, id, name, domain } = website;
    const { points = [], ...figures } = now(key);
    return {
      websiteId: id,
      name,
      domain,
      range: toRange(range),
      ...figures,
      ...(compared && before && { comparison: compareFigures(compared, figures, before(key)) }),
      ...(series && { series: toSparkline(series, times, points) }),
    };
  });
}

type Figures = Omit<Headline, 'websiteKey'>;

function byWebsite(headlines: readonly Headline[]): (key: number) => Figures {
  const found = new Map(headlines.map(({ websiteKey, ...figures }) => [websiteKey, figures]));
  return (key) => found.get(key) ?? { visitors: 0, visits: 0, pageviews: 0 };
}

function compareFigures(compared: Compared, now: Figures, before: Figures): NonNullable<Entry['comparison']> {
  const change = {
    visitors: changeOf(now.visitors, before.visitors),
    visits: changeOf(now.visits, before.visits),
    pageviews: changeOf(now.pageviews, before.pageviews),
  };
  return { ...toComparison(compared), ...before, change };
}

function toSparkline(
  { interval }: Series,
  times: readonly string[],
  visitors: readonly number[],
): NonNullable<Entry['series']> {
  return {
    interval,
    points: visitors.map((count, index) => ({ time: times[index] ?? '', visitors: count })),
  };
}

const HEADLINES = ['visitors', 'visits', 'pageviews'] as const;

export function overviewTable({ websites }: Overview): Table {
  const isCompared = websites.some(({ comparison }) => comparison);
  return {
    name: 'websites',
    columns: [
      'websiteId',
      'name',
      'domain',
      ...HEADLINES,
      ...(isCompared ? toPreviousColumns(HEADLINES) : []),
    ],
    rows: websites.map(({ comparison, ...website }) => ({
      ...website,
      ...(comparison && toPreviousCells(comparison.range, comparison, HEADLINES)),
    })),
  };
}
