import { t } from 'elysia';
import { ROLES } from '../vocabulary/access.ts';
import { OLD_ID_LENGTH_MAX, OLD_IDS_MAX } from '../vocabulary/compatible.ts';
import {
  ALLOWED_ORIGINS_MAX,
  DESCRIPTION_LENGTH_MAX,
  EXCLUDED_IPS_MAX,
  PUBLIC_HIDES,
  RETENTION_DAYS_MAX,
  SMALL_ROW_VISITORS,
  URL_LENGTH_MAX,
} from '../vocabulary/contract.ts';
import { choice, integer, nameOf, opaqueId, PLAIN_LINES, timestamps } from './types.ts';

export const INVALID_DOMAIN = 'Invalid domain URL';
/** Matches texts that may be parsed as a URL: `new URL` also accepts `http:example.com` and drops line breaks. */
export const WEB_ADDRESS_PATTERN =
  '^[hH][tT][tT][pP][sS]?:\\/\\/[^\\s\\/?#\\u0000-\\u001f\\u007f\\\\][^\\s\\u0000-\\u001f\\u007f\\\\]*$';
const IP_RANGE_LENGTH_MAX = 64;
const TIMEZONE_LENGTH_MAX = 64;

export const callerRole = choice([...ROLES, 'public'] as const, {
  description: 'Role of the caller: `owner` on their own websites, `public` where they have none.',
});
const name = nameOf('What the website is called. Trimmed.', 'My blog');
const domain = t.String({
  maxLength: URL_LENGTH_MAX,
  pattern: WEB_ADDRESS_PATTERN,
  description:
    'http or https address of the website. Trimmed and kept as submitted. One account registers it once: host (without www.), port and path are compared, the scheme is not.',
  examples: ['https://example.com'],
  'x-messages': { pattern: INVALID_DOMAIN },
});
const description = t.String({
  ...PLAIN_LINES,
  maxLength: DESCRIPTION_LENGTH_MAX,
  description: 'Free text. Trimmed. Empty when absent.',
});

/** POST /websites. Unknown fields are ignored, including those that the service assigns. */
export const WebsiteInput = t.Object(
  { name, domain, description: t.Optional(description) },
  { additionalProperties: true },
);
export type WebsiteInput = typeof WebsiteInput.static;

/** PUT /websites/:id. Absent fields stay. */
export const WebsiteUpdate = t.Object(
  { name: t.Optional(name), domain: t.Optional(domain), description: t.Optional(description) },
  { additionalProperties: true },
);
export type WebsiteUpdate = typeof WebsiteUpdate.static;

export const Website = t.Object(
  {
    id: opaqueId,
    userId: t.String({ description: 'The owner.' }),
    name: t.String({ description: 'What it is called.', examples: ['My blog'] }),
    domain: t.String({ description: 'As submitted, trimmed.', examples: ['https://example.com'] }),
    description: t.String({ description: 'Empty when none was given.' }),
    trackingCode: t.String({
      description: 'What events are submitted for; assigned at creation and never changed.',
      examples: ['pm-7Hd82kLmQ0sTzW1x-1763700000000'],
    }),
    ...timestamps,
    role: callerRole,
  },
  { title: 'Website', description: 'A registered website.' },
);
export type Website = typeof Website.static;

export const WebsiteList = t.Object(
  {
    websites: t.Array(Website, { description: 'In order of creation.' }),
    total: integer({ minimum: 0, description: 'How many there are.' }),
  },
  { description: 'All websites of the account.' },
);
export type WebsiteList = typeof WebsiteList.static;

export const DemoLoaded = t.Object(
  { website: Website, events: integer({ minimum: 0, description: 'How many were stored.' }) },
  { description: 'The demo website, filled.' },
);
export type DemoLoaded = typeof DemoLoaded.static;

export const WebsiteDeleted = t.Object(
  {
    success: t.Literal(true, { description: 'It is deleted.' }),
    message: t.String({ description: 'A sentence for people.' }),
  },
  { description: 'Deleted.' },
);

