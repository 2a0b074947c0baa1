import { Elysia, t } from 'elysia';
import { WebsiteId } from '../../access/website-guard.ts';
import type { Analytics, AttributedShare, AttributionRequest } from '../../analytics/analytics.ts';
import { countedByField, ResolvedRange } from '../../contract/metrics/figures.ts';
import { formatField, pageFields, rangeFields, selectionFields } from '../../contract/metrics/query.ts';
import { choice, integer } from '../../contract/types.ts';
import type { Parameters } from '../../http/parameters.ts';
import {
  ATTRIBUTED_VISITS_MAX,
  ATTRIBUTION_MODELS,
  CONVERSION_PARTS,
  LIST_LIMIT_MAX,
} from '../../vocabulary/analytics.ts';
import {
  ATTRIBUTION_DAYS_DEFAULT,
  ATTRIBUTION_DAYS_MAX,
  ATTRIBUTION_DIMENSIONS,
  type AttributionDimension,
  NAME_LENGTH_MAX,
  STATS_LIMIT_DEFAULT,
} from '../../vocabulary/contract.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import { toAmount } from '../../vocabulary/money.ts';
import { toRange } from '../answers/wire.ts';
import { Amount, type Table } from '../files/format.ts';
import { requireGoal } from '../question/goal-parameters.ts';
import { openQuestion, type Question } from '../question/open-question.ts';
import type { Asked } from '../question/selection.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport, readWholePage } from '../routes/report.ts';

/** GET …/stats/attribution */
const AttributionQuery = t.Object(
  {
    goal: t.String({
      maxLength: NAME_LENGTH_MAX,
      description: 'Required. A goal, by id or name.',
      examples: ['Purchase'],
    }),
    dimension: t.Optional(
      choice(ATTRIBUTION_DIMENSIONS, { description: 'What led there. Default: source.' }),
    ),
    lookback: t.Optional(
      t.String({
        pattern: '^(|[1-9][0-9]{0,2}d)$',
        description: `How many days before a conversion visits count: 1d to ${ATTRIBUTION_DAYS_MAX}d. Default: ${ATTRIBUTION_DAYS_DEFAULT}d.`,
        examples: ['90d'],
      }),
    ),
    limit: pageFields(STATS_LIMIT_DEFAULT, 1_000).limit,
    ...rangeFields,
    ...selectionFields,
    ...formatField,
  },
  { additionalProperties: true },
);

const share = (description: string) =>
  t.Object(
    {
      conversions: t.Number({
        minimum: 0,
        description: 'Conversions, in millionths: over all values they add up to all of them.',
      }),
      revenue: t.Array(
        t.Object({
          currency: t.String({ description: 'ISO 4217.', examples: ['EUR'] }),
          amount: t.String({ description: 'What they have brought, exact.', examples: ['19.90'] }),
        }),
        { description: 'One for each currency.' },
      ),
    },
    { description },
  );

export const Attribution = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    goal: t.String({ description: 'Its id.' }),
    dimension: choice(ATTRIBUTION_DIMENSIONS, { description: 'As asked for.' }),
    lookbackDays: integer({ minimum: 1, description: 'As asked for.' }),
    conversions: integer({ minimum: 0, description: 'All of them.' }),
    total: integer({ minimum: 0, description: 'How many values there are, beyond limit.' }),
    rows: t.Array(
      t.Object(
        {
          value: t.Union([t.String(), t.Null()], {
            description: 'null: no such value, as of a direct visit.',
          }),
          first: share('To the first of the visits before a conversion.'),
          last: share('To the visit of the conversion itself.'),
          linear: share(
            `To all of them alike, ${ATTRIBUTED_VISITS_MAX} at most; what cannot be shared goes to the first ones.`,
          ),
        },
        {
          title: 'AttributionRow',
          description: 'What a source, channel or campaign has of the conversions.',
        },
      ),
      { description: 'Those with most by linear first.' },
    ),
  },
  { description: 'Which visits led to conversions.' },
);
export type Attribution = typeof Attribution.static;

type AskedAttribution = {
  asked: Asked;
  goalId: string;
  dimension: AttributionDimension;
  lookbackDays: number;
  limit: number;
  request: AttributionRequest;
};

