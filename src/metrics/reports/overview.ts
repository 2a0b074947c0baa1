import { Elysia, t } from 'elysia';
import { requireUser } from '../../accounts/require-user.ts';
import type { Analytics, Headline } from '../../analytics/analytics.ts';
import { Overview, OverviewQuery } from '../../contract/metrics/overview.ts';
import { readListPage } from '../../http/list-page.ts';
import { createParameters, type Parameters } from '../../http/parameters.ts';
import { turn } from '../../process/garbage.ts';
import { createTurns } from '../../process/turns.ts';
import { INTERVALS, OVERVIEW_POINTS_MAX } from '../../vocabulary/contract.ts';
import { unavailableError } from '../../vocabulary/errors.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import { changeOf, toComparison, toInstant, toRange } from '../answers/wire.ts';
import type { Table } from '../files/format.ts';
import { respond } from '../files/respond.ts';
import { toPreviousCells, toPreviousColumns } from '../files/tables.ts';
import { readFormat } from '../question/breakdown-parameters.ts';
import { readCompared, readRange, type Series } from '../question/selection.ts';
import { accountLine } from '../question/turns.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import type { Compared } from '../time/comparison.ts';
import { type Range, toSeries } from '../time/range.ts';

type Entry = Overview['websites'][number];
/** Websites of one time zone, and the range in it. */
type OverviewGroup = {
  websites: WebsiteRow[];
  range: Range;
  compared: Compared | undefined;
  series: Series | undefined;
};

/** Answers the headline figures of many websites: one question per range, however many websites and time zones. */
async function answerOverview(analytics: Analytics, groups: readonly OverviewGroup[]): Promise<Entry[]> {
  const alike = [...Map.groupBy(groups, instantsOf).values()];
  const answers = await Promise.all(alike.map((group) => answerAlike(analytics, group)));
  return answers.flat();
}

/** Key of a group's ranges: time zones with the same offset usually have the same. */
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
  const times = series?.bounds.map(toInstant) ?? []; // shared by all websites of the group
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

function overviewTable({ websites }: Overview): Table {
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

/** Maximum waiting overviews, more than the requests that can be open. */
const WAITING_MAX = 100;
const RETRY_AFTER_S = 2;
/** Time zones whose ranges are read in 10 ms; other requests are answered in between. */
const ZONES_AT_ONCE = 50;

/** Answers an overview of the websites that a user sees. */
export function overviewRoutes({ accounts, websites, turns, log, now }: MetricsDeps) {
  // Each may cover a thousand websites with a hundred points: sixteen at once took 2 GB.
  const oneByOne = createTurns({
    atWorkMax: 1,
    waitingMax: WAITING_MAX,
    refusal: () => unavailableError('Too many overviews are being made at the moment', RETRY_AFTER_S),
  });

  async function readGroup(parameters: Parameters, group: WebsiteRow[]): Promise<OverviewGroup> {
    const websiteKeys = group.map(({ key }) => key);
    const nowMs = now();
    const findBeganAtMs = async () => Math.min(nowMs, (await log.findEarliestMs(websiteKeys)) ?? nowMs);
    const timezone = group[0]?.timezone ?? 'UTC';
    const { range, period } = await readRange(parameters, {
      website: { key: 0, timezone, hasAnonymous: false },
      nowMs,
      findBeganAtMs,
    });
    const compared = readCompared(parameters, { range, period, nowMs });
    const interval = parameters.choice('interval', INTERVALS);
    const series = parameters.flag('series') ? toSeries(range, interval, OVERVIEW_POINTS_MAX) : undefined;
    if (typeof series === 'string') parameters.fault('interval', series);
    return {
      websites: group,
      range,
      compared,
      series: typeof series === 'string' ? undefined : series,
    };
  }

  async function answerAll(analytics: Analytics, userId: string, timezone: string | undefined, url: string) {
    const parameters = createParameters(url);
    const format = readFormat(parameters);
    const { limit, offset } = readListPage(parameters);
    const { rows, total } = await websites.listVisibleRows(userId, { limit, offset });
    const groups: OverviewGroup[] = [];
    for (const group of timezone ? [rows] : groupByZone(rows)) {
      groups.push(await readGroup(parameters, group));
      if (groups.length % ZONES_AT_ONCE === 0) await turn();
    }
    parameters.finish();
    const answered = await answerOverview(analytics, groups);
    const entries = new Map(answered.map((entry) => [entry.websiteId, entry]));
    const answer = { websites: rows.flatMap(({ id }) => entries.get(id) ?? []), total };
    return respond(format, answer, overviewTable);
  }

  return new Elysia({ prefix: '/stats' }).use(requireUser(accounts)).get(
    '/websites',
    ({ caller, query, request }) => {
      const asker = accountLine(caller.userId);
      const { signal } = request;
      const answer = (analytics: Analytics) =>
        answerAll(analytics, caller.userId, query.timezone, request.url);
      return turns(asker, request)((analytics) => oneByOne(() => answer(analytics), { ...asker, signal }));
    },
    {
      query: t.NoValidate(OverviewQuery),
      response: { 200: Overview, ...REFUSALS },
      detail: describe(
        'getOverview',
        'Headlines of all your websites, those that are shared with you included',
        'Visitors, visits and pageviews of people. Without timezone, each in the days of its own time zone.',
      ),
    },
  );
}

/**
 * Groups websites by time zone. Returns at least one group, so that an account without websites has its parameters checked
 * too.
 */
function groupByZone(rows: WebsiteRow[]): WebsiteRow[][] {
  const groups = Map.groupBy(rows, ({ timezone }) => timezone);
  return groups.size === 0 ? [[]] : [...groups.values()];
}
