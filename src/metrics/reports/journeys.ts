import { Elysia, t } from 'elysia';
import { WebsiteId } from '../../access/website-guard.ts';
import type { Analytics, JourneyBranch, JourneysRequest } from '../../analytics/analytics.ts';
import type { Filter } from '../../analytics/interface/selection.ts';
import { countedByField, ResolvedRange } from '../../contract/metrics/figures.ts';
import { formatField, rangeFields, selectionFields } from '../../contract/metrics/query.ts';
import { choice, count, integer } from '../../contract/types.ts';
import { JOURNEY_STEPS } from '../../vocabulary/analytics.ts';
import { FILTERS_LENGTH_MAX, JOURNEY_DIRECTIONS, JOURNEY_STOPS } from '../../vocabulary/contract.ts';
import { toRange } from '../answers/wire.ts';
import type { Table } from '../files/format.ts';
import { readFilters } from '../question/filters.ts';
import { openQuestion, type Question } from '../question/open-question.ts';
import type { Asked } from '../question/selection.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport } from '../routes/report.ts';

/** GET …/stats/journeys */
const JourneysQuery = t.Object(
  {
    direction: t.Optional(
      choice(JOURNEY_DIRECTIONS, {
        description: 'Default: from. from: how visits went on. to: how they came there, read backwards.',
      }),
    ),
    anchor: t.Optional(
      t.String({
        maxLength: FILTERS_LENGTH_MAX,
        description:
          'With which event journeys begin or end: a condition as in filters; of each visit, the first event that meets it. Default: with the visit itself.',
        examples: ['["is","page",["/pricing"]]', '["is","goal",["Purchase"]]'],
      }),
    ),
    ...rangeFields,
    ...selectionFields,
    ...formatField,
  },
  { additionalProperties: true },
);

const Branch = t.Object(
  {
    step: integer({
      minimum: 1,
      maximum: JOURNEY_STEPS,
      description: 'How many steps from where journeys begin or end.',
    }),
    parent: t.Union([integer({ minimum: 0 }), t.Null()], {
      description: 'The index in this list of the branch that it belongs to; null: of the first step.',
    }),
    stop: choice(JOURNEY_STOPS, {
      description:
        'A page, a custom event, or the others: all branches of one place that fewer than 0.1 % of the visits took.',
    }),
    value: t.Union([t.String(), t.Null()], { description: 'The page, or the name; null for other.' }),
    visits: count('How many visits took this way so far.'),
    rate: t.Number({ minimum: 0, maximum: 1, description: 'visits ÷ all visits of the journeys.' }),
    ended: t.Union([integer({ minimum: 0 }), t.Null()], {
      description: `How many of them went no further; null for other and for step ${JOURNEY_STEPS}.`,
    }),
  },
  { title: 'JourneyBranch', description: 'Where visits went next.' },
);

export const Journeys = t.Object(
  {
    range: ResolvedRange,
    ...countedByField,
    direction: choice(JOURNEY_DIRECTIONS, { description: 'As asked for.' }),
    visits: count('How many visits have such an event.'),
    ended: count('How many of them went nowhere, or came from nowhere.'),
    branches: t.Array(Branch, {
      description: 'Each before its own ones; of one place, those of most visits first, others last.',
    }),
  },
  { description: 'How visits went on, or came there.' },
);
export type Journeys = typeof Journeys.static;

type AskedJourneys = { asked: Asked; request: JourneysRequest };

/** Reads the parameters. Faults are added to them. */
function readJourneys(question: Question): AskedJourneys {
  const { parameters, asked } = question;
  const anchor = readAnchor(question);
  const direction = parameters.choice('direction', JOURNEY_DIRECTIONS) ?? 'from';
  return { asked, request: { ...asked.selection, direction, ...(anchor && { anchor }) } };
}

function readAnchor({ parameters, subject, asked }: Question): Filter | undefined {
  const text = parameters.text('anchor', FILTERS_LENGTH_MAX);
  if (text === undefined) return undefined;
  const read = readFilters(text, subject, asked.range.zone);
  if ('faults' in read) {
    parameters.fault('anchor', ...read.faults);
    return undefined;
  }
  const isNone = read.filter.op === 'and' && read.filter.filters.length === 0; // an empty list
  return isNone ? undefined : read.filter;
}

export async function answerJourneys(
  analytics: Analytics,
  { asked, request }: AskedJourneys,
): Promise<Journeys> {
  const answer = await analytics.journeys(request);
  const branches: Journeys['branches'] = [];
  const list = (of: readonly JourneyBranch[], step: number, parent: number | null): void => {
    for (const { stop, value, visits, branches: own } of of) {
      const goesOn = stop !== 'other' && step < JOURNEY_STEPS;
      const index = branches.push({
        step,
        parent,
        stop,
        value,
        visits,
        rate: visits / answer.visits,
        ended: goesOn ? visits - sumOf(own) : null,
      });
      list(own, step + 1, index - 1);
    }
  };
  list(answer.branches, 1, null);
  return {
    range: toRange(asked.range),
    direction: request.direction,
    visits: answer.visits,
    ended: answer.visits - sumOf(answer.branches),
    branches,
  };
}

function sumOf(branches: readonly JourneyBranch[]): number {
  return branches.reduce((sum, { visits }) => sum + visits, 0);
}

/** Builds a row for each branch, with the whole path to it. */
function journeysTable(name: string, { branches }: Journeys): Table {
  const paths: string[] = [];
  for (const { parent, value } of branches)
    paths.push([...(parent === null ? [] : [paths[parent]]), value ?? OTHER_BRANCH].join(' > '));
  return {
    name,
    columns: ['step', 'path', 'stop', 'value', 'visits', 'rate', 'ended'],
    rows: branches.map((branch, index) => ({ ...branch, path: paths[index] })),
  };
}

const OTHER_BRANCH = '(other)';

/** Answers how visits move. For the owner only: small numbers could single out a visitor. */
export function journeysRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats/journeys' }).use(askWebsite(deps)).get(
    '',
    async (context) =>
      answerReport(context, await openQuestion(deps, context), {
        name: 'journeys',
        read: readJourneys,
        answer: answerJourneys,
        toTable: journeysTable,
      }),
    {
      params: WebsiteId,
      query: t.NoValidate(JourneysQuery),
      response: { 200: Journeys, ...REFUSALS },
      detail: describe(
        'getJourneys',
        'How visits went on from a page or event, or came to it',
        'Five steps of pages and custom events, as a tree. A page or event that repeats the step before it is not a step.',
      ),
    },
  );
}
