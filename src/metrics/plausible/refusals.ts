/** Features of Plausible that we lack, with the reason that callers receive. Each is listed in docs/plausible.md. */

const NO_EDGE_HOSTS = 'The hosts of entry and exit pages are not kept';

export const NO_PAGE_GOALS =
  'This website has no goals, so its custom events stand for them; add a goal, or ask event:page';
export const NO_GOAL_OPERATORS = 'event:goal can be asked with is and contains';
export const NO_GOAL = 'needs event:goal as a dimension or a filter';
export const NO_V1_RATES = 'Conversion rates and revenue are part of version 2';
export const NO_REVENUE_ORDER = 'Rows are not ordered by revenue';
export const NO_STRICT_CONTAINS = 'contains, starts_with and ends_with never mind the case';

export const REFUSED_DIMENSIONS: ReadonlyMap<string, string> = new Map([
  ['visit:entry_page_hostname', NO_EDGE_HOSTS],
  ['visit:exit_page_hostname', NO_EDGE_HOSTS],
]);

export const REFUSED_METRICS: ReadonlyMap<string, string> = new Map([
  ['scroll_depth', 'Scroll depth is with the events, not in reports'],
  ['time_on_page', 'Time on a page is with the events, not in reports'],
  ['exit_rate', 'Exit rates are those of GET /api/v1/websites/:id/pages'],
]);
