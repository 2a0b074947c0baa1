import { Elysia } from 'elysia';
import { sendAnswer } from '../http/send-answer.ts';
import { senderAddress } from '../http/sender-address.ts';
import { attributionRoutes } from './routes/attribution-routes.ts';
import { dashboardRoutes } from './routes/dashboard-routes.ts';
import type { MetricsDeps } from './routes/deps.ts';
import { erasureRoutes } from './routes/erasure-routes.ts';
import { funnelRoutes } from './routes/funnel-routes.ts';
import { goalStatsRoutes } from './routes/goal-stats-routes.ts';
import { journeysRoutes } from './routes/journeys-routes.ts';
import { overviewRoutes } from './routes/overview-routes.ts';
import { pageRoutes } from './routes/page-routes.ts';
import { grantTime } from './routes/patience.ts';
import { peopleRoutes } from './routes/people-routes.ts';
import { profileRoutes } from './routes/profile-routes.ts';
import { propertyRoutes } from './routes/property-routes.ts';
import { realtimeRoutes } from './routes/realtime-routes.ts';
import { retentionRoutes } from './routes/retention-routes.ts';
import { statsRoutes } from './routes/stats-routes.ts';

/** Every question over the analytics, under /api/v1. */
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
    .use(realtimeRoutes(deps))
    .use(propertyRoutes(deps))
    .use(peopleRoutes(deps))
    .use(erasureRoutes(deps))
    .use(pageRoutes(deps))
    .use(overviewRoutes(deps));
}
