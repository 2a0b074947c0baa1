import type { BreakdownAnswer, Query, QueryAnswer } from './analytics.ts';
import { createBreakdowns, findAxis } from './breakdown-panels.ts';
import type { Days } from './days.ts';
import { toFigures } from './panels/figures.ts';
import { createSeries } from './panels/series.ts';
import { createTotals } from './panels/totals.ts';
import { rankValues } from './rank.ts';
import { createScan } from './scan.ts';
import type { WebsiteTerms } from './website-terms.ts';

/** Totals, series and breakdowns of one selection, from one pass over its days. */
export function answerQuery(request: Query, terms: WebsiteTerms, days: Days): QueryAnswer {
  const breakdowns = request.breakdowns ?? [];
  const names = breakdowns.map(({ dimension }) => dimension).filter((name) => !findAxis(name));
  const scan = createScan({ request, terms, days, names });
  const visitorCount = terms.visitors.count();

  const totals = request.totals ? createTotals(visitorCount) : undefined;
  const series = request.series && createSeries(request.series.bounds, visitorCount);
  const panels = createBreakdowns(
    breakdowns.map(({ dimension }) => dimension),
    terms,
    scan.columns,
    visitorCount,
  );
  scan.run((day, selection) => {
    totals?.add(day, selection);
    series?.add(day, selection);
    for (const panel of panels.all) panel.add(day, selection);
  });

  return {
    ...(totals && { totals: toFigures(totals.finish()) }),
    ...(series && { series: series.finish() }),
    ...(request.breakdowns && {
      breakdowns: breakdowns.map((breakdown): BreakdownAnswer => {
        const { counts, texts } = panels.finish(breakdown.dimension);
        return { dimension: breakdown.dimension, ...rankValues(counts, texts, breakdown) };
      }),
    }),
  };
}
