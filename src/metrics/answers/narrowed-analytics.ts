import type { Analytics } from '../../analytics/analytics.ts';
import type { Breakdown } from '../../analytics/interface/query.ts';
import type { Filter } from '../../analytics/interface/selection.ts';
import { type Dimension, EDGE_DIMENSIONS, EVENT_DIMENSIONS } from '../../vocabulary/analytics.ts';
import { AppError } from '../../vocabulary/errors.ts';

/**
 * Limits every answer to the events that pass the filter of a share link. It wraps the engine, so that no route, format or
 * parameter can ask about others: conditions on other events of a visit, or of the first one, are about events that pass
 * as well. Questions that are not about a selection of events are refused.
 */
export function createNarrowedAnalytics(analytics: Analytics, link: Filter): Analytics {
  /** Whether some events of a visit may pass and others not: then what a visit began or ended with is not shown. */
  const cutsVisits = testsEvents(link);

  function narrow<Request extends { filter?: Filter }>(request: Request): Request {
    const { filter } = request;
    return { ...request, filter: filter ? { op: 'and', filters: [link, scope(filter)] } : link };
  }

  function scope(filter: Filter): Filter {
    if (filter.op === 'match') requireWhole(filter.dimension);
    if (filter.op === 'has_done' || filter.op === 'first_visit')
      return { op: filter.op, filter: { op: 'and', filters: [link, scope(filter.filter)] } };
    if (filter.op === 'not') return { op: 'not', filter: scope(filter.filter) };
    if (filter.op === 'and' || filter.op === 'or')
      return { op: filter.op, filters: filter.filters.map(scope) };
    return filter;
  }

  const isCut = (dimension: Dimension) => cutsVisits && isEdge(dimension);
  /** @throws AppError FORBIDDEN */
  function requireWhole(dimension: Dimension): void {
    if (isCut(dimension)) throw notShown();
  }

  return {
    ...refusing(analytics),
    async query(request) {
      const { breakdowns } = request;
      const asked = breakdowns?.filter(({ dimension }) => !isCut(dimension));
      const answer = await analytics.query(narrow({ ...request, ...(asked && { breakdowns: asked }) }));
      const lists = [...(answer.breakdowns ?? [])];
      const toList = ({ dimension }: Breakdown) =>
        (isCut(dimension) ? undefined : lists.shift()) ?? { dimension, rows: [], total: 0 };
      return { ...answer, ...(breakdowns && { breakdowns: breakdowns.map(toList) }) };
    },
    async conditions(request) {
      return analytics.conditions({ ...narrow(request), conditions: request.conditions.map(scope) });
    },
    async values(request) {
      return isCut(request.dimension) ? [] : analytics.values(narrow(request));
    },
    realtime: async (request) => analytics.realtime(narrow(request)),
    pages: async (request) => analytics.pages(narrow(request)),
    async page(request) {
      const found = await analytics.page(narrow(request));
      return found && cutsVisits ? { ...found, previous: [], next: [] } : found;
    },
  };
}

function isEdge(dimension: Dimension): boolean {
  return (EDGE_DIMENSIONS as readonly string[]).includes(dimension);
}

/** Whether a filter depends on more of an event than its visit. */
function testsEvents(filter: Filter): boolean {
  switch (filter.op) {
    case 'match':
      return (
        (EVENT_DIMENSIONS as readonly string[]).includes(filter.dimension) ||
        filter.dimension.startsWith('property:')
      );
    case 'and':
    case 'or':
      return filter.filters.some(testsEvents);
    case 'not':
      return testsEvents(filter.filter);
    default:
      return false;
  }
}

function notShown(): AppError {
  return new AppError('FORBIDDEN', 'The share link does not show this');
}

/** Refuses every question. */
function refusing(analytics: Analytics): Analytics {
  const refuse = async () => {
    throw notShown();
  };
  // The same methods.
  return Object.fromEntries(Object.keys(analytics).map((name) => [name, refuse])) as unknown as Analytics;
}
