import { Elysia } from 'elysia';
import type { Accounts } from '../accounts/service.ts';
import type { Websites } from '../websites/service.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { erasureRoutes } from './erasure-routes.ts';
import { overviewRoutes } from './overview-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { grantTime } from './patience.ts';
import { peopleRoutes } from './people-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { propertyRoutes } from './property-routes.ts';
import type { QuestionDeps } from './question.ts';
import type { QuestionTurns } from './question-turns.ts';
import { realtimeRoutes } from './realtime-routes.ts';
import { statsRoutes } from './stats-routes.ts';
import type { LiveStreams } from './streams.ts';

export type MetricsDeps = QuestionDeps & {
  accounts: Accounts;
  websites: Websites;
  turns: QuestionTurns;
  streams: LiveStreams;
};

/** Every question over the analytics, under /api/v1. */
export function metricsRoutes(deps: MetricsDeps) {
  return new Elysia()
    .onTransform(grantTime)
    .use(profileRoutes(deps))
    .use(statsRoutes(deps))
    .use(dashboardRoutes(deps))
    .use(realtimeRoutes(deps))
    .use(propertyRoutes(deps))
    .use(peopleRoutes(deps))
    .use(erasureRoutes(deps))
    .use(pageRoutes(deps))
    .use(overviewRoutes(deps));
}
