import { Elysia } from 'elysia';
import { sendAnswer } from '../http/send-answer.ts';
import { senderAddress } from '../http/sender-address.ts';
import { attributionRoutes } from './reports/attribution.ts';
import { changesRoutes } from './reports/changes.ts';
import { dashboardRoutes } from './reports/dashboard.ts';
import { erasureRoutes } from './reports/erasures.ts';
import { funnelRoutes } from './reports/funnel.ts';
import { goalStatsRoutes } from './reports/goals.ts';
import { importedRoutes } from './reports/imported.ts';
import { journeysRoutes } from './reports/journeys.ts';
import { overviewRoutes } from './reports/overview.ts';
import { pageRoutes } from './reports/pages.ts';
import { peopleRoutes } from './reports/people.ts';
import { profileRoutes } from './reports/profile.ts';
import { propertyRoutes } from './reports/properties.ts';
import { realtimeRoutes } from './reports/realtime.ts';
import { retentionRoutes } from './reports/retention.ts';
import { statsRoutes } from './reports/stats.ts';
import { visitsRoutes } from './reports/visits.ts';
import type { MetricsDeps } from './routes/deps.ts';
import { grantTime } from './routes/patience.ts';

/** Routes for every question to the analytics, under /api/v1. */
export function metricsRoutes(deps: MetricsDeps) {
  return new Elysia()
    .onTransform(grantTime)
    .use(senderAddress())
    .mapResponse(sendAnswer(deps.answerBudget))
    .use(profileRoutes(deps))
    .use(statsRoutes(deps))
    .use(goalStatsRoutes(deps))
    .use(funnelRoutes(deps))
    .use(retentionRoutes(deps))
    .use(journeysRoutes(deps))
    .use(attributionRoutes(deps))
    .use(dashboardRoutes(deps))
    .use(changesRoutes(deps))
    .use(importedRoutes(deps))
    .use(realtimeRoutes(deps))
    .use(propertyRoutes(deps))
    .use(peopleRoutes(deps))
    .use(visitsRoutes(deps))
    .use(erasureRoutes(deps))
    .use(pageRoutes(deps))
    .use(overviewRoutes(deps));
}
