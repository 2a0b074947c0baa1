import { t } from 'elysia';
import { HIDES } from '../vocabulary/access.ts';
import { linkRange } from './share-link.ts';
import { choice, opaqueId } from './types.ts';
import { callerRole, publicHides } from './website.ts';

/** GET /websites/:id/profile: what a website's pages show about it, also to the public. */
export const WebsiteProfile = t.Object(
  {
    id: opaqueId,
    name: t.String({ description: 'What it is called.', examples: ['My blog'] }),
    domain: t.String({
      description: 'As submitted; for the public its origin alone.',
      examples: ['https://example.com'],
    }),
    timezone: t.String({ description: 'IANA time zone of its reports.', examples: ['Europe/Berlin'] }),
    isPublic: t.Boolean({ description: 'Anyone may see the metrics.' }),
    publicHides,
    primaryGoal: t.Union(
      [t.Object({ id: opaqueId, name: t.String({ description: 'What it is called.' }) }), t.Null()],
      { description: 'Goal whose rate is shown with every figure; null: none that the caller may see.' },
    ),
    isOwner: t.Boolean({ description: 'The caller is who registered it.' }),
    role: callerRole,
    hides: t.Array(choice(HIDES, { description: 'A kind of data.' }), {
      uniqueItems: true,
      description: 'Data that are hidden from the caller.',
    }),
    firstEventAt: t.Union([t.String({ format: 'date-time' }), t.Null()], {
      description: 'When the oldest stored event happened; null when there is none.',
    }),
    hasImportedSums: t.Boolean({
      description: 'Whether there are imported sums that the caller may see: …/stats/imported.',
    }),
    link: t.Optional(
      t.Object({ range: linkRange }, { description: 'Present for a share link: what it allows.' }),
    ),
    members: t.Optional(
      t.Array(
        t.Object(
          { id: opaqueId, name: t.String({ description: 'What answers and filters call it.' }) },
          { description: 'A website of the set.' },
        ),
        { description: 'Websites of a set, such as `all`.' },
      ),
    ),
  },
  { title: 'WebsiteProfile', description: 'What a website is called, and where its figures begin.' },
);
export type WebsiteProfile = typeof WebsiteProfile.static;
