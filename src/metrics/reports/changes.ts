import { Elysia, t } from 'elysia';
import { WebsiteId } from '../../access/website-guard.ts';
import { ResolvedRange, untilField } from '../../contract/metrics/figures.ts';
import {
  comparisonField,
  formatField,
  goalField,
  rangeFields,
  selectionFields,
} from '../../contract/metrics/query.ts';
import { choice, integer } from '../../contract/types.ts';
import { isCampaignDimension } from '../../vocabulary/analytics.ts';
import { COMPARISONS } from '../../vocabulary/contract.ts';
import { validationError } from '../../vocabulary/errors.ts';
import { type Finding, findChanges } from '../answers/changes.ts';
import { toComparison, toRange } from '../answers/wire.ts';
import type { Table } from '../files/format.ts';
import { readGoal } from '../question/goal-parameters.ts';
import { openQuestion, type Question } from '../question/open-question.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport } from '../routes/report.ts';

/** GET …/stats/changes */
const ChangesQuery = t.Object(
  {
    ...rangeFields,
    ...comparisonField,
    compare: choice(COMPARISONS, { description: 'Required. The earlier range.', examples: ['previous'] }),
    ...selectionFields,
    ...goalField,
    ...formatField,
  },
  { additionalProperties: true },
);

const figure = (description: string) => t.Number({ minimum: 0, description });
const counts = (of: string) =>
  t.Object({
    visitors: integer({ minimum: 0, description: `Visitors of ${of}.` }),
    converters: integer({ minimum: 0, description: 'Those who reached the goal; 0 without one.' }),
  });

const FindingRow = t.Object(
  {
    kind: choice(['visitors', 'goalRate', 'new', 'gone'], {
      description:
        'visitors: the row that contributes most to the change of the visitors. goalRate: the same for the rate of the goal. new, gone: the largest row that only one of the ranges has.',
    }),
    dimension: t.String({ description: 'What the row is a value of.', examples: ['source'] }),
    value: t.Union([t.String(), t.Null()], { description: 'The value; null: absent.' }),
    now: figure('Its visitors, or its rate, in the range.'),
    before: figure('The same in the earlier range.'),
    change: t.Union([t.Number(), t.Null()], {
      description: 'In percent; null when the earlier figure was 0.',
    }),
    contribution: t.Union([t.Number(), t.Null()], {
      description: 'Part of the change of all that is its; null when all together did not change.',
    }),
    filter: t.Array(t.Unknown(), {
      description: 'The condition that selects the row, as `filters` takes it.',
      examples: [['is', 'source', ['newsletter']]],
    }),
  },
  { title: 'Finding', description: 'A row that changed, and how to select it.' },
);

export const Changes = t.Object(
  {
    range: ResolvedRange,
    comparison: t.Object(
      { range: ResolvedRange, ...untilField, ...counts('the earlier range').properties },
      { description: 'The earlier range and its figures.' },
    ),
    ...counts('the range').properties,
    changes: t.Array(FindingRow, { description: 'At most three. Changes that may be chance are left out.' }),
  },
  { description: 'What changed since an earlier range.' },
);
export type Changes = typeof Changes.static;

/** Answers what changed, so that pages, mails and assistants say the same. */
export function changesRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats/changes' }).use(askWebsite(deps)).get(
    '',
    async (context) =>
      answerReport(context, await openQuestion(deps, context), {
        name: 'changes',
        read: readChanges,
        async answer(analytics, { asked, compared, goal }): Promise<Changes> {
          const selections = { now: asked.selection, before: compared.selection };
          const hidesCampaigns = context.access.hides.includes('campaigns');
          const isHidden = (name: string) => hidesCampaigns && isCampaignDimension(name);
          const { totals, findings } = await findChanges(analytics, selections, goal, isHidden);
          return {
            range: toRange(asked.range),
            comparison: { ...toComparison(compared), ...totals.before },
            ...totals.now,
            changes: findings.map((finding) => ({ ...finding, filter: toFilter(finding) })),
          };
        },
        toTable: changesTable,
      }),
    {
      params: WebsiteId,
      query: t.NoValidate(ChangesQuery),
      response: { 200: Changes, ...REFUSALS },
      detail: describe(
        'getChanges',
        'What changed since an earlier range',
        'Up to three findings, each a row and a filter; `compare` is required. The rule is under Changes in the definitions.',
      ),
    },
  );
}

function readChanges({ parameters, asked, subject }: Question) {
  const { compared } = asked;
  const goal = readGoal(parameters, subject);
  if (!compared) {
    parameters.finish(); // a fault of the range explains why there is no earlier one
    throw validationError('Invalid query parameters', { compare: ['Required, and a period other than all'] });
  }
  return { asked, compared, goal };
}

function toFilter({ dimension, value }: Finding): unknown[] {
  return ['is', dimension, [value ?? '']];
}

function changesTable(name: string, { changes }: Changes): Table {
  const columns = ['kind', 'dimension', 'value', 'now', 'before', 'change', 'contribution', 'filter'];
  return { name, columns, rows: changes };
}
