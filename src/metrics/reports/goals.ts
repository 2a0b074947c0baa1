import { Elysia, t } from 'elysia';
import { WebsiteId } from '../../access/website-guard.ts';
import type { Analytics } from '../../analytics/analytics.ts';
import type { ConditionsAnswer } from '../../analytics/interface/query.ts';
import type { Selection } from '../../analytics/interface/selection.ts';
import type { Goal } from '../../contract/goal.ts';
import type { BreakdownRow } from '../../contract/metrics/figures.ts';
import { GoalStats, GoalStatsQuery } from '../../contract/metrics/goals.ts';
import type { Breakdown, Values } from '../../contract/metrics/stats.ts';
import type { CountedGoal } from '../../goals/service.ts';
import type { Metric } from '../../vocabulary/analytics.ts';
import { toAmount, toMinor } from '../../vocabulary/money.ts';
import { type GoalFigures, toConversions } from '../answers/conversions.ts';
import { findRevenue, toRevenueList } from '../answers/revenue.ts';
import { changeOf, NO_FIGURES, toChange, toComparison, toRange } from '../answers/wire.ts';
import { goalsTable } from '../files/tables.ts';
import type { Sort } from '../question/breakdown-parameters.ts';
import { openQuestion } from '../question/open-question.ts';
import type { Asked } from '../question/selection.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport } from '../routes/report.ts';

type Row = GoalStats['goals'][number];
type GoalRow = Omit<Row, 'comparison' | 'revenue'>;

/** Answers how often each goal was reached, from one pass; an earlier range takes a second pass. */
async function answerGoals(
  analytics: Analytics,
  { range, selection, compared }: Asked,
  goals: readonly CountedGoal[],
  /** Whether to include revenue and values. */
  withMoney: boolean,
): Promise<GoalStats> {
  const conditions = goals.map(({ condition }) => condition);
  const ask = (selected: Selection) => analytics.conditions({ ...selected, conditions });
  const [now, before, money, moneyBefore] = await Promise.all([
    ask(selection),
    compared && ask(compared.selection),
    withMoney ? analytics.revenue({ ...selection, conditions }) : undefined,
    withMoney && compared ? findRevenue(analytics, compared.selection) : undefined,
  ]);
  const earlier = before && toRows(goals, before, withMoney);
  const rows = toRows(goals, now, withMoney).map((row, index) => ({
    ...compare(row, earlier?.[index]),
    ...(money && { revenue: toRevenueList(money.conditions?.[index] ?? []) }),
  }));
  return {
    range: toRange(range),
    visitors: now.totals.visitors,
    ...(money && { revenue: toRevenueList(money.revenue) }),
    goals: rows.toSorted((a, b) => b.converters - a.converters),
    ...(compared &&
      before && {
        comparison: {
          ...toComparison(compared),
          visitors: before.totals.visitors,
          ...(moneyBefore && { revenue: moneyBefore }),
        },
      }),
  };
}

function toRows(
  goals: readonly CountedGoal[],
  { totals, rows }: ConditionsAnswer,
  withMoney: boolean,
): GoalRow[] {
  return goals.map(({ goal }, index) => {
    const { id, name, type } = goal;
    const conversions = toConversions(totals.visitors, rows[index] ?? NO_FIGURES);
    const value = withMoney ? toWorth(goal, conversions.conversions) : null;
    return { id, name, type, ...conversions, value };
  });
}

/** Returns whole minor units, of any size. */
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

type ListRequest = { search?: string; sort?: Sort<Metric>; limit: number; offset: number };

/** Breaks down by goal: a row has the figures of the events that reach it. */
export async function answerGoalBreakdown(
  analytics: Analytics,
  { range, selection, compared, withRevenue }: Asked,
  goals: readonly CountedGoal[],
  { search = '', sort = { by: 'visitors', descending: true }, limit, offset }: ListRequest,
): Promise<Breakdown> {
  const wanted = goals.filter(({ goal }) => goal.name.toLowerCase().includes(search.toLowerCase()));
  const conditions = wanted.map(({ condition }) => condition);
  const ask = (selected: Selection) => analytics.conditions({ ...selected, conditions });
  const [now, before, money] = await Promise.all([
    ask(selection),
    compared && ask(compared.selection),
    withRevenue ? analytics.revenue({ ...selection, conditions }) : undefined,
  ]);
  const found = wanted.map(({ goal }, index): BreakdownRow => {
    const figures = toGoalFigures(now, index);
    const earlier = before && toGoalFigures(before, index);
    return {
      value: goal.name,
      ...figures,
      ...(money && { revenue: toRevenueList(money.conditions?.[index] ?? []) }),
      share: figures.conversionRate ?? 0,
      ...(earlier && { comparison: { ...earlier, change: toChange(figures, earlier) } }),
    };
  });
  const sign = sort.descending ? -1 : 1;
  const weigh = (row: BreakdownRow) => (sort.by === 'value' ? 0 : row[sort.by]);
  // Goals are ordered by name.
  const rows =
    sort.by === 'value'
      ? sort.descending
        ? found.toReversed()
        : found
      : found.toSorted((a, b) => sign * (weigh(a) - weigh(b)));
  return {
    range: toRange(range),
    dimension: 'goal',
    rows: rows.slice(offset, offset + limit),
    pagination: { total: rows.length, limit, offset },
    ...(compared && { comparison: toComparison(compared) }),
  };
}

function toGoalFigures({ totals, rows }: ConditionsAnswer, index: number): GoalFigures {
  const figures = rows[index] ?? NO_FIGURES;
  return { ...figures, ...toConversions(totals.visitors, figures) };
}

/** Lists the goals that were reached, most often first. */
export async function answerGoalValues(
  analytics: Analytics,
  asked: Asked,
  goals: readonly CountedGoal[],
  { search, limit }: { search?: string; limit: number },
): Promise<Values> {
  const sort = { by: 'events', descending: true } as const;
  const request = { sort, limit, offset: 0, ...(search !== undefined && { search }) };
  const { range, rows } = await answerGoalBreakdown(
    analytics,
    { ...asked, compared: undefined },
    goals,
    request,
  );
  const values = rows.flatMap(({ value, events }) => (value !== null && events > 0 ? { value, events } : []));
  return { range, dimension: 'goal', values };
}

/** Answers how often the goals of a website were reached. */
export function goalStatsRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats/goals' }).use(askWebsite(deps)).get(
    '',
    async (context) =>
      answerReport(context, await openQuestion(deps, context), {
        name: 'goals',
        read: ({ asked, subject }) => ({
          asked,
          goals: subject.goals.filter(({ goal }) => !goal.isArchived),
          withMoney: !subject.access.hides.includes('revenue'),
        }),
        answer: (analytics, { asked, goals, withMoney }) => answerGoals(analytics, asked, goals, withMoney),
        toTable: goalsTable,
      }),
    {
      params: WebsiteId,
      query: t.NoValidate(GoalStatsQuery),
      response: { 200: GoalStats, ...REFUSALS },
      detail: describe(
        'getGoalStats',
        'How often goals were reached',
        'Of the past as well, whenever they were added. The public sees the goals that have isPublic.',
      ),
    },
  );
}
