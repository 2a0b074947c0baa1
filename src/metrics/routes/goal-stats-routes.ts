import { Elysia, t } from 'elysia';
import { GoalStats, GoalStatsQuery } from '../../contract/metrics-goals.ts';
import { WebsiteId } from '../../websites/own-website.ts';
import { answerGoals } from '../answers/goals.ts';
import { goalsTable } from '../files/tables.ts';
import { openQuestion } from '../question/open-question.ts';
import { visibleWebsite } from './access.ts';
import type { MetricsDeps } from './deps.ts';
import { describe, REFUSALS } from './documented.ts';
import { answerReport } from './report.ts';

/** How often the goals of a website were reached. */
export function goalStatsRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats/goals' }).use(visibleWebsite(deps)).get(
    '',
    async (context) =>
      answerReport(context, await openQuestion(deps, context), {
        name: 'goals',
        read: ({ asked, subject }) => ({
          asked,
          goals: subject.goals.filter(({ goal }) => !goal.isArchived),
          isOwner: subject.isOwner,
        }),
        answer: (analytics, { asked, goals, isOwner }) => answerGoals(analytics, asked, goals, isOwner),
        toTable: goalsTable,
      }),
    {
      params: WebsiteId,
      query: t.NoValidate(GoalStatsQuery),
      response: { 200: GoalStats, ...REFUSALS },
      detail: describe(
        'getGoalStats',
        'How often goals were reached',
        'Of the past as well, whenever they were added. The public sees the goals that have isPublic.',
      ),
    },
  );
}
