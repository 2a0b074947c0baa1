import { Elysia, t } from 'elysia';
import { Retention, RetentionQuery } from '../../contract/metrics-retention.ts';
import { WebsiteId } from '../../websites/own-website.ts';
import { answerRetention } from '../answers/retention.ts';
import { retentionTable } from '../files/list-tables.ts';
import { openQuestion } from '../question/open-question.ts';
import { readRetention } from '../question/retention.ts';
import { askOwnWebsite } from './access.ts';
import type { MetricsDeps } from './deps.ts';
import { describe, REFUSALS } from './documented.ts';
import { answerReport } from './report.ts';

/** Who came again. For the owner alone: small numbers could single somebody out. */
export function retentionRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats/retention' }).use(askOwnWebsite(deps)).get(
    '',
    async (context) =>
      answerReport(context, await openQuestion(deps, context), {
        name: 'retention',
        read: readRetention,
        answer: answerRetention,
        toTable: retentionTable,
      }),
    {
      params: WebsiteId,
      query: t.NoValidate(RetentionQuery),
      response: { 200: Retention, ...REFUSALS },
      detail: describe(
        'getRetention',
        'Who came again',
        'By day, week or month of the first visit ever, also of one before the range. traffic is people or bots.',
        'owner',
      ),
    },
  );
}
