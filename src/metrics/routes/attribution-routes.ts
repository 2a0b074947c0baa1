import { Elysia, t } from 'elysia';
import { Attribution, AttributionQuery } from '../../contract/metrics-attribution.ts';
import { WebsiteId } from '../../websites/own-website.ts';
import { answerAttribution } from '../answers/attribution.ts';
import { attributionTable } from '../files/list-tables.ts';
import { readAttribution } from '../question/attribution.ts';
import { openQuestion } from '../question/open-question.ts';
import { askOwnWebsite } from './access.ts';
import type { MetricsDeps } from './deps.ts';
import { describe, REFUSALS } from './documented.ts';
import { answerReport } from './report.ts';

/** Which visits led to conversions. For the owner alone: small numbers could single somebody out. */
export function attributionRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats/attribution' }).use(askOwnWebsite(deps)).get(
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
        'owner',
      ),
    },
  );
}
