import type { Access } from '../../access/access.ts';
import { hiddenError } from '../../access/refusals.ts';
import type { Analytics, AttributedShare, NowRow } from '../../analytics/analytics.ts';
import type { Page } from '../../analytics/interface/pages.ts';
import type { PathEvent } from '../../analytics/interface/people.ts';
import type {
  BreakdownAnswer,
  Breakdown as BreakdownRequest,
  Figures,
  Query,
  QueryAnswer,
} from '../../analytics/interface/query.ts';
import type { Filter } from '../../analytics/interface/selection.ts';
import { type Hide, SECTIONS } from '../../vocabulary/access.ts';
import { type Dimension, isCampaignDimension, LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { SMALL_ROW_VISITORS } from '../../vocabulary/contract.ts';
import { NO_FIGURES } from './wire.ts';

type Limits = Pick<Access, 'role' | 'hides'>;

/**
 * Limits the answers to what is shown to a caller. It wraps the engine, so that it applies to every route and format.
 * Filters by properties are refused where they are read: goals and segments that have one stay usable.
 */
export function createLimitedAnalytics(analytics: Analytics, { role, hides }: Limits): Analytics {
  const hidesEvents = hides.includes('customEvents');
  const hidesProperties = hides.includes('properties');
  const answered = hides.includes('smallRows') ? withoutSmallRows(analytics) : analytics;

  /** @throws AppError FORBIDDEN */
  function requireShown(hide: Hide, isAsked = true): void {
    if (isAsked && hides.includes(hide)) throw hiddenError(hide, role);
  }

  function judge(dimension: Dimension | undefined): void {
    if (dimension === undefined) return;
    requireShown('customEvents', dimension === 'event');
    requireShown('campaigns', isCampaignDimension(dimension));
  }

  function judgeDimension(dimension: Dimension | undefined): void {
    judge(dimension);
    requireShown('properties', dimension?.startsWith('property:') === true);
  }

  function judgeFilter(filter: Filter | undefined): void {
    if (!filter || filter.op === 'first_seen' || filter.op === 'website') return;
    if (filter.op === 'match') judge(filter.dimension);
    else if ('filter' in filter) judgeFilter(filter.filter);
    else filter.filters.forEach(judgeFilter);
  }

  /** Leaves out the properties of events, which hold amounts as well. */
  function toShown<Detail extends { events: PathEvent[] }>(detail: Detail | undefined): Detail | undefined {
    const isWhole = !hidesProperties && !hides.includes('revenue');
    if (!detail || isWhole) return detail;
    return { ...detail, events: detail.events.map((event) => ({ ...event, properties: null })) };
  }

  return {
    ...answered,
    async query(request) {
      judgeFilter(request.filter);
      for (const { dimension } of request.breakdowns ?? []) judgeDimension(dimension);
      return answered.query(request);
    },
    /** Conditions are those of goals, which the owner shows. */
    async conditions(request) {
      judgeFilter(request.filter);
      return answered.conditions(request);
    },
    async revenue(request) {
      requireShown('revenue');
      judgeFilter(request.filter);
      judgeDimension(request.dimension);
      return answered.revenue(request);
    },
    async funnel(request) {
      judgeFilter(request.filter);
      request.steps.forEach(judgeFilter);
      judgeDimension(request.dimension);
      return answered.funnel(request);
    },
    async attribution(request) {
      judgeFilter(request.filter);
      const answer = await answered.attribution(request);
      if (!hides.includes('revenue')) return answer;
      const withoutRevenue = (share: AttributedShare) => ({ ...share, revenue: [] });
      const rows = answer.rows.map(({ value, first, last, linear }) => ({
        value,
        first: withoutRevenue(first),
        last: withoutRevenue(last),
        linear: withoutRevenue(linear),
      }));
      return { ...answer, rows };
    },
    async values(request) {
      judgeFilter(request.filter);
      judgeDimension(request.dimension);
      return answered.values(request);
    },
    async pages(request) {
      judgeFilter(request.filter);
      return answered.pages(request);
    },
    async page(request) {
      judgeFilter(request.filter);
      return answered.page(request);
    },
    async realtime(request) {
      judgeFilter(request.filter);
      const answer = await answered.realtime(request);
      return hidesEvents ? { ...answer, events: [] } : answer;
    },
    async sessions(request) {
      requireShown('visitors');
      return answered.sessions(request);
    },
    async session(request) {
      requireShown('visitors');
      return toShown(await answered.session(request));
    },
    async visitors(request) {
      requireShown('visitors');
      return answered.visitors(request);
    },
    async visitor(request) {
      requireShown('visitors');
      return toShown(await answered.visitor(request));
    },
    async exportVisitor(request) {
      for (const section of SECTIONS) requireShown(section);
      return answered.exportVisitor(request);
    },
    async propertyKeys(request) {
      requireShown('properties');
      return answered.propertyKeys(request);
    },
    async propertyValues(request) {
      requireShown('properties');
      return answered.propertyValues(request);
    },
  };
}

/**
 * Drops rows of fewer than three visitors, and answers a filter that selects fewer like one that selects none: otherwise
 * filters could single out a visitor. It reads up to a thousand rows by visitors, then sorts them as requested, so that
 * lists have no gaps and correct totals.
 */
function withoutSmallRows(analytics: Analytics): Analytics {
  async function query(request: Query): Promise<QueryAnswer> {
    const { filter, breakdowns } = request;
    const whole = breakdowns?.map((breakdown) => ({ ...withoutOrder(breakdown), limit: LIST_LIMIT_MAX }));
    const isFiltered = filter !== undefined;
    const answer = await analytics.query({
      ...request,
      ...(whole && { breakdowns: whole }),
      ...(isFiltered && { totals: true }),
    });
    const keep = (figures: Figures) => (isFiltered && isSmall(figures) ? NO_FIGURES : figures);
    const { totals, series, breakdowns: lists } = answer;
    return {
      ...(request.totals && totals && { totals: keep(totals) }),
      ...(series && { series: series.map(keep) }),
      ...(lists && { breakdowns: lists.map((list, index) => cut(list, breakdowns?.[index])) }),
    };
  }

  return {
    ...analytics,
    query,

    async conditions(request) {
      const { totals, rows } = await analytics.conditions(request);
      const keep = (figures: Figures) => (isSmall(figures) ? NO_FIGURES : figures);
      return { totals: request.filter === undefined ? totals : keep(totals), rows: rows.map(keep) };
    },

    async values({ dimension, search, limit, ...selection }) {
      const sort = { by: 'events', descending: true } as const;
      const breakdown = { dimension, ...(search !== undefined && { search }), sort, limit };
      const rows = (await query({ ...selection, breakdowns: [breakdown] })).breakdowns?.[0]?.rows ?? [];
      return rows.flatMap(({ value, events }) => (value === null ? [] : { value, events }));
    },

    async pages({ sort, limit, offset, ...request }) {
      const { rows } = await analytics.pages({
        ...request,
        sort: { by: 'visitors', descending: true },
        limit: LIST_LIMIT_MAX,
        offset: 0,
      });
      const large = order(rows.filter(isLarge), sort);
      return { rows: large.slice(offset, offset + limit), total: large.length };
    },

    /** Visitors of each step from page to page are unknown, so the steps are omitted. */
    async page(request) {
      const found = await analytics.page(request);
      if (!found || isSmall(found.totals)) return undefined;
      const { sources, referrers } = found;
      return {
        ...found,
        sources: sources.filter(isLarge),
        referrers: referrers.filter(isLarge),
        previous: [],
        next: [],
      };
    },

    async realtime(request) {
      const answer = await analytics.realtime({ ...request, limit: LIST_LIMIT_MAX });
      const isFiltered = request.filter !== undefined;
      const list = (rows: NowRow[]) => rows.filter(isLarge).slice(0, request.limit);
      return {
        visitors: isFiltered && isSmall(answer) ? 0 : answer.visitors,
        minutes: answer.minutes.map((minute) =>
          isFiltered && isSmall(minute) ? { ...minute, visitors: 0, pageviews: 0, events: 0 } : minute,
        ),
        pages: list(answer.pages),
        sources: list(answer.sources),
        countries: list(answer.countries),
        events: list(answer.events),
      };
    },
  };
}

function isLarge({ visitors }: { visitors: number }): boolean {
  return visitors >= SMALL_ROW_VISITORS;
}

function isSmall(figures: { visitors: number }): boolean {
  return !isLarge(figures);
}

function withoutOrder({ sort: _sort, offset: _offset, ...rest }: BreakdownRequest): BreakdownRequest {
  return rest;
}

function cut(
  { dimension, rows }: BreakdownAnswer,
  { sort, limit, offset = 0 }: BreakdownRequest = { dimension, limit: 0 },
): BreakdownAnswer {
  const large = order(rows.filter(isLarge), sort);
  return { dimension, rows: large.slice(offset, offset + limit), total: large.length };
}

/** Sorts rows; ties stay in the order of their visitors. */
function order<Row extends { value: string | null } & Partial<Omit<Page, 'value'>>>(
  rows: Row[],
  sort: { by: Exclude<keyof Page, 'weights'>; descending: boolean } | undefined,
): Row[] {
  if (!sort) return rows;
  const { by, descending } = sort;
  return rows.toSorted((a, b) => compare(a[by] ?? '', b[by] ?? '') * (descending ? -1 : 1));
}

/** Compares values of one column, which have one type. */
function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
