import { Elysia } from 'elysia';
import type { Accounts } from '../accounts/service.ts';
import type { Websites } from '../websites/service.ts';
import type { QuestionDeps } from './question.ts';
import { statsRoutes } from './stats-routes.ts';

export type MetricsDeps = QuestionDeps & { accounts: Accounts; websites: Websites };

/** Every question over the analytics, under /api/v1. */
export function metricsRoutes(deps: MetricsDeps) {
  return new Elysia().use(statsRoutes(deps));
}