const timezone = t.String({
  minLength: 1,
  maxLength: TIMEZONE_LENGTH_MAX,
  description: 'IANA time zone of the reports, UTC at first. Kept as submitted.',
  examples: ['Europe/Berlin'],
});
const leavesOutLocalPages = t.Boolean({
  description:
    'Events of pages on localhost, a private address, or a name under .local, .test, .internal or .home.arpa are left out of metrics. Default: true. No effect on a website whose own domain is one of these. Events that are stored stay as they are.',
});
const retentionDays = t.Union([integer({ minimum: 1, maximum: RETENTION_DAYS_MAX }), t.Null()], {
  description: 'Events older than this many days are removed; null, as at first, keeps them.',
  'x-messages': { type: `Must be a whole number from 1 to ${RETENTION_DAYS_MAX}, or null` },
});
const isCountryOnly = t.Boolean({
  description:
    'Events get a country, but no region and no city, whatever the database of the server has. Default: false. Events that are stored keep theirs.',
});
const isPublic = t.Boolean({
  description:
    'Anyone may see the metrics. Default: false. Includes the paths of all pages, the names of custom events and campaigns, countries, regions, cities and devices; excludes sessions, visitors and properties.',
});
const anonymous = t.Boolean({
  description:
    'Visitors are derived by day from address and User-Agent for every sender, and the ids that senders send are ignored. Default: false. The tag should say data-mode="anonymous" as well, so that the script stores nothing in the browser.',
});
/** Data of a public website that is hidden from the public. */
export const publicHides = t.Array(choice(PUBLIC_HIDES), {
  maxItems: PUBLIC_HIDES.length,
  uniqueItems: true,
  description: `What is kept back from the public; nothing at first. smallRows: rows, and answers to filters, of fewer than ${SMALL_ROW_VISITORS} visitors. customEvents: their names. campaigns: the five utm dimensions; \`source\` still shows the name in utm_source.`,
  examples: [['smallRows']],
});

const primaryGoalId = t.Union([t.String({ maxLength: 64 }), t.Null()], {
  description: 'Id of the goal whose rate the dashboard shows with every figure; null, as at first: none.',
  'x-messages': { type: 'Must be the id of a goal, or null' },
});

/** GET and PATCH /websites/:id/settings return all settings. */
export const WebsiteSettings = t.Object(
  {
    timezone,
    allowedOrigins: t.Array(t.String(), {
      description: 'Origins that may submit events; empty, as at first: any.',
    }),
    excludedIps: t.Array(t.String(), {
      description: 'Addresses and ranges whose events are left out of metrics.',
    }),
    leavesOutLocalPages,
    oldIds: t.Array(t.String(), {
      description: 'Ids that the website has in Umami, Plausible or Matomo, whose scripts may keep sending.',
    }),
    retentionDays,
    isCountryOnly,
    isPublic,
    publicHides,
    primaryGoalId,
    anonymous,
  },
  { title: 'WebsiteSettings', description: 'All settings of a website.' },
);
export type WebsiteSettings = typeof WebsiteSettings.static;

/** PATCH /websites/:id/settings. Absent fields stay; a list replaces the whole list. */
export const WebsiteSettingsInput = t.Object(
  {
    timezone: t.Optional(timezone),
    allowedOrigins: t.Optional(
      t.Array(t.String({ maxLength: URL_LENGTH_MAX }), {
        maxItems: ALLOWED_ORIGINS_MAX,
        description: 'http or https origins that may submit events; kept as scheme, host and port.',
        examples: [['https://example.com']],
      }),
    ),
    excludedIps: t.Optional(
      t.Array(t.String({ maxLength: IP_RANGE_LENGTH_MAX }), {
        maxItems: EXCLUDED_IPS_MAX,
        description: 'IP addresses and CIDR ranges whose events are left out of metrics.',
        examples: [['203.0.113.7', '2001:db8::/32']],
      }),
    ),
    leavesOutLocalPages: t.Optional(leavesOutLocalPages),
    oldIds: t.Optional(
      t.Array(t.String({ maxLength: OLD_ID_LENGTH_MAX }), {
        maxItems: OLD_IDS_MAX,
        description:
          'umami: with the UUID, plausible: with the domain, matomo: with the number that the website has there. With the setting COMPATIBLE of the server, their scripts may keep sending.',
        examples: [['plausible:example.com', 'matomo:1']],
      }),
    ),
    retentionDays: t.Optional(retentionDays),
    isCountryOnly: t.Optional(isCountryOnly),
    isPublic: t.Optional(isPublic),
    publicHides: t.Optional(publicHides),
    primaryGoalId: t.Optional(primaryGoalId),
    anonymous: t.Optional(anonymous),
  },
  { additionalProperties: true },
);
export type WebsiteSettingsInput = typeof WebsiteSettingsInput.static;
