import { formsOf } from '../../derive/forms.ts';
import { compareText } from '../../derive/text.ts';
import type { Page, PageColumn, PageDetail, PagesRequest } from '../../interface/pages.ts';
import type { BreakdownAnswer } from '../../interface/query.ts';
import type { Filter, List, Selection } from '../../interface/selection.ts';
import { VisitorIds } from '../query/people.ts';
import { Scan } from '../query/scan.ts';
import type { Source } from '../query/source.ts';
import { PAGEVIEW } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import { Breakdowns } from './breakdowns.ts';
import { pageText } from './facts.ts';
import { answerQuery } from './query.ts';

/** Lists the pages of a selection, with the number of visits that began and ended there. */
export function listPages(request: PagesRequest, source: Source): List<Page> {
  const { sort: { by, descending } = BY_VISITORS, limit, offset, search = '' } = request;
  const { arena, website } = source;
  const scan = new Scan(request, source, { runsAgain: true });
  const people = new VisitorIds(arena, website.dictionaries.visitors.count);
  const sort = { by: isOfEdges(by) ? (code: number) => edgeColumns(code)[by] : by, descending };
  const breakdowns = new Breakdowns(
    [{ dimension: 'page', sort, limit, offset, search }],
    { ...source, scan, people },
    ['exitPage'],
  );
  const pages = breakdowns.group('page');
  const entered = breakdowns.group('entryPage').counts.visits;
  const exited = breakdowns.group('exitPage').counts.visits;
  scan.run((vector) => {
    people.assign(vector);
    breakdowns.add(vector);
  });
  const [{ rows, total } = NO_ROWS] = breakdowns.finish();
  return {
    rows: rows.map(({ value, ...figures }) => ({
      value: value ?? '',
      ...figures,
      ...edgeColumns(pages.column.find(value ?? '')),
    })),
    total,
  };

  function edgeColumns(code: number): Record<EdgeColumn, number> {
    const pageviews = pages.counts.pageviews[code] ?? 0;
    const exits = exited[code] ?? 0;
    return { entries: entered[code] ?? 0, exits, exitRate: pageviews === 0 ? 0 : exits / pageviews };
  }
}

const BY_VISITORS = { by: 'visitors', descending: true } as const;
const NO_ROWS: Pick<BreakdownAnswer, 'rows' | 'total'> = { rows: [], total: 0 };
const EDGE_COLUMNS = ['entries', 'exits', 'exitRate'] as const satisfies readonly PageColumn[];
type EdgeColumn = (typeof EDGE_COLUMNS)[number];

function isOfEdges(column: PageColumn | 'value'): column is EdgeColumn {
  return (EDGE_COLUMNS as readonly string[]).includes(column);
}

type PageRequest = Selection & { page: string; limit: number };

/** @returns undefined when no event of the selection is on the page */
export function findPage(asked: PageRequest, source: Source): PageDetail | undefined {
  const pages = source.website.dictionaries.get('page');
  for (const page of formsOf('page', asked.page)) {
    const found = pages.find(page) === 0 ? undefined : reportOn({ ...asked, page }, source);
    if (found) return found;
  }
  return undefined;
}

function reportOn(request: PageRequest, source: Source): PageDetail | undefined {
  const { page, limit } = request;
  const filters = request.filter ? [request.filter, ...exactly(page)] : exactly(page);
  const onPage: Selection = { ...request, filter: { op: 'and', filters } };
  const { totals, breakdowns: [sources, referrers] = [] } = answerQuery(
    {
      ...onPage,
      totals: true,
      breakdowns: [
        { dimension: 'source', limit, withAbsent: true },
        { dimension: 'referrer', limit },
      ],
    },
    source,
  );
  if (!totals || totals.events === 0) return undefined;
  const edges = edgesOf(request, source);
  return {
    page,
    totals: { ...totals, bounceRate: edges.bounceRate },
    entries: edges.entries,
    exits: edges.exits,
    sources: sources?.rows ?? [],
    referrers: referrers?.rows ?? [],
    ...neighbours(onPage, page, limit, source),
  };
}

/** Matches either form of a page; `/%41`, written so, is not `/A`. */
function exactly(page: string): Filter[] {
  const others = formsOf('page', page).filter((form) => form !== page);
  const is: Filter = { op: 'match', dimension: 'page', operator: 'is', values: [page] };
  return others.length === 0 ? [is] : [is, { ...is, operator: 'is_not', values: others }];
}

/**
 * Counts entries and exits as the list of pages does: a visit that the range cuts may have begun on the page before the
 * range.
 */
function edgesOf(
  request: PageRequest,
  source: Source,
): { entries: number; exits: number; bounceRate: number } {
  const { breakdowns: [entries, exits] = [] } = answerQuery(
    {
      ...request,
      breakdowns: (['entryPage', 'exitPage'] as const).map((dimension) => ({
        dimension,
        limit: 1,
        only: [request.page],
      })),
    },
    source,
  );
  const entered = entries?.rows[0];
  return {
    entries: entered?.visits ?? 0,
    exits: exits?.rows[0]?.visits ?? 0,
    bounceRate: entered?.bounceRate ?? 0,
  };
}

/** Counts the pages before and after each matching pageview within its visit, skipping pageviews of the page itself. */
function neighbours(
  selection: Selection,
  page: string,
  limit: number,
  source: Source,
): Pick<PageDetail, 'previous' | 'next'> {
  const own = source.website.dictionaries.get('page').find(page);
  const previous = new Map<number, number>();
  const next = new Map<number, number>();
  new Scan(selection, source).run(({ segment, count, visits, hits }) => {
    const first = segment.column('first');
    const eventType = segment.column('eventType');
    const local = segment.codeColumn('page');
    const codes = segment.codes('page');
    const ownLocal = codes.indexOf(own);
    for (const visit of visits.subarray(0, count)) {
      const begin = first[visit] as number;
      const end = first[visit + 1] as number;
      for (let event = begin; event < end; event += 1) {
        if (eventType[event] !== PAGEVIEW || local[event] !== ownLocal || (hits && hits[event] === 0))
          continue;
        addOne(previous, codes[otherPage(segment, event, -1, begin - 1, ownLocal)] as number);
        addOne(next, codes[otherPage(segment, event, 1, end, ownLocal)] as number);
      }
    }
  });
  return { previous: toRows(previous), next: toRows(next) };

  function toRows(counts: ReadonlyMap<number, number>): PageDetail['next'] {
    return [...counts]
      .map(([code, pageviews]) => ({ value: pageText(code, source), pageviews }))
      .sort((a, b) => b.pageviews - a.pageviews || compareText(a.value, b.value))
      .slice(0, limit);
  }
}

/** Returns the local code of the nearest other page in one direction; 0 when the visit has none. */
function otherPage(segment: Segment, from: number, step: 1 | -1, end: number, own: number): number {
  const eventType = segment.column('eventType');
  const page = segment.codeColumn('page');
  for (let event = from + step; event !== end; event += step)
    if (eventType[event] === PAGEVIEW && page[event] !== own) return page[event] as number;
  return 0;
}

function addOne(counts: Map<number, number>, code: number): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}
