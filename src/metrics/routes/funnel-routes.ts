import { Elysia, t } from 'elysia';
import { Funnel, FunnelQuery } from '../../contract/metrics-funnel.ts';
import { LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { DASHBOARD_LIMIT_DEFAULT } from '../../vocabulary/contract.ts';
import { WebsiteId } from '../../websites/own-website.ts';
import { answerFunnel } from '../answers/funnel.ts';
import { funnelTable } from '../files/list-tables.ts';
import { readPage } from '../question/breakdown-parameters.ts';
import { readFunnel } from '../question/funnel.ts';
import { openQuestion } from '../question/open-question.ts';
import { askOwnWebsite } from './access.ts';
import type { MetricsDeps } from './deps.ts';
import { describe, REFUSALS } from './documented.ts';
import { answerReport } from './report.ts';

/** How far visitors get. For the owner alone: small numbers could single somebody out. */
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
