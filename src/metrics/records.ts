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
import { shareLinkRoutes } from '../saved/share-link-routes.ts';
import { createShareLinks } from '../saved/share-links.ts';
import type { ListDeps } from '../websites/row-routes.ts';
import { findKnown, judgeSavedSegment, judgeSegment } from './question/known.ts';
import { judgeFunnel } from './question/saved-funnels.ts';
import { readBound } from './time/range.ts';
import { findZone } from './time/zone.ts';

export type Records = ReturnType<typeof createRecords>;

type RecordsDeps = {
  db: Db;
  now: () => number;
  /** Signs what an entered password of a share link opens. By default one that no other process has. */
  linkKey?: Uint8Array;
};

const newKey = () => crypto.getRandomValues(new Uint8Array(32));

/** The records that belong to a website. Reports judge the filters, steps and instants that some of them hold. */
export function createRecords({ db, now, linkKey = newKey() }: RecordsDeps) {
  const goals = createGoals({ db, now });
  const openJudge = async (websiteKey: number) => {
    const all = await goals.listCounted(websiteKey);
    return {
      judge: (filters: readonly unknown[]) => judgeSegment(filters, all),
      judgeSaved: (filters: readonly unknown[]) => judgeSavedSegment(filters, all),
    };
  };
  const segments = createSegments({
    db,
    now,
    openJudge,
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
  const links = createShareLinks({ db, now, key: linkKey, openJudge });
  return { goals, segments, funnels, annotations, links };
}

/** The routes of all of them, under /api/v1. */
export function recordRoutes(deps: ListDeps, { goals, segments, funnels, annotations, links }: Records) {
  return new Elysia()
    .use(goalRoutes(deps, goals))
    .use(segmentRoutes(deps, segments))
    .use(savedFunnelRoutes(deps, funnels))
    .use(annotationRoutes(deps, annotations))
    .use(shareLinkRoutes(deps, links));
}
