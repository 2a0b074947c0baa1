import { Elysia } from 'elysia';
import type { Db } from '../db/open.ts';
import { goalRoutes } from '../goals/routes.ts';
import { createGoals } from '../goals/service.ts';
import { annotationRoutes } from '../saved/annotation-routes.ts';
import { createAnnotations } from '../saved/annotations.ts';
import { savedFunnelRoutes } from '../saved/funnel-routes.ts';
import { createFunnels } from '../saved/funnels.ts';
import { segmentRoutes } from '../saved/segment-routes.ts';
import { createSegments } from '../saved/segments.ts';
import type { ListDeps } from '../websites/row-routes.ts';
import { findKnown, judgeSavedSegment, judgeSegment } from './question/known.ts';
import { judgeFunnel } from './question/saved-funnels.ts';
import { readBound } from './time/range.ts';
import { findZone } from './time/zone.ts';

export type Records = ReturnType<typeof createRecords>;

/** The records that belong to a website. Reports judge the filters, steps and instants that some of them hold. */
export function createRecords({ db, now }: { db: Db; now: () => number }) {
  const goals = createGoals({ db, now });
  const segments = createSegments({
    db,
    now,
    async openJudge(websiteKey) {
      const all = await goals.listCounted(websiteKey);
      return {
        judge: (filters) => judgeSegment(filters, all),
        judgeSaved: (filters) => judgeSavedSegment(filters, all),
      };
    },
  });
  const funnels = createFunnels({
    db,
    now,
    async openJudge(website) {
      const { callerId } = website;
      const access = { website, role: 'owner', userId: callerId ?? undefined, hides: [] } as const;
      const known = await findKnown({ goals, segments }, access);
      return (parts, options) => judgeFunnel(parts, known, options);
    },
  });
  const annotations = createAnnotations({
    db,
    now,
    readInstant(text, timezone) {
      const zone = findZone(timezone);
      return zone && readBound(text, zone, 'from');
    },
  });
  return { goals, segments, funnels, annotations };
}

/** The routes of all of them, under /api/v1. */
export function recordRoutes(deps: ListDeps, { goals, segments, funnels, annotations }: Records) {
  return new Elysia()
    .use(goalRoutes(deps, goals))
    .use(segmentRoutes(deps, segments))
    .use(savedFunnelRoutes(deps, funnels))
    .use(annotationRoutes(deps, annotations));
}
