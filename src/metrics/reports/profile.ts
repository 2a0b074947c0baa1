import { Elysia } from 'elysia';
import { WebsiteId } from '../../access/website-guard.ts';
import { SegmentNames } from '../../contract/segment.ts';
import { WebsiteProfile } from '../../contract/website-profile.ts';
import { findKnown } from '../question/known.ts';
import { findFirstMs } from '../question/open-question.ts';
import { toMembers } from '../question/website-set.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';

/** Answers what the pages of a website show besides its figures. */
export function profileRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/profile' })
    .use(askWebsite(deps))
    .get(
      '',
      async ({ website, access, members }): Promise<WebsiteProfile> => {
        const { role, hides, link } = access;
        const { id, name, timezone, isPublic, publicHides } = website;
        // A path may reveal the owner.
        const domain = role !== 'public' ? website.domain : new URL(website.domain).origin;
        const firstMs = await findFirstMs(deps.log, { website, members });
        const firstEventAt = firstMs === undefined ? null : new Date(firstMs).toISOString();
        const isOwner = role === 'owner';
        const mayHaveSums = role !== 'public' && members === undefined;
        const { goals } = await findKnown(deps, access);
        const primary = goals.find(({ goal }) => goal.id === website.primaryGoalId && !goal.isArchived)?.goal;
        return {
          id,
          name,
          domain,
          timezone,
          isPublic,
          publicHides,
          primaryGoal: primary ? { id: primary.id, name: primary.name } : null,
          isOwner,
          role,
          hides: [...hides],
          firstEventAt,
          hasImportedSums: mayHaveSums && (await deps.sums.findFirstDays(website.key)).size > 0,
          ...(link && { link: { range: link.range } }),
          ...(members && { members: toMembers(members).map(({ id, name }) => ({ id, name })) }),
        };
      },
      {
        params: WebsiteId,
        response: { 200: WebsiteProfile, ...REFUSALS },
        detail: describe(
          'getWebsiteProfile',
          'What a website is called, and where its figures begin',
          'Nothing of it identifies the owner or a visitor. The public gets the origin of the domain alone.',
        ),
      },
    )
    .get(
      '/segments',
      async ({ access }): Promise<SegmentNames> => {
        const { segments = [] } = await findKnown(deps, access);
        return { segments: segments.map(({ id, name }) => ({ id, name })) };
      },
      {
        params: WebsiteId,
        response: { 200: SegmentNames, ...REFUSALS },
        detail: describe(
          'listSegmentNames',
          'Segments that filters may name',
          'The public receives those of the website that have isPublic, without their filters.',
        ),
      },
    );
}
