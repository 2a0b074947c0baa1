import { Elysia, t } from 'elysia';
import { WebsiteId } from '../../access/website-guard.ts';
import type { Analytics, RetentionRequest } from '../../analytics/analytics.ts';
import type { Filter } from '../../analytics/interface/selection.ts';
import { countedByField, ResolvedRange } from '../../contract/metrics/figures.ts';
import { formatField, rangeFields, selectionFields } from '../../contract/metrics/query.ts';
import { choice, instant, integer } from '../../contract/types.ts';
import { RETENTION_INTERVALS, RETENTION_POINTS_MAX } from '../../vocabulary/contract.ts';
import { NO_FIGURES, toPoints, toRange } from '../answers/wire.ts';
import type { Table } from '../files/format.ts';
import { openQuestion, type Question } from '../question/open-question.ts';
import type { Asked, AskedTimeseries } from '../question/selection.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport } from '../routes/report.ts';
import { toSeries } from '../time/range.ts';

/** GET …/stats/retention */
const RetentionQuery = t.Object(
  {
    interval: t.Optional(
      choice(RETENTION_INTERVALS, {
        description: `Default: week. At most ${RETENTION_POINTS_MAX} of them in the range.`,
      }),
    ),
    ...rangeFields,
    ...selectionFields,
    ...formatField,
  },
  { additionalProperties: true },
);

export const Retention = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    interval: choice(RETENTION_INTERVALS, { description: 'The length of a point.' }),
    cohorts: t.Array(
      t.Object(
        {
          time: instant('Where the point begins, UTC.'),
          local: t.String({ description: 'The same with the offset of the time zone.' }),
          visitors: integer({
            minimum: 0,
            description: 'Who was there for the first time ever in this point, with a matching event in it.',
          }),
          returned: t.Array(integer({ minimum: 0 }), {
            description: 'How many of them have a matching event in this point, in the next one, and so on.',
          }),
          rates: t.Array(t.Number({ minimum: 0, maximum: 1 }), { description: 'returned ÷ visitors.' }),
          incomplete: t.Boolean({ description: 'The range or the present cuts the point.' }),
        },
        { title: 'Cohort', description: 'New visitors and whether they came again.' },
      ),
      { description: 'One for each point of the range.' },
    ),
    means: t.Array(t.Union([t.Number({ minimum: 0, maximum: 1 }), t.Null()]), {
      description:
        'Of all cohorts together that are this many points old, the part that came again in it. Points that are cut do not count; null when all are.',
    }),
  },
  { description: 'Who came again.' },
);
export type Retention = typeof Retention.static;

type AskedRetention = {
  asked: Asked & Pick<AskedTimeseries, 'series'>;
  interval: (typeof RETENTION_INTERVALS)[number];
  request: RetentionRequest;
};

/** Reads the parameters. Faults are added to them. */
function readRetention({ parameters, asked, subject }: Question): AskedRetention {
  const interval = parameters.choice('interval', RETENTION_INTERVALS) ?? 'week';
  const found = toSeries(asked.range, interval);
  const series = typeof found === 'string' ? { interval, bounds: [] } : found;
  if (typeof found === 'string' || series.bounds.length > RETENTION_POINTS_MAX + 1)
    parameters.fault(
      'interval',
      `There are more than ${RETENTION_POINTS_MAX} points: choose a longer interval`,
    );
  const { traffic = 'people', ...selection } = asked.selection;
  // Visits of people and of bots have no common order.
  if (traffic === 'all') parameters.fault('traffic', 'Must be people or bots');
  const request = {
    ...selection,
    ...(subject.website.hasAnonymous && { filter: ofLastingVisitors(selection.filter) }),
    traffic: traffic === 'bots' ? ('bots' as const) : ('people' as const),
    // A visitor seen before the range is not new in it, even when it begins within a bucket.
    bounds: series.bounds.map((boundMs) => Math.max(boundMs, selection.fromMs)),
  };
  return { asked: { ...asked, series }, interval, request };
}

/** Visitors who are counted by day cannot return. */
function ofLastingVisitors(filter: Filter | undefined): Filter {
  const isLasting: Filter = { op: 'match', dimension: 'countedBy', operator: 'is', values: ['browser'] };
  return filter ? { op: 'and', filters: [isLasting, filter] } : isLasting;
}

export async function answerRetention(
  analytics: Analytics,
  { asked, interval, request }: AskedRetention,
): Promise<Retention> {
  const { cohorts } = await analytics.retention(request);
  const points = toPoints(
    asked,
    asked.series,
    cohorts.map(() => NO_FIGURES),
  );
  return {
    range: toRange(asked.range),
    interval,
    means: toMeans(cohorts, points),
    cohorts: points.map(({ time, local, incomplete }, index) => {
      const returned = cohorts[index] ?? [];
      const [visitors = 0] = returned;
      const rates = returned.map((count) => (visitors === 0 ? 0 : count / visitors));
      return { time, local, visitors, returned, rates, incomplete };
    }),
  };
}

/** Part of the visitors of all cohorts that returned so many buckets later, of buckets that are whole. */
function toMeans(
  cohorts: readonly (readonly number[])[],
  points: readonly { incomplete: boolean }[],
): (number | null)[] {
  return points.map((_, after) => {
    const whole = cohorts.filter((_, index) => points[index + after]?.incomplete === false);
    const visitors = whole.reduce((sum, [first = 0]) => sum + first, 0);
    const returned = whole.reduce((sum, cohort) => sum + (cohort[after] ?? 0), 0);
    return visitors === 0 ? null : returned / visitors;
  });
}

/** Builds a row for each cohort and point. */
function retentionTable(name: string, { cohorts }: Retention): Table {
  return {
    name,
    columns: ['time', 'local', 'visitors', 'after', 'returned', 'rate'],
    rows: cohorts.flatMap(({ returned, rates, time, local, visitors }) =>
      returned.map((count, after) => ({ time, local, visitors, after, returned: count, rate: rates[after] })),
    ),
  };
}

/** Answers how many visitors return. For the owner only: small numbers could single out a visitor. */
export function retentionRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats/retention' }).use(askWebsite(deps)).get(
    '',
    async (context) =>
      answerReport(context, await openQuestion(deps, context), {
        name: 'retention',
        read: readRetention,
        answer: answerRetention,
        toTable: retentionTable,
        followsVisitors: true,
      }),
    {
      params: WebsiteId,
      query: t.NoValidate(RetentionQuery),
      response: { 200: Retention, ...REFUSALS },
      detail: describe(
        'getRetention',
        'Who came again',
        'By day, week or month of the first visit ever, also of one before the range. traffic is people or bots.',
      ),
    },
  );
}
