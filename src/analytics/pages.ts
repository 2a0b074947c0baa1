import { EVENT_TYPES } from '../contract/vocabulary.ts';
import type {
  BreakdownAnswer,
  Filter,
  List,
  Page,
  PageColumn,
  PageDetail,
  PagesRequest,
  Selection,
} from './analytics.ts';
import { createBreakdownPanels, textsOf, valueColumn, valueCount } from './breakdown-panels.ts';
import type { Day } from './day.ts';
import type { Days } from './days.ts';
import { createDistinctAll } from './panels/distinct.ts';
import { createDistinctSome, SOME_VALUES_MAX } from './panels/distinct-some.ts';
import { countsAt, toFigures } from './panels/figures.ts';
import { createPeopleBits } from './panels/people-bits.ts';
import { answerQuery } from './query.ts';
import { compareText, presentNumbers, rankNumbers, weigher } from './rank.ts';
import { createScan } from './scan.ts';
import type { WebsiteTerms } from './website-terms.ts';

const PAGEVIEW = EVENT_TYPES.indexOf('pageview');
/** Passes after which it is better to find the visitors of all pages at once. */
const PASSES_MAX = 3;

/** The pages of a selection with how often visits began and ended there. */
export function listPages(request: PagesRequest, terms: WebsiteTerms, days: Days): List<Page> {
  const { sort = { by: 'visitors', descending: true } } = request;
  const scan = createScan({ request, terms, days, names: [], withPeople: true });
  const { columns } = scan;
  const panels = createBreakdownPanels(['page', 'entryPage', 'exitPage'], terms, columns);
  scan.run((day, selection) => {
    for (const panel of panels.all) panel.add(day, selection);
  });
  const counts = panels.counts('page');
  const column = valueColumn('page', terms, columns);
  if (sort.by === 'visitors') countAllVisitors();
  const texts = textsOf('page', terms, columns);
  const entries = panels.counts('entryPage').visits;
  const exits = panels.counts('exitPage').visits;
  const present = presentNumbers(counts, request, texts);
  const { limit, offset } = request;
  const numbers = rankNumbers(present, texts, {
    limit,
    offset,
    descending: sort.descending,
    weigh: sort.by === 'value' ? undefined : weigh(sort.by),
  });
  if (sort.by !== 'visitors') countVisitors(numbers);
  const rows = numbers.map((number): Page => {
    const figures = toFigures(countsAt(counts, number));
    return {
      value: texts.text(number),
      ...figures,
      entries: entries[number] ?? 0,
      exits: exits[number] ?? 0,
      exitRate: figures.visits === 0 ? 0 : (exits[number] ?? 0) / figures.visits,
    };
  });
  return { rows, total: present.length };

  function countAllVisitors(): void {
    const size = valueCount('page', terms, columns);
    const panel = createDistinctAll(column, () => size, terms.visitors.count());
    scan.run(panel.add);
    counts.visitors.set(panel.finish());
  }

  /** Of the pages that are shown, a few in a pass. */
  function countVisitors(shown: readonly number[]): void {
    if (shown.length > SOME_VALUES_MAX * PASSES_MAX) {
      countAllVisitors();
      return;
    }
    for (let start = 0; start < shown.length; start += SOME_VALUES_MAX) {
      const some = shown.slice(start, start + SOME_VALUES_MAX);
      const wanted = [{ source: column, values: some }];
      const size = valueCount('page', terms, columns);
      const panel = createDistinctSome(wanted, size, createPeopleBits(scan.returningCount()));
      scan.run((day, selection) => {
        for (const returning of scan.returning(selection)) panel.add(day, returning);
      });
      for (const found of panel.finish())
        for (const [number, repeats] of found)
          counts.visitors[number] = (counts.visits[number] ?? 0) - repeats;
    }
  }

  function weigh(by: PageColumn): (number: number) => number {
    if (by === 'entries') return (number) => entries[number] ?? 0;
    if (by === 'exits') return (number) => exits[number] ?? 0;
    if (by === 'exitRate') return (number) => (exits[number] ?? 0) / Math.max(1, counts.visits[number] ?? 0);
    return weigher(counts, by);
  }
}

