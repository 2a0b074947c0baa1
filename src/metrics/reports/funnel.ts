import { Elysia, t } from 'elysia';
import { WebsiteId } from '../../access/website-guard.ts';
import type { Analytics } from '../../analytics/analytics.ts';
import { countedByField, ResolvedRange } from '../../contract/metrics/figures.ts';
import { formatField, pageFields, rangeFields, selectionFields } from '../../contract/metrics/query.ts';
import { choice, count, instant, integer } from '../../contract/types.ts';
import { FUNNEL_STEPS_MAX, LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import {
  DASHBOARD_LIMIT_DEFAULT,
  FUNNEL_ORDERS,
  FUNNEL_STEPS_LENGTH_MAX,
  FUNNEL_UNITS,
  FUNNEL_WINDOW_DAYS_MAX,
  INTERVALS,
} from '../../vocabulary/contract.ts';
import { NO_FIGURES, toPoints, toRange } from '../answers/wire.ts';
import type { Table } from '../files/format.ts';
import { type AskedFunnel, readFunnel } from '../question/funnel.ts';
import { openQuestion, type Question } from '../question/open-question.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport, readWholePage } from '../routes/report.ts';

/** GET …/stats/funnel */
const FunnelQuery = t.Object(
  {
    steps: t.String({
      maxLength: FUNNEL_STEPS_LENGTH_MAX,
      description: `Required. A JSON list of 2 to ${FUNNEL_STEPS_MAX} steps, each a condition as in filters: a goal, a page, a union with "or".`,
      examples: ['[["is","page",["/pricing"]],["is","event",["signup"]]]'],
    }),
    by: t.Optional(
      choice(FUNNEL_UNITS, {
        description: 'Default: visitor. visit: all steps in one visit. visitor: in any of theirs.',
      }),
    ),
    order: t.Optional(
      choice(FUNNEL_ORDERS, {
        description: 'Default: loose. strict: between one step and the next there are clicks alone.',
      }),
    ),
    window: t.Optional(
      t.String({
        pattern: '^(|[1-9][0-9]{0,4}[mhd])$',
        description: `How long after the first step the others count: minutes, hours or days such as 30m, 12h, 7d; at most ${FUNNEL_WINDOW_DAYS_MAX}d. Default: within the range.`,
        examples: ['7d'],
      }),
    ),
    interval: t.Optional(
      choice(INTERVALS, { description: 'Adds points: who entered in each, and how far they got.' }),
    ),
    dimension: t.Optional(
      t.String({
        description: 'Adds groups: by the value of the event by which they entered, or of its visit.',
        examples: ['source'],
      }),
    ),
    limit: pageFields(DASHBOARD_LIMIT_DEFAULT, LIST_LIMIT_MAX).limit,
    ...rangeFields,
    ...selectionFields,
    ...formatField,
  },
  { additionalProperties: true },
);

const rate = (description: string) => t.Number({ minimum: 0, maximum: 1, description });
const reached = t.Array(integer({ minimum: 0 }), { description: 'For each step, how many reached it.' });

export const Funnel = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    by: choice(FUNNEL_UNITS, { description: 'What is counted.' }),
    order: choice(FUNNEL_ORDERS, { description: 'What may lie between the steps.' }),
    window: t.Union([t.String(), t.Null()], { description: 'As asked for.' }),
    steps: t.Array(
      t.Object(
        {
          reached: count('How many reached this step, each after the one before.'),
          rate: rate('Of those who reached the first step.'),
          stepRate: rate('Of those who reached the step before; of the first 1.'),
          droppedOff: count('How many of them got no further; of the last 0.'),
          next: t.Array(
            t.Object({
              value: t.Union([t.String(), t.Null()], { description: 'A page; null: none, the visit ended.' }),
              count: count('How many.'),
            }),
            { description: 'Where those went in the same visit who got no further: the pages of most.' },
          ),
        },
        { title: 'FunnelStep', description: 'How many got to a step.' },
      ),
      { description: 'In their order.' },
    ),
    points: t.Optional(
      t.Array(
        t.Object({
          time: instant('Where the point begins, UTC.'),
          local: t.String({ description: 'The same with the offset of the time zone.' }),
          incomplete: t.Boolean({ description: 'The range or the present cuts the point.' }),
          reached,
        }),
        { description: 'Present with interval: by when they entered.' },
      ),
    ),
    groups: t.Optional(
      t.Array(
        t.Object({
          value: t.Union([t.String(), t.Null()], { description: 'null: no such value.' }),
          reached,
          rate: rate('The last step ÷ the first.'),
        }),
        { description: 'Present with dimension: those that most entered by.' },
      ),
    ),
    groupTotal: t.Optional(integer({ minimum: 0, description: 'How many groups there are.' })),
  },
  { description: 'How far visitors, or visits, got.' },
);
export type Funnel = typeof Funnel.static;

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

/** Builds a row for each group or point that was asked for, or else for each step. */
function funnelTable(name: string, { steps, groups, points }: Funnel): Table {
  const stepNames = steps.map((_, index) => `step${index + 1}`);
  const toSteps = (reached: readonly number[]) =>
    Object.fromEntries(stepNames.map((each, index) => [each, reached[index]]));
  if (groups)
    return {
      name,
      columns: ['value', 'rate', ...stepNames],
      rows: groups.map(({ value, rate, reached }) => ({ value, rate, ...toSteps(reached) })),
    };
  if (points)
    return {
      name,
      columns: ['time', 'local', 'incomplete', ...stepNames],
      rows: points.map(({ reached, ...point }) => ({ ...point, ...toSteps(reached) })),
    };
  return {
    name,
    columns: ['step', 'reached', 'rate', 'stepRate', 'droppedOff', 'next'],
    rows: steps.map((step, index) => ({ step: index + 1, ...step })),
  };
}

/** Reads how many groups to return. A file without a limit has all of them, which the engine answers with. */
function readGroupLimit({ parameters }: Question): number {
  const { limit, isWhole } = readWholePage(parameters, LIST_LIMIT_MAX, DASHBOARD_LIMIT_DEFAULT);
  return isWhole ? Number.POSITIVE_INFINITY : limit;
}

/** Answers how far visitors get. For the owner only: small numbers could single out a visitor. */
export function funnelRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats/funnel' }).use(askWebsite(deps)).get(
    '',
    async (context) =>
      answerReport(context, await openQuestion(deps, context), {
        name: 'funnel',
        read: (question) => ({ funnel: readFunnel(question), limit: readGroupLimit(question) }),
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
      ),
    },
  );
}
