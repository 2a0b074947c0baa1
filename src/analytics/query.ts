import type { Query, QueryAnswer } from './analytics.ts';
import { findAxis } from './breakdown-panels.ts';
import { createBreakdowns } from './breakdowns.ts';
import type { Days } from './days.ts';
import { toFigures } from './panels/figures.ts';
import { createSeries } from './panels/series.ts';
import { createTotals } from './panels/totals.ts';
import { createScan } from './scan.ts';
import type { WebsiteTerms } from './website-terms.ts';

/** Totals, series and breakdowns of one selection, from one pass over its days (two for the visitors of breakdowns). */
export function answerQuery(request: Query, terms: WebsiteTerms, days: Days): QueryAnswer {
  const requests = request.breakdowns ?? [];
  const names = requests.map(({ dimension }) => dimension).filter((name) => !findAxis(name));
  const scan = createScan({ request, terms, days, names, withPeople: true });

  const totals = request.totals ? createTotals(scan) : undefined;
  const series =
    request.series && createSeries(request.series.bounds, terms.visitors.count(), scan.peopleCount);
  const breakdowns = createBreakdowns(requests, terms, scan);
  scan.run((day, selection) => {
    totals?.add(day, selection);
    series?.add(day, selection);
    for (const panel of breakdowns.panels) panel.add(day, selection);
  });

  return {
    ...(totals && { totals: toFigures(totals.finish()) }),
    ...(series && { series: series.finish() }),
    ...(request.breakdowns && { breakdowns: breakdowns.finish() }),
  };
}
