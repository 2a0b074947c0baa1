import { join, type Sql, sql } from '../../../log/clickhouse/sql.ts';
import type { Analytics } from '../../analytics.ts';
import { formsOf } from '../../derive/forms.ts';
import type { Page, PageDetail, PagesRequest } from '../../interface/pages.ts';
import type { List } from '../../interface/selection.ts';
import { ask, askParts, toScope } from '../ask.ts';
import { divide, type Group, toFigures } from '../groups.ts';
import { dimensionPart, type Part } from '../parts.ts';
import type { ReadWindow, Source } from '../read-window.ts';
import { createScan, TYPE } from '../scan.ts';
import { inOrder } from '../text-test.ts';
import { toBreakdown } from './query.ts';

export function listPages(request: PagesRequest, source: Source): Promise<List<Page>> {
  const { limit, offset, search } = request;
  const sort = request.sort ?? { by: 'visitors', descending: true };
  return ask(source, toScope(request), async (window) => {
    const scan = createScan(window);
    const part: Part = {
      ...dimensionPart(scan, { dimension: 'page', limit, offset, ...(search && { search }) }),
      order: { ...sort, means: 'page' },
    };
    const matching = scan.matches(request);
    const [{ groups, total } = { groups: [], total: 0 }] = await askParts(source, scan, {
      parts: [part],
      matching,
    });
    return { rows: groups.map(toPage), total };
  });
}

function toPage(group: Group): Page {
  const { value, begun, ended, pageviews } = group;
  const figures = toFigures(group, 'page');
  return { value, ...figures, entries: begun, exits: ended, exitRate: divide(ended, pageviews) };
}

type PageRequest = Parameters<Analytics['page']>[0];

/** Looks the page up as written, then in its decoded form. */
export function findPage(request: PageRequest, source: Source): Promise<PageDetail | undefined> {
  return ask(source, toScope(request), async (window) => {
    for (const page of formsOf('page', request.page)) {
      const found = await findDetail({ ...request, page }, source, window);
      if (found) return found;
    }
    return undefined;
  });
}

async function findDetail(
  request: PageRequest,
  source: Source,
  window: ReadWindow,
): Promise<PageDetail | undefined> {
  const { page, limit } = request;
  const whole = createScan(window);
  const [totals] = await askParts(source, whole, {
    parts: [dimensionPart(whole, { dimension: 'page', limit: 1, only: [page] })],
    matching: whole.matches(request),
  });
  const [group] = totals?.groups ?? [];
  if (!group || page === '') return undefined;
  const { entries, exits } = toPage(group);
  const onPage = createScan(window);
  const breakdowns = [
    { dimension: 'source' as const, limit, withAbsent: true },
    { dimension: 'referrer' as const, limit },
  ];
  const parts = breakdowns.map((breakdown) => dimensionPart(onPage, breakdown));
  const matching = sql`${onPage.matches(request)} AND ${onPage.value('page')} = ${page}`;
  const [[sources, referrers], previous, next] = await Promise.all([
    askParts(source, onPage, { parts, matching }),
    listNeighbours(request, source, { window, isBefore: true }),
    listNeighbours(request, source, { window, isBefore: false }),
  ]);
  return {
    page,
    totals: toFigures(group, 'page'),
    entries,
    exits,
    sources: toBreakdown(sources, { dimension: 'source', limit }).rows,
    referrers: toBreakdown(referrers, { dimension: 'referrer', limit }).rows,
    previous,
    next,
  };
}

/** Lists, for each matching pageview of the page, the nearest pageview of another page in its visit. */
async function listNeighbours(
  request: PageRequest,
  { server }: Source,
  { window, isBefore }: { window: ReadWindow; isBefore: boolean },
): Promise<PageDetail['next']> {
  const { page, limit } = request;
  const scan = createScan(window);
  const value = scan.value('page');
  const matching = scan.matches(request);
  const others = sql`arrayMap(e -> (${TYPE} = 0 AND ${value} != ${page}, ${value}), es)`;
  const none = sql`(0, '')`;
  // Each array holds the neighbour at the event's position, or the event's own value.
  const neighbours: Sql = isBefore
    ? sql`arrayFill(o -> o.1 = 1, arrayPopBack(arrayPushFront(others, ${none})))`
    : sql`arrayReverseFill(o -> o.1 = 1, arrayPopFront(arrayPushBack(others, ${none})))`;
  const rows = await server.read<[value: string | null, pageviews: number]>(
    sql`SELECT n.2 AS value, count() AS pageviews FROM (
      SELECT arrayJoin(arrayFilter((o, e) -> ${TYPE} = 0 AND ${value} = ${page} AND ${matching}, neighbours, es)) AS n FROM (
        SELECT *, ${others} AS others, ${neighbours} AS neighbours FROM ${scan.visits()}))
    GROUP BY value ORDER BY ${join([sql`pageviews DESC`, inOrder(sql`value`)], ', ')} LIMIT ${limit}`,
  );
  return rows.map(([neighbour, pageviews]) => ({ value: neighbour || null, pageviews }));
}