const LOOKBACK_LENGTH_MAX = 10;
const NEVER = { op: 'or', filters: [] } as const;

/** Reads the parameters. Faults are added to them. */
function readAttribution({ parameters, subject, asked }: Question): AskedAttribution {
  const goal = requireGoal(parameters, subject);
  const dimension = parameters.choice('dimension', ATTRIBUTION_DIMENSIONS) ?? 'source';
  const lookbackDays = readDays(parameters);
  const { limit, isWhole } = readWholePage(parameters, LIST_LIMIT_MAX);
  return {
    asked,
    goalId: goal?.goal.id ?? '',
    dimension,
    lookbackDays,
    limit: isWhole ? Number.POSITIVE_INFINITY : limit, // the engine answers with all rows
    request: {
      ...asked.selection,
      condition: goal?.condition ?? NEVER, // a fault was added
      dimension,
      lookbackMs: lookbackDays * DAY_MS,
    },
  };
}

function readDays(parameters: Parameters): number {
  const text = parameters.text('lookback', LOOKBACK_LENGTH_MAX);
  if (text === undefined) return ATTRIBUTION_DAYS_DEFAULT;
  const days = Number(/^([1-9]\d{0,2})d$/.exec(text)?.[1] ?? 0);
  if (days > 0 && days <= ATTRIBUTION_DAYS_MAX) return days;
  parameters.fault('lookback', `Must be such as 7d or 90d, at most ${ATTRIBUTION_DAYS_MAX}d`);
  return ATTRIBUTION_DAYS_DEFAULT;
}

export async function answerAttribution(
  analytics: Analytics,
  { asked, goalId, dimension, lookbackDays, limit, request }: AskedAttribution,
): Promise<Attribution> {
  const { conversions, rows } = await analytics.attribution(request);
  return {
    range: toRange(asked.range),
    goal: goalId,
    dimension,
    lookbackDays,
    conversions,
    total: rows.length,
    rows: rows.slice(0, limit).map(({ value, first, last, linear }) => ({
      value,
      first: toShare(first),
      last: toShare(last),
      linear: toShare(linear),
    })),
  };
}

function toShare({ millionths, revenue }: AttributedShare): Attribution['rows'][number]['first'] {
  return {
    conversions: millionths / CONVERSION_PARTS,
    revenue: revenue.map(({ currency, minor }) => ({ currency, amount: toAmount(minor, currency) })),
  };
}

/** Builds a row for each value, with three columns for each currency. */
function attributionTable(name: string, { rows }: Attribution): Table {
  const currencies = [
    ...new Set(rows.flatMap(({ last }) => last.revenue.map(({ currency }) => currency))),
  ].sort();
  const amountColumns = currencies.flatMap((currency) =>
    ATTRIBUTION_MODELS.map((model) => ({ model, currency, column: `${model}.${currency}` })),
  );
  return {
    name,
    columns: ['value', ...ATTRIBUTION_MODELS, ...amountColumns.map(({ column }) => column)],
    rows: rows.map(({ value, ...models }) => ({
      value,
      ...Object.fromEntries(ATTRIBUTION_MODELS.map((model) => [model, models[model].conversions])),
      ...Object.fromEntries(
        amountColumns.map(({ model, currency, column }) => {
          const money = models[model].revenue.find((revenue) => revenue.currency === currency);
          return [column, money ? new Amount(money.amount) : ''];
        }),
      ),
    })),
  };
}

/** Answers which visits led to conversions. For the owner only: small numbers could single out a visitor. */
export function attributionRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats/attribution' }).use(askWebsite(deps)).get(
    '',
    async (context) =>
      answerReport(context, await openQuestion(deps, context), {
        name: 'attribution',
        read: readAttribution,
        answer: answerAttribution,
        toTable: attributionTable,
      }),
    {
      params: WebsiteId,
      query: t.NoValidate(AttributionQuery),
      response: { 200: Attribution, ...REFUSALS },
      detail: describe(
        'getAttribution',
        'Which sources, channels or campaigns led to a goal',
        'By the first and the last visit before each conversion, and by all of them alike. Visits count whatever the filters say.',
      ),
    },
  );
}
