import type { Analytics, ConditionsAnswer, Selection } from '../../analytics/analytics.ts';
import type { Goal } from '../../contract/goal.ts';
import type { GoalStats } from '../../contract/metrics-goals.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { toAmount, toMinor } from '../../money.ts';
import type { Asked } from '../question/selection.ts';
import { toConversions } from './conversions.ts';
import { changeOf, NO_FIGURES, toComparison, toRange } from './wire.ts';

type Row = GoalStats['goals'][number];
type GoalRow = Omit<Row, 'comparison'>;

/** How often each goal was reached, from one pass; the earlier range takes a second one. */
export async function answerGoals(
  analytics: Analytics,
  { range, selection, compared }: Asked,
  goals: readonly CountedGoal[],
): Promise<GoalStats> {
  const conditions = goals.map(({ condition }) => condition);
  const ask = (selected: Selection) => analytics.conditions({ ...selected, conditions });
  const [now, before] = await Promise.all([ask(selection), compared && ask(compared.selection)]);
  const earlier = before && toRows(goals, before);
  const rows = toRows(goals, now).map((row, index) => compare(row, earlier?.[index]));
  return {
    range: toRange(range),
    visitors: now.totals.visitors,
    goals: rows.toSorted((a, b) => b.converters - a.converters),
    ...(compared &&
      before && { comparison: { ...toComparison(compared), visitors: before.totals.visitors } }),
  };
}

function toRows(goals: readonly CountedGoal[], { totals, rows }: ConditionsAnswer): GoalRow[] {
  return goals.map(({ goal }, index) => {
    const { id, name, type } = goal;
    const conversions = toConversions(totals.visitors, rows[index] ?? NO_FIGURES);
    return { id, name, type, ...conversions, value: toWorth(goal, conversions.conversions) };
  });
}

/** In whole minor units, however many there are. */
function toWorth({ value }: Goal, conversions: number): GoalRow['value'] {
  if (!value) return null;
  const { amount, currency } = value;
  const minor = BigInt(toMinor(amount, currency) ?? 0) * BigInt(conversions);
  return { amount: toAmount(minor, currency), currency };
}

function compare(row: GoalRow, earlier: GoalRow | undefined): Row {
  if (!earlier) return row;
  const { conversions, converters, conversionRate, value } = earlier;
  const change = {
    conversions: changeOf(row.conversions, conversions),
    converters: changeOf(row.converters, converters),
    conversionRate: changeOf(row.conversionRate, conversionRate),
  };
  return { ...row, comparison: { conversions, converters, conversionRate, value, change } };
}
