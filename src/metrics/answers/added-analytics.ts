import { refuseSet } from '../../access/set-id.ts';
import type { Analytics, NowRow, Realtime, RevenueAnswer } from '../../analytics/analytics.ts';
import type {
  Breakdown,
  BreakdownAnswer,
  BreakdownRow,
  Query,
  Value,
} from '../../analytics/interface/query.ts';
import type { Revenue } from '../../analytics/interface/revenue.ts';
import type { Filter, Selection } from '../../analytics/interface/selection.ts';
import { LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { addByValue, addEach, addFigures, addRows, compareValues } from './add-figures.ts';

/** Websites asked at the same time, so that an account with a thousand does not fill the queue of questions. */
const AT_ONCE = 50;
/** Rows read of each website for a list of ten: values that are large in one website are usually large in others. */
const ROWS_MIN = 100;

/**
 * Answers questions about several websites as if they were one, by asking about each and adding the answers. It wraps the
 * engine, so that it applies to every route and format. Answers that cannot be added are refused.
 *
 * @param websiteKeys at least one; the `websiteKey` of a request is ignored
 */
export function createAddedAnalytics(analytics: Analytics, websiteKeys: readonly number[]): Analytics {
  async function askEach<Answer>(
    { filter }: Pick<Selection, 'filter'>,
    ask: (websiteKey: number) => Promise<Answer>,
  ): Promise<Answer[]> {
    const matching = websiteKeys.filter((key) => mayMatch(filter, key));
    const asked = matching.length > 0 ? matching : websiteKeys.slice(0, 1); // it answers with zeros
    return inParts(asked, ask);
  }

  /** Completes the lists of websites that have further values with those that may be on the page. */
  async function addBreakdowns(
    request: Query,
    breakdowns: readonly Breakdown[],
    answers: readonly { websiteKey: number; lists: readonly BreakdownAnswer[] }[],
  ): Promise<BreakdownAnswer[]> {
    const rowsOf = (index: number) => answers.map(({ lists }) => lists[index]?.rows ?? []);
    const likely = breakdowns.map((breakdown, index) => {
      const { offset = 0, limit } = breakdown;
      return sort(addRows(rowsOf(index)), breakdown).slice(0, 2 * (offset + limit));
    });
    const completed = answers.map(async ({ websiteKey, lists }) => {
      const missing = breakdowns.map((_, index) => findMissing(lists[index], likely[index] ?? []));
      const wanted = missing.flatMap((only, index) =>
        only.length > 0
          ? [{ dimension: lists[index]?.dimension ?? 'page', only, limit: only.length, index }]
          : [],
      );
      if (wanted.length === 0) return [];
      const { totals: _totals, series: _series, ...selection } = request;
      const { breakdowns: found = [] } = await analytics.query({
        ...selection,
        websiteKey,
        withWeights: true,
        breakdowns: wanted,
      });
      return wanted.map(({ index }, place) => ({ index, rows: found[place]?.rows ?? [] }));
    });
    const more = (await Promise.all(completed)).flat();
    return breakdowns.map((breakdown, index) => {
      const { dimension, offset = 0, limit } = breakdown;
      const further = more.filter((found) => found.index === index).map(({ rows }) => rows);
      const rows = sort(addRows([...rowsOf(index), ...further]), breakdown);
      const totals = answers.map(({ lists }) => lists[index]?.total ?? 0);
      return {
        dimension,
        rows: rows.slice(offset, offset + limit),
        total: Math.max(rows.length, ...totals),
      };
    });
  }

  return {
    ...refusing(analytics),

    async query(request) {
      const { totals, series, breakdowns } = request;
      const answers = await askEach(request, async (websiteKey) => {
        const lists = breakdowns && { breakdowns: breakdowns.map(withMore) };
        const answer = await analytics.query({ ...request, ...lists, websiteKey, withWeights: true });
        return { websiteKey, ...answer, lists: answer.breakdowns ?? [] };
      });
      return {
        ...(totals && { totals: addFigures(answers.flatMap((answer) => answer.totals ?? [])) }),
        ...(series && { series: addEach(answers.map((answer) => answer.series ?? [])) }),
        ...(breakdowns && { breakdowns: await addBreakdowns(request, breakdowns, answers) }),
      };
    },

    async conditions(request) {
      const answers = await askEach(request, (websiteKey) =>
        analytics.conditions({ ...request, websiteKey }),
      );
      return {
        totals: addFigures(answers.map(({ totals }) => totals)),
        rows: addEach(answers.map(({ rows }) => rows)),
      };
    },

    async revenue(request) {
      return addRevenueAnswers(
        await askEach(request, (websiteKey) => analytics.revenue({ ...request, websiteKey })),
      );
    },

    async values(request) {
      const limit = Math.max(request.limit, ROWS_MIN);
      const lists = await askEach(request, (websiteKey) =>
        analytics.values({ ...request, websiteKey, limit }),
      );
      const add = ({ value, events }: Value, other: Value) => ({ value, events: events + other.events });
      return addByValue(lists, add)
        .sort((a, b) => b.events - a.events || compareValues(a, b))
        .slice(0, request.limit);
    },

    async realtime(request) {
      const limit = Math.max(request.limit, ROWS_MIN);
      return addRealtime(
        await askEach(request, (websiteKey) => analytics.realtime({ ...request, websiteKey, limit })),
        request.limit,
      );
    },
  };
}

/** Does the work for all items, some at a time. Results are in the order of the items. */
export async function inParts<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE)
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  return results;
}

