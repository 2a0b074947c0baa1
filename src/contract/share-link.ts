import { t } from 'elysia';
import {
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  PERIODS,
  SHARE_LINKS_MAX,
  SHARE_ORIGINS_MAX,
  TOKEN_LENGTH_MAX,
} from '../vocabulary/contract.ts';
import { INSTANT_PATTERN } from './account-input.ts';
import { choice, count, integer, nameOf, timestamps } from './types.ts';
import { publicHides } from './website.ts';

const name = nameOf('What you call the link; its readers do not see it. Trimmed.', 'Client A');
const filters = t.Array(t.Any(), {
  description:
    'Conditions as questions have them, which no reader can remove; none on a segment. Absent or empty: everything.',
  examples: [[['is', 'utmCampaign', ['client-a']]]],
});
const hides = t.Array(publicHides.items, {
  maxItems: publicHides.maxItems ?? 0,
  uniqueItems: true,
  description: 'What the link keeps back, as `publicHides` of a website. Default: nothing.',
});
const day = (description: string) =>
  t.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-10-01'] });
export const linkRange = t.Union(
  [
    t.Object(
      { period: choice(PERIODS, { description: 'Name of a period.' }) },
      { description: 'A named period.' },
    ),
    t.Object(
      { from: day('The first day.'), to: day('The last day.') },
      { description: 'Days, of which both are included.' },
    ),
    t.Null(),
  ],
  {
    description: 'The only range that the link shows. Absent or null: readers choose.',
    'x-messages': { type: 'Must be null, {"period"} or {"from", "to"} with dates such as 2026-10-01' },
  },
);
const origins = t.Array(t.String({ maxLength: 300 }), {
  maxItems: SHARE_ORIGINS_MAX,
  uniqueItems: true,
  description: 'Origins of pages that may embed the link. Default: none.',
  examples: [['https://client.example']],
});
const expiresAt = t.Union([t.String({ pattern: INSTANT_PATTERN }), t.Null()], {
  description: 'ISO 8601, in the future. Absent or null: never.',
  examples: ['2027-01-01T00:00:00.000Z'],
  'x-messages': { type: 'Must be an ISO 8601 date, or an instant with its offset, or null' },
});
const password = t.Union([t.String(), t.Null()], {
  description: `Readers must enter it; ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters. Absent or null: none.`,
});
const isRevoked = t.Boolean({ description: 'While it is, the link opens nothing and says so.' });

const optional = {
  filters: t.Optional(filters),
  hides: t.Optional(hides),
  range: t.Optional(linkRange),
  origins: t.Optional(origins),
  expiresAt: t.Optional(expiresAt),
  password: t.Optional(password),
};

/** POST /websites/:id/links. */
export const ShareLinkInput = t.Object({ name, ...optional }, { additionalProperties: true });
export type ShareLinkInput = typeof ShareLinkInput.static;

/** PATCH /websites/:id/links/:linkId. Absent fields stay. */
export const ShareLinkUpdate = t.Object(
  { name: t.Optional(name), ...optional, isRevoked: t.Optional(isRevoked) },
  { additionalProperties: true },
);
export type ShareLinkUpdate = typeof ShareLinkUpdate.static;

export const ShareLink = t.Object(
  {
    id: t.String({ description: 'Opaque identifier.' }),
    name,
    token: t.Optional(
      t.String({ description: 'In the answer that creates the link only: the page is `/share/TOKEN`.' }),
    ),
    filters,
    hides,
    range: linkRange,
    origins,
    expiresAt: t.Union([t.String({ format: 'date-time' }), t.Null()], { description: 'null: never.' }),
    hasPassword: t.Boolean({ description: 'Whether readers must enter a password.' }),
    isRevoked,
    uses: count('How often its page was opened.'),
    lastUsedAt: t.Union([t.String({ format: 'date-time' }), t.Null()], {
      description: 'To the minute; null: never.',
    }),
    faults: t.Array(t.String(), {
      description: 'Why it opens nothing any more: a goal of its filters was deleted.',
    }),
    ...timestamps,
  },
  { title: 'ShareLink', description: 'A link that shows reports without an account.' },
);
export type ShareLink = typeof ShareLink.static;

export const ShareLinkList = t.Object(
  {
    links: t.Array(ShareLink, { description: 'The oldest first.' }),
    total: integer({ minimum: 0, maximum: SHARE_LINKS_MAX, description: 'How many there are.' }),
  },
  { description: 'The share links of a website.' },
);

export type ShareLinkList = typeof ShareLinkList.static;

/** POST /share/unlock. */
export const UnlockInput = t.Object(
  {
    token: t.String({ maxLength: TOKEN_LENGTH_MAX, description: 'Token of the link.' }),
    password: t.String({ description: 'Password of the link.' }),
  },
  { additionalProperties: true },
);

export const Unlocked = t.Object(
  {
    token: t.String({ description: 'Opens the link in place of its own token.' }),
    expiresAt: t.String({ format: 'date-time', description: 'Until then, or until the password changes.' }),
  },
  { description: 'The password was right.' },
);

/** In the form of shields.io's endpoint badge. */
export const FigureBadge = t.Object(
  {
    schemaVersion: t.Literal(1, { description: 'As shields.io has it.' }),
    label: t.String({ description: 'What the figure is.' }),
    message: t.String({ description: 'The figure.' }),
    color: t.String({ description: 'Of the right half.' }),
    cacheSeconds: integer({ description: 'How long the figure may be kept.' }),
  },
  { description: 'A figure for shields.io.' },
);
