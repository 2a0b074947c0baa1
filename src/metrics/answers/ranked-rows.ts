import type { Analytics } from '../../analytics/analytics.ts';
import type {
  Breakdown,
  BreakdownAnswer,
  Figures,
  BreakdownRow as Row,
} from '../../analytics/interface/query.ts';
import type { Selection } from '../../analytics/interface/selection.ts';
import {
  BREAKDOWN_LIMIT_MAX,
  type Metric,
  RANKED_VISITORS_MIN,
  type RankedSort,
} from '../../vocabulary/analytics.ts';
import type { Asked } from '../question/selection.ts';
import { addToRows, type RowGoalFigures } from './conversions.ts';
import { toValueMap } from './values.ts';
import { changeOf, NO_FIGURES } from './wire.ts';

export type Ranked = { by: RankedSort; descending: boolean };

/**
 * Returns a page of a breakdown in an order that the engine does not know: by the change since the earlier range, or by the
 * goal. Values that only the earlier range has have rows, too, when the order is by change. The values with most
 * visitors are ranked, up to BREAKDOWN_LIMIT_MAX of either range.
 */
export async function rankRows(
  analytics: Analytics,
  asked: Pick<Asked, 'selection' | 'compared' | 'goal'>,
  breakdown: Breakdown & { offset: number },
  ranked: Ranked,
): Promise<{ totals: Figures; answer: BreakdownAnswer }> {
  const { limit, offset, dimension } = breakdown;
  const { sort: _, ...all } = { ...breakdown, limit: BREAKDOWN_LIMIT_MAX, offset: 0 };
  const ask = (selection: Selection) => analytics.query({ ...selection, totals: true, breakdowns: [all] });
  const { by, descending } = ranked;
  const isOfGoal = by === 'goalVisitors' || by === 'goalRate';
  const [now, before] = await Promise.all([
    ask(asked.selection),
    asked.compared && !isOfGoal ? ask(asked.compared.selection) : undefined,
  ]);
  const { totals = NO_FIGURES, breakdowns: [found] = [] } = now;
  const earlier = toValueMap(before?.breakdowns?.[0]);
  const present = found?.rows ?? [];
  const known = new Set(present.map(({ value }) => value));
  const gone = [...earlier.keys()].filter((value) => !known.has(value));
  const rows: Row[] = [...present, ...gone.map((value) => ({ value, ...NO_FIGURES }))];
  const weighed = isOfGoal
    ? (await addToRows(analytics, asked, dimension, rows, totals.visitors)).map((row) => ({
        row,
        weight: weighGoal(by, row),
      }))
    : rows.map((row) => ({ row, weight: weighChange(by, row, earlier.get(row.value) ?? NO_FIGURES) }));
  // The order of the engine decides between equal weights, because sorting is stable.
  const sorted = weighed.toSorted(
    (a, b) => a.weight.rank - b.weight.rank || (descending ? -1 : 1) * (a.weight.value - b.weight.value),
  );
  const page = sorted.slice(offset, offset + limit).map(({ row }) => row);
  return { totals, answer: { dimension, rows: page, total: Math.max(found?.total ?? 0, rows.length) } };
}

/** Rows of a higher rank come after all of a lower one. */
type Weight = { rank: number; value: number };

function weighGoal(by: 'goalVisitors' | 'goalRate', row: Row & RowGoalFigures): Weight {
  if (by === 'goalVisitors') return { rank: 0, value: row.goalVisitors ?? 0 };
  return { rank: row.visitors < RANKED_VISITORS_MIN ? 1 : 0, value: row.goalRate ?? 0 };
}

function weighChange(
  by: Exclude<RankedSort, 'goalVisitors' | 'goalRate'>,
  now: Figures,
  before: Figures,
): Weight {
  const [metric, kind] = by.split('.') as [Metric, 'change' | 'percent']; // as CHANGE_SORTS has them
  const difference = now[metric] - before[metric];
  if (kind === 'change') return { rank: 0, value: difference };
  const isFew = Math.max(now.visitors, before.visitors) < RANKED_VISITORS_MIN;
  const percent = changeOf(now[metric], before[metric]);
  return { rank: isFew ? 2 : percent === null ? 1 : 0, value: percent ?? difference };
}
