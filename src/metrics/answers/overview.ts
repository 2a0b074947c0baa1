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
/** Websites of one time zone, and the range in it. */
export type OverviewGroup = {
  websites: WebsiteRow[];
  range: Range;
  compared: Compared | undefined;
  series: Series | undefined;
};

/** The headline figures of many websites: one question a range, whatever the number of websites and time zones. */
export async function answerOverview(
  analytics: Analytics,
  groups: readonly OverviewGroup[],
): Promise<Entry[]> {
  const alike = [...Map.groupBy(groups, instantsOf).values()];
  const answers = await Promise.all(alike.map((group) => answerAlike(analytics, group)));
  return answers.flat();
}

/** Time zones with the same offset mostly have the same range. */
function instantsOf({ range, compared, series }: OverviewGroup): string {
  const { fromMs, toMs } = range;
  return JSON.stringify([fromMs, toMs, compared?.range.fromMs, compared?.range.toMs, series?.bounds]);
}

async function answerAlike(analytics: Analytics, groups: readonly OverviewGroup[]): Promise<Entry[]> {
  const [first] = groups;
  if (!first) return [];
  const { range, compared, series } = first;
  const websiteKeys = groups.flatMap(({ websites }) => websites.map(({ key }) => key));
  const ask = async ({ fromMs, toMs }: Range, bounds?: readonly number[]) =>
    byWebsite(await analytics.headlines({ websiteKeys, fromMs, toMs, ...(bounds && { bounds }) }));
  const [now, before] = await Promise.all([ask(range, series?.bounds), compared && ask(compared.range)]);
  const times = series?.bounds.map(toInstant) ?? []; // the same for all, however many there are
  return groups.flatMap(({ websites, range, compared }) =>
    websites.map(({ key, id, name, domain }) => {
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
    }),
  );
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