type PageRequest = Selection & { page: string; limit: number };

/** @returns undefined when nothing in the selection happened on the page */
export function findPage(request: PageRequest, terms: WebsiteTerms, days: Days): PageDetail | undefined {
  const { page, limit } = request;
  const isPage: Filter = { op: 'match', dimension: 'page', operator: 'is', values: [page] };
  const filter: Filter = request.filter ? { op: 'and', filters: [request.filter, isPage] } : isPage;
  const onPage: Selection = { ...request, filter };
  const all = Number.MAX_SAFE_INTEGER;
  const { totals, breakdowns = [] } = answerQuery(
    {
      ...onPage,
      totals: true,
      breakdowns: [
        { dimension: 'source', limit, withAbsent: true },
        { dimension: 'referrer', limit },
      ],
    },
    terms,
    days,
  );
  if (!totals || totals.events === 0) return undefined;
  const [sources, referrers] = breakdowns;
  // As in the list of pages: a visit that the range cuts may have begun on the page before the range.
  const edges = answerQuery(
    {
      ...request,
      breakdowns: (['entryPage', 'exitPage'] as const).map((dimension) => ({
        dimension,
        limit: all,
        search: page,
        metrics: ['visits'],
        sort: { by: 'visits', descending: true },
      })),
    },
    terms,
    days,
  );
  const [entries, exits] = edges.breakdowns ?? [];
  return {
    totals,
    entries: visitsOf(entries, page),
    exits: visitsOf(exits, page),
    sources: sources?.rows ?? [],
    referrers: referrers?.rows ?? [],
    ...neighbours(onPage, terms, days, page, limit),
  };
}

function visitsOf(answer: BreakdownAnswer | undefined, page: string): number {
  return answer?.rows.find(({ value }) => value === page)?.visits ?? 0;
}

/** The pages before and after each matching pageview within its visit, over pageviews of the page itself. */
function neighbours(
  request: Selection,
  terms: WebsiteTerms,
  days: Days,
  page: string,
  limit: number,
): Pick<PageDetail, 'previous' | 'next'> {
  const own = terms.page.find(page);
  const previous = new Map<number, number>();
  const next = new Map<number, number>();
  const scan = createScan({ request, terms, days, names: [] });
  scan.run((day, { count, visits, hit }) => {
    for (const visit of visits.subarray(0, count)) {
      const first = day.first[visit] ?? 0;
      const end = day.first[visit + 1] ?? 0;
      for (let event = first; event < end; event += 1) {
        if (day.type[event] !== PAGEVIEW || (hit !== undefined && hit[event] === 0)) continue;
        addOne(previous, otherPage(day, event, -1, first - 1));
        addOne(next, otherPage(day, event, 1, end));
      }
    }
  });
  return { previous: rank(previous), next: rank(next) };

  /** 0 when the visit has no other page on that side. */
  function otherPage(day: Day, from: number, step: 1 | -1, end: number): number {
    for (let event = from + step; event !== end; event += step)
      if (day.type[event] === PAGEVIEW && day.page[event] !== own) return day.page[event] ?? 0;
    return 0;
  }

  function rank(counts: Map<number, number>): PageDetail['next'] {
    return [...counts]
      .map(([number, pageviews]) => ({ text: terms.page.text(number), pageviews }))
      .sort((a, b) => b.pageviews - a.pageviews || compareText(a.text, b.text))
      .slice(0, limit)
      .map(({ text, pageviews }) => ({ value: text || null, pageviews }));
  }
}

function addOne(counts: Map<number, number>, number: number): void {
  counts.set(number, (counts.get(number) ?? 0) + 1);
}
