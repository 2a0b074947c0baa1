import type { Page, PageDetail, PagesRequest } from '../../../src/analytics/interface/pages.ts';
import type { BreakdownRow } from '../../../src/analytics/interface/query.ts';
import type { List, Selection } from '../../../src/analytics/interface/selection.ts';
import type { Dimension } from '../../../src/vocabulary/analytics.ts';
import { breakDown, compareTexts, containsText, groupByValue, sortRows } from './breakdown.ts';
import { divide, toPageFigures, visitsOf } from './figures.ts';
import { formsOf } from './forms.ts';
import type { NaiveLog } from './log.ts';
import { type Match, select } from './selection.ts';
import { pageviewsOf } from './visits.ts';

export function listPages(log: NaiveLog, request: PagesRequest): List<Page> {
  const matches = select(log, request);
  const rows = groupByValue(matches, 'page')
    .filter(({ value }) => value !== '' && containsText(value, request.search, 'page'))
    .map(({ value, matches: onPage }): Page => {
      const figures = toPageFigures(value, onPage, matches);
      const edges = countEdges(matches, value);
      return { value, ...figures, ...edges, exitRate: divide(edges.exits, figures.pageviews) };
    });
  sortRows(rows, request.sort ?? { by: 'visitors', descending: true });
  return { rows: rows.slice(request.offset, request.offset + request.limit), total: rows.length };
}

export function findPage(
  log: NaiveLog,
  request: Selection & { page: string; limit: number },
): PageDetail | undefined {
  const { limit } = request;
  const matches = select(log, request);
  const forms = formsOf(request.page, 'page');
  const page = forms.find((form) => matches.some((match) => match.page === form)) ?? request.page;
  const onPage = matches.filter((match) => match.page === page);
  if (onPage.length === 0) return undefined;
  const rowsBy = (dimension: Dimension, withAbsent: boolean): BreakdownRow[] =>
    breakDown(onPage, { dimension, limit, withAbsent }).rows;
  return {
    page,
    totals: toPageFigures(page, onPage, matches),
    ...countEdges(matches, page),
    sources: rowsBy('source', true),
    referrers: rowsBy('referrer', false),
    previous: toNeighbours(onPage, -1, limit),
    next: toNeighbours(onPage, 1, limit),
  };
}

/** Visits of the matching events, on whichever page these are, that began and ended on a page. */
function countEdges(matches: readonly Match[], page: string): { entries: number; exits: number } {
  return {
    entries: visitsOf(matches).filter(({ entryPage }) => entryPage === page).length,
    exits: visitsOf(matches).filter(({ exitPage }) => exitPage === page).length,
  };
}

function toNeighbours(onPage: readonly Match[], direction: -1 | 1, limit: number): PageDetail['next'] {
  const counts = new Map<string | null, number>();
  for (const { event, page, visit } of pageviewsOf(onPage)) {
    const pageviews = pageviewsOf(visit.events);
    const index = pageviews.findIndex((pageview) => pageview.event === event);
    const side = direction === -1 ? pageviews.slice(0, index).reverse() : pageviews.slice(index + 1);
    const neighbour = side.find((pageview) => pageview.page !== page)?.page ?? null;
    counts.set(neighbour, (counts.get(neighbour) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, pageviews]) => ({ value, pageviews }))
    .sort((a, b) => b.pageviews - a.pageviews || compareTexts(a.value, b.value))
    .slice(0, limit);
}
