import { Elysia, t } from 'elysia';
import type { Analytics } from '../../analytics/analytics.ts';
import { Funnel, FunnelQuery } from '../../contract/metrics/funnel.ts';
import { LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { DASHBOARD_LIMIT_DEFAULT } from '../../vocabulary/contract.ts';
import { WebsiteId } from '../../websites/own-website.ts';
import { NO_FIGURES, toPoints, toRange } from '../answers/wire.ts';
import type { Table } from '../files/format.ts';
import { readPage } from '../question/breakdown-parameters.ts';
import { type AskedFunnel, readFunnel } from '../question/funnel.ts';
import { openQuestion } from '../question/open-question.ts';
import { askOwnWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport } from '../routes/report.ts';

export async function answerFunnel(
  analytics: Analytics,
  { asked, by, order, window, request }: AskedFunnel,
  limit: number,
): Promise<Funnel> {
  const { reached, next, points, groups } = await analytics.funnel(request);
  const [entered = 0] = reached;
  const rateOf = (count: number, of: number) => (of === 0 ? 0 : count / of);
  const times =
    'series' in asked
      ? toPoints(
          asked,
          asked.series,
          (points ?? []).map(() => NO_FIGURES),
        )
      : [];
  return {
    range: toRange(asked.range),
    by,
    order,
    window: window ?? null,
    steps: reached.map((count, step) => ({
      reached: count,
      rate: rateOf(count, entered),
      stepRate: step === 0 ? rateOf(entered, entered) : rateOf(count, reached[step - 1] ?? 0),
      droppedOff: step === reached.length - 1 ? 0 : count - (reached[step + 1] ?? 0),
      next: next[step] ?? [],
    })),
    ...(points && {
      points: times.map(({ time, local, incomplete }, index) => ({
        time,
        local,
        incomplete,
        reached: points[index] ?? [],
      })),
    }),
    ...(groups && {
      groups: groups
        .slice(0, limit)
        .map((group) => ({ ...group, rate: rateOf(group.reached.at(-1) ?? 0, group.reached[0] ?? 0) })),
      groupTotal: groups.length,
    }),
  };
}

/** Builds a row for each step; points and groups are in JSON only. */
function funnelTable(name: string, { steps }: Funnel): Table {
  return {
    name,
    columns: ['step', 'reached', 'rate', 'stepRate', 'droppedOff', 'next'],
    rows: steps.map((step, index) => ({ step: index + 1, ...step })),
  };
}

/** Answers how far visitors get. For the owner only: small numbers could single out a visitor. */
export function funnelRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats/funnel' }).use(askOwnWebsite(deps)).get(
    '',
    async (context) =>
      answerReport(context, await openQuestion(deps, context), {
        name: 'funnel',
        read: (question) => ({
          funnel: readFunnel(question),
          limit: readPage(question.parameters, LIST_LIMIT_MAX, DASHBOARD_LIMIT_DEFAULT).limit,
        }),
        answer: (analytics, { funnel, limit }) => answerFunnel(analytics, funnel, limit),
        toTable: funnelTable,
      }),
    {
      params: WebsiteId,
      query: t.NoValidate(FunnelQuery),
      response: { 200: Funnel, ...REFUSALS },
      detail: describe(
        'getFunnel',
        'How far visitors get through some steps',
        'Steps count in their order; each is an event after that of the step before. traffic is people or bots.',
        'owner',
      ),
    },
  );
}
