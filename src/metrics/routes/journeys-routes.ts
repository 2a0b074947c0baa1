import { Elysia, t } from 'elysia';
import { Journeys, JourneysQuery } from '../../contract/metrics-journeys.ts';
import { WebsiteId } from '../../websites/own-website.ts';
import { answerJourneys } from '../answers/journeys.ts';
import { journeysTable } from '../files/list-tables.ts';
import { readJourneys } from '../question/journeys.ts';
import { openQuestion } from '../question/open-question.ts';
import { askOwnWebsite } from './access.ts';
import type { MetricsDeps } from './deps.ts';
import { describe, REFUSALS } from './documented.ts';
import { answerReport } from './report.ts';

/** How visits move. For the owner alone: small numbers could single somebody out. */
export function journeysRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats/journeys' }).use(askOwnWebsite(deps)).get(
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
        'Five steps of pages and custom events, as a tree. What equals the step before it is no step.',
        'owner',
      ),
    },
  );
}
