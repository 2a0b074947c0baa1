import type { Breakdown, BreakdownAnswer, Figures, Query, QueryAnswer } from '../../interface/query.ts';
import { figuresOf } from '../query/accumulator.ts';
import { Totals } from '../query/group-by.ts';
import { VisitorCounter, VisitorIds } from '../query/people.ts';
import { Scan } from '../query/scan.ts';
import { Series } from '../query/series.ts';
import type { Source } from '../query/source.ts';
import { Breakdowns } from './breakdowns.ts';

/**
 * Answers totals, series and breakdowns of one selection in one pass over its segments; breakdowns take more passes for
 * visitors.
 */
export function answerQuery(request: Query, source: Source): QueryAnswer {
  const { arena, website } = source;
  const { withWeights } = request;
  const scan = new Scan(request, source, { runsAgain: request.breakdowns !== undefined });
  const visitorCount = website.dictionaries.visitors.count;
  const totals = request.totals ? new Totals(arena) : undefined;
  if (!request.series && !request.breakdowns) {
    const people = new VisitorCounter(arena, visitorCount);
    scan.run((vector) => {
      people.assign(vector);
      totals?.add(vector);
    });
    return totals ? { totals: totalsOf(totals, people.count) } : {};
  }
  const people = new VisitorIds(arena, visitorCount);
  const series =
    request.series &&
    new Series(
      request.series.bounds,
      { fromMs: request.fromMs, peopleMax: visitorCount, isOneClass: request.traffic !== 'all' },
      arena,
    );
  const breakdowns = new Breakdowns(request.breakdowns ?? [], { ...source, scan, people });
  scan.run((vector) => {
    people.assign(vector);
    totals?.add(vector);
    series?.add(vector, people);
    breakdowns.add(vector);
  });
  return {
    ...(totals && { totals: totalsOf(totals, people.count) }),
    ...(series && { series: series.finish(withWeights) }),
    ...(request.breakdowns && { breakdowns: breakdowns.finish(withWeights) }),
  };

  function totalsOf({ counts }: Totals, visitors: number): Figures {
    return figuresOf(counts, 0, visitors, undefined, withWeights);
  }
}

/** Answers one breakdown of a selection. */
export function answerBreakdown(
  selection: Omit<Query, 'totals' | 'series' | 'breakdowns'>,
  breakdown: Breakdown,
  source: Source,
): BreakdownAnswer {
  const { breakdowns: [answer] = [] } = answerQuery({ ...selection, breakdowns: [breakdown] }, source);
  if (!answer) throw new Error('A breakdown has no answer.');
  return answer;
}