/** Whether events of a website may pass a filter, as far as its conditions on websites decide. */
function mayMatch(filter: Filter | undefined, websiteKey: number): boolean {
  if (!filter) return true;
  if (filter.op === 'website') return filter.websiteKeys.includes(websiteKey);
  if (filter.op === 'and') return filter.filters.every((part) => mayMatch(part, websiteKey));
  if (filter.op === 'or') return filter.filters.some((part) => mayMatch(part, websiteKey));
  if (filter.op === 'not' && filter.filter.op === 'website') return !mayMatch(filter.filter, websiteKey);
  return true;
}

function withMore(breakdown: Breakdown): Breakdown {
  const { only, limit, offset = 0, sort } = breakdown;
  if (only) return breakdown;
  const isCommon = sort === undefined || (sort.descending && COUNTS.includes(sort.by));
  const wanted = isCommon ? Math.max(ROWS_MIN, offset + limit) : LIST_LIMIT_MAX;
  return { ...breakdown, limit: Math.min(wanted, LIST_LIMIT_MAX), offset: 0 };
}

/** Columns by which a value that is first in a sum is among the first of a website. */
const COUNTS: readonly string[] = ['visitors', 'visits', 'pageviews', 'events'];

/** Returns those of the rows that a website may have besides those that it listed. */
function findMissing(list: BreakdownAnswer | undefined, rows: readonly BreakdownRow[]): (string | null)[] {
  if (!list || list.total <= list.rows.length) return [];
  const listed = new Set(list.rows.map(({ value }) => value));
  return rows.flatMap(({ value }) => (listed.has(value) ? [] : [value]));
}

function sort(rows: BreakdownRow[], { sort: order }: Pick<Breakdown, 'sort'>): BreakdownRow[] {
  const { by, descending } = order ?? { by: 'visitors', descending: true };
  const sign = descending ? -1 : 1;
  if (by === 'value') return rows.sort((a, b) => sign * compareValues(a, b));
  return rows.sort((a, b) => sign * (a[by] - b[by]) || compareValues(a, b));
}

function addRevenueAnswers(answers: readonly RevenueAnswer[]): RevenueAnswer {
  const each = (name: 'points' | 'conditions') => {
    const lists = answers.map((answer) => answer[name] ?? []);
    return lists[0]?.map((_, index) => addRevenue(lists.flatMap((list) => list[index] ?? [])));
  };
  const [first] = answers;
  return {
    revenue: addRevenue(answers.flatMap(({ revenue }) => revenue)),
    unreadable: answers.reduce((sum, { unreadable }) => sum + unreadable, 0),
    ...(first?.points && { points: each('points') ?? [] }),
    ...(first?.conditions && { conditions: each('conditions') ?? [] }),
    ...(first?.values && {
      values: addByValue(
        answers.map(({ values }) => values ?? []),
        ({ value, revenue }, other) => ({ value, revenue: addRevenue([...revenue, ...other.revenue]) }),
      ),
    }),
  };
}

function addRevenue(all: readonly Revenue[]): Revenue[] {
  const byCurrency = Map.groupBy(all, ({ currency }) => currency);
  return [...byCurrency]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, list]) => ({
      currency,
      minor: list.reduce((sum, { minor }) => sum + minor, 0n),
      events: list.reduce((sum, { events }) => sum + events, 0),
    }));
}

function addRealtime(answers: readonly Realtime[], limit: number): Realtime {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const list = (name: 'pages' | 'sources' | 'countries' | 'events') =>
    addByValue<NowRow>(
      answers.map((answer) => answer[name]),
      (one, other) => ({
        value: one.value,
        visitors: one.visitors + other.visitors,
        events: one.events + other.events,
      }),
    )
      .sort((a, b) => b.visitors - a.visitors || compareValues(a, b))
      .slice(0, limit);
  return {
    visitors: sum(answers.map(({ visitors }) => visitors)),
    minutes: (answers[0]?.minutes ?? []).map(({ startMs }, index) => {
      const minutes = answers.flatMap((answer) => answer.minutes[index] ?? []);
      return {
        startMs,
        visitors: sum(minutes.map(({ visitors }) => visitors)),
        pageviews: sum(minutes.map(({ pageviews }) => pageviews)),
        events: sum(minutes.map(({ events }) => events)),
      };
    }),
    pages: list('pages'),
    sources: list('sources'),
    countries: list('countries'),
    events: list('events'),
  };
}

/** Refuses every question. */
function refusing(analytics: Analytics): Analytics {
  // The same methods.
  return Object.fromEntries(
    Object.keys(analytics).map((name) => [name, async () => refuseSet()]),
  ) as unknown as Analytics;
}
