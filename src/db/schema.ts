import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { AuditAction, Role, Section } from '../vocabulary/access.ts';
import type {
  FunnelOrder,
  FunnelUnit,
  GoalType,
  ImportState,
  Period,
  PublicHide,
} from '../vocabulary/contract.ts';
import type { ImportFormat } from '../vocabulary/import-formats.ts';
import type { SumFamily } from '../vocabulary/sums.ts';

/**
 * The tables of accounts and websites; events are in `log-schema`, what is derived from them in `statistics-schema`.
 * Instants are milliseconds since the epoch in columns that end in `_ms`. `drizzle-kit generate` writes the migrations
 * under drizzle/ from these files.
 */

export const users = sqliteTable('users', {
  id: text('id').primaryKey(),
  /** Address as submitted, trimmed. */
  email: text('email').notNull(),
  /** Lower case: what addresses are compared by. */
  emailKey: text('email_key').notNull().unique('users_email_key'),
  passwordHash: text('password_hash').notNull(),
  name: text('name'),
  isActive: integer('is_active', { mode: 'boolean' }).notNull().default(true),
  createdAtMs: integer('created_at_ms').notNull(),
});

/** Server-wide settings of the dashboard. */
export const serverSettings = sqliteTable('server_settings', {
  /**
   * `owner`: the id of the account that set the server up. `registration`: open or closed. `installation`: see
   * `findInstallationId`.
   */
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

/** One row a login. All token pairs that were refreshed from one another belong to it. */
export const logins = sqliteTable(
  'logins',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAtMs: integer('created_at_ms').notNull(),
    /** Expiry of its last pair; afterwards the row is removed. */
    expiresAtMs: integer('expires_at_ms').notNull(),
    revokedAtMs: integer('revoked_at_ms'),
    /** Summary of its User-Agent, such as "Chrome on macOS"; null if it said nothing. */
    client: text('client'),
  },
  (table) => [
    index('logins_user').on(table.userId), // revoke all logins of a user
    index('logins_expiry').on(table.expiresAtMs), // remove expired ones
  ],
);

/** One row a pair of access and refresh token, which share the claim `jti`. */
export const tokenPairs = sqliteTable(
  'token_pairs',
  {
    jti: text('jti').primaryKey(),
    loginId: text('login_id')
      .notNull()
      .references(() => logins.id, { onDelete: 'cascade' }),
    /** Set when the refresh token was used; a second use revokes the login. */
    refreshedAtMs: integer('refreshed_at_ms'),
  },
  (table) => [index('token_pairs_login').on(table.loginId)], // cascade of a removed login
);

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The first 8 characters of the key, to recognise it by. */
    prefix: text('prefix').notNull(),
    /** SHA-256 of the key, hex. The key itself is never stored. */
    hash: text('hash').notNull().unique('api_keys_hash'),
    /** Scopes of the vocabulary, separated by a space. */
    scopes: text('scopes').notNull(),
    expiresAtMs: integer('expires_at_ms'),
    lastUsedAtMs: integer('last_used_at_ms'),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (table) => [index('api_keys_user').on(table.userId)], // list the keys of a user
);

export const websites = sqliteTable(
  'websites',
  {
    /** Key that events refer to: short, and never reused. */
    key: integer('key').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique('websites_id'),
    /** Null when the account is gone and the events are still being removed. */
    userId: text('user_id').references(() => users.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    /** Domain as submitted, trimmed. */
    domain: text('domain').notNull(),
    /** Host, port and path in the form that domains are compared by. */
    domainKey: text('domain_key').notNull(),
    description: text('description').notNull(),
    trackingCode: text('tracking_code').notNull().unique('websites_tracking_code'),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
    /** Set on deletion; the row goes once all its events are removed. */
    deletedAtMs: integer('deleted_at_ms'),
    timezone: text('timezone').notNull().default('UTC'),
    allowedOrigins: text('allowed_origins', { mode: 'json' }).$type<string[]>().notNull().default([]),
    excludedIps: text('excluded_ips', { mode: 'json' }).$type<string[]>().notNull().default([]),
    /** Whether events of pages on local hosts are left out of metrics, unless the domain is local itself. */
    leavesOutLocalPages: integer('leaves_out_local_pages', { mode: 'boolean' }).notNull().default(true),
    /** Ids that the website has in other products, whose scripts may keep sending: `umami:…`. */
    oldIds: text('old_ids', { mode: 'json' }).$type<string[]>().notNull().default([]),
    retentionDays: integer('retention_days'),
    /** Whether events of the website get a country, but no region and no city. */
    isCountryOnly: integer('is_country_only', { mode: 'boolean' }).notNull().default(false),
    /** Goal whose rate is shown with every figure; null when none was chosen, or when it was deleted. */
    primaryGoalId: text('primary_goal_id'),
    isPublic: integer('is_public', { mode: 'boolean' }).notNull().default(false),
    /** Parts that are hidden from the public while the website is public. */
    publicHides: text('public_hides', { mode: 'json' }).$type<PublicHide[]>().notNull().default([]),
    /** Visitors are derived by day for every sender. */
    isAnonymous: integer('is_anonymous', { mode: 'boolean' }).notNull().default(false),
    /** Set with the first event whose visitor was derived by day. */
    hasAnonymous: integer('has_anonymous', { mode: 'boolean' }).notNull().default(false),
    /** Set while demo data are written into it. One that has it later was left by a process that was killed. */
    isUnfinished: integer('is_unfinished', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    // 409 when a domain is registered twice; also lists the websites of a user
    uniqueIndex('websites_user_domain').on(table.userId, table.domainKey).where(sql`deleted_at_ms is null`),
  ],
);

/**
 * Members of an account besides its owner, and invitations: a row without a user. An invitation with the role
 * `owner` hands one website over.
 */
export const members = sqliteTable(
  'members',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null: the invitation has not been accepted. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    role: text('role').$type<Role>().notNull(),
    /** Ids of the websites that the role is for; null: all of the account, also later ones. */
    websiteIds: text('website_ids', { mode: 'json' }).$type<string[]>(),
    /** Sections that are hidden from the member. */
    hides: text('hides', { mode: 'json' }).$type<Section[]>().notNull().default([]),
    /** Remark of the inviter on who it is for. */
    note: text('note').notNull().default(''),
    /** Address that may accept the invitation, as submitted; null: any. */
    email: text('email'),
    /** SHA-256 of the invitation's token, hex; null once accepted. The token itself is never stored. */
    tokenHash: text('token_hash').unique('members_token_hash'),
    expiresAtMs: integer('expires_at_ms'),
    createdAtMs: integer('created_at_ms').notNull(),
    /** When the invitation was accepted. */
    joinedAtMs: integer('joined_at_ms'),
  },
  (table) => [
    // The role of a user in an account, asked with every request of a website that is not their own.
    uniqueIndex('members_account_user').on(table.accountId, table.userId),
    index('members_user').on(table.userId), // the accounts of a user
  ],
);

/** Changes in an account: who did what, when. Kept for a year. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    key: integer('key').primaryKey({ autoIncrement: true }),
    accountId: text('account_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    atMs: integer('at_ms').notNull(),
    /** Who did it; null: the server, or the command line. No reference: the entry outlives the user. */
    actorId: text('actor_id'),
    /** Their address at that time. */
    actor: text('actor'),
    action: text('action').$type<AuditAction>().notNull(),
    websiteId: text('website_id'),
    /** Name of what it was done to. */
    subject: text('subject').notNull(),
    /** Changed fields and their values. */
    details: text('details', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    index('audit_entries_account').on(table.accountId, table.key), // the newest entries of an account
    index('audit_entries_at').on(table.atMs), // remove old ones
  ],
);

/**
 * Shared parts of the salts that derive visitors of a day, where processes share a database on a server. A row goes when its
 * day is over. (A process that holds a file keeps salts in a file of their own.)
 */
export const visitorSalts = sqliteTable(
  'visitor_salts',
  {
    zone: text('zone').notNull(),
    /** Days since 1970-01-01 in the zone. */
    day: integer('day').notNull(),
    random: text('random').notNull(),
  },
  (table) => [primaryKey({ columns: [table.zone, table.day] })],
);

/** Goals of a website. Conversions are counted over the log on request: there are no counters. */
export const goals = sqliteTable(
  'goals',
  {
    id: text('id').primaryKey(),
    websiteKey: integer('website_key')
      .notNull()
      .references(() => websites.key, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    type: text('type').$type<GoalType>().notNull(),
    /** The pattern of a page, the name of an event, the kind of a click. */
    match: text('match').notNull(),
    /** Conditions on properties of the event, all of which must hold. */
    properties: text('properties', { mode: 'json' }).$type<GoalProperty[]>().notNull().default([]),
    /** Value of one conversion in minor units of the currency; both or neither are set. */
    valueMinor: integer('value_minor'),
    currency: text('currency'),
    isPublic: integer('is_public', { mode: 'boolean' }).notNull().default(false),
    archivedAtMs: integer('archived_at_ms'),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
  },
  (table) => [
    // 409 when a name is given twice; also lists the goals of a website
    uniqueIndex('goals_website_name').on(table.websiteKey, table.name),
  ],
);
type GoalProperty = { key: string; operator: string; values: string[] };

/** Filters under a name, to be asked with. (`segments` are the parts that the analytics keeps its figures in.) */
export const savedSegments = sqliteTable(
  'saved_segments',
  {
    id: text('id').primaryKey(),
    websiteKey: integer('website_key')
      .notNull()
      .references(() => websites.key, { onDelete: 'cascade' }),
    /** The only user who sees it; null: everyone who manages the website. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Filters in the form that reports take. */
    filters: text('filters', { mode: 'json' }).$type<unknown[]>().notNull(),
    isPublic: integer('is_public', { mode: 'boolean' }).notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
  },
  (table) => [
    // 409 when a name is given twice; also lists the segments of a website
    uniqueIndex('saved_segments_website_name').on(table.websiteKey, table.name),
  ],
);

/** Remarks on the chart of a website. */
export const annotations = sqliteTable(
  'annotations',
  {
    id: text('id').primaryKey(),
    websiteKey: integer('website_key')
      .notNull()
      .references(() => websites.key, { onDelete: 'cascade' }),
    /** An instant; of a day its beginning in UTC, whatever zone it is shown in. */
    atMs: integer('at_ms').notNull(),
    isDay: integer('is_day', { mode: 'boolean' }).notNull(),
    text: text('text').notNull(),
    isPublic: integer('is_public', { mode: 'boolean' }).notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
  },
  (table) => [index('annotations_website_at').on(table.websiteKey, table.atMs)], // those of a range
);

/** Links that show a website's reports without an account. */
export const shareLinks = sqliteTable(
  'share_links',
  {
    id: text('id').primaryKey(),
    websiteKey: integer('website_key')
      .notNull()
      .references(() => websites.key, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** SHA-256, hex. The token itself is not stored. */
    tokenHash: text('token_hash').notNull(),
    passwordHash: text('password_hash'),
    expiresAtMs: integer('expires_at_ms'),
    isRevoked: integer('is_revoked', { mode: 'boolean' }).notNull(),
    /** Conditions that no reader can remove, goals by their ids; an empty list shows everything. */
    filters: text('filters', { mode: 'json' }).$type<unknown[]>().notNull(),
    hides: text('hides', { mode: 'json' }).$type<PublicHide[]>().notNull(),
    /** The only period that is shown; null: any. */
    range: text('range', { mode: 'json' }).$type<LinkRange>(),
    /** Origins of pages that may embed it. */
    origins: text('origins', { mode: 'json' }).$type<string[]>().notNull(),
    /** Number of times that it was opened, and the last use. Nothing else is stored about readers. */
    uses: integer('uses').notNull(),
    lastUsedAtMs: integer('last_used_at_ms'),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
  },
  (table) => [
    uniqueIndex('share_links_token_hash').on(table.tokenHash), // every request with a token
    index('share_links_website').on(table.websiteKey), // those of a website
  ],
);
type LinkRange = { period: Period } | { from: string; to: string };

/** Questions for funnels under a name. */
export const funnels = sqliteTable(
  'funnels',
  {
    id: text('id').primaryKey(),
    websiteKey: integer('website_key')
      .notNull()
      .references(() => websites.key, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Conditions as questions have them, goals by their ids. */
    steps: text('steps', { mode: 'json' }).$type<unknown[]>().notNull(),
    by: text('by').$type<FunnelUnit>().notNull(),
    order: text('order').$type<FunnelOrder>().notNull(),
    /** Time window as it was entered; null: within the range. */
    window: text('window'),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
  },
  (table) => [
    // 409 when a name is given twice; also lists the funnels of a website
    uniqueIndex('funnels_website_name').on(table.websiteKey, table.name),
  ],
);

/**
 * Imports of history. A row is deleted once its events are removed: `undoing` is an order that any process can carry out.
 */
export const imports = sqliteTable(
  'imports',
  {
    /** Never used twice, so an event never belongs to an import that it did not come with. */
    key: integer('key').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique('imports_id'),
    websiteKey: integer('website_key')
      .notNull()
      .references(() => websites.key, { onDelete: 'cascade' }),
    /** Name of the format, such as `umami`; empty until the dry run of an uploaded file. */
    format: text('format').notNull(),
    /** Names of the files, for people. */
    source: text('source').notNull(),
    /** Size of an uploaded file; null for an import by a command. */
    sizeBytes: integer('size_bytes'),
    /** How to read an uploaded file. */
    options: text('options', { mode: 'json' })
      .$type<{ format?: ImportFormat; timezone?: string; hosts?: string[] }>()
      .notNull()
      .default({}),
    /** Dry run of an uploaded file. */
    preview: text('preview', { mode: 'json' }).$type<object>(),
    /** Why it failed, or why it waits. */
    error: text('error'),
    /** Hash of the files' content and of the options: again, it continues an interrupted one. Empty: uploaded. */
    fingerprint: text('fingerprint').notNull(),
    state: text('state').$type<ImportState>().notNull(),
    /** Rows that were read and stored or rejected. Reading continues after them. */
    rows: integer('rows').notNull().default(0),
    accepted: integer('accepted').notNull().default(0),
    rejected: integer('rejected').notNull().default(0),
    /** Events that are in the log because of it; null until it is done. */
    added: integer('added'),
    /** Time range of its events, inclusive; null without any. */
    firstMs: integer('first_ms'),
    lastMs: integer('last_ms'),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
  },
  (table) => [index('imports_website').on(table.websiteKey)], // the imports of a website
);

/** Sums of days that other products export in place of events. They are never added to what the events come to. */
export const importSums = sqliteTable(
  'import_sums',
  {
    key: integer('key').primaryKey(),
    importKey: integer('import_key')
      .notNull()
      .references(() => imports.key, { onDelete: 'cascade' }),
    websiteKey: integer('website_key').notNull(),
    family: text('family').$type<SumFamily>().notNull(),
    /** Days from 1970-01-01 to the local date. */
    day: integer('day').notNull(),
    /** List of the values of the family's dimensions, as JSON. */
    names: text('names').notNull(),
    visitors: integer('visitors').notNull(),
    visits: integer('visits').notNull(),
    pageviews: integer('pageviews').notNull(),
    bounces: integer('bounces').notNull(),
    durationS: integer('duration_s').notNull(),
  },
  (table) => [
    // a sum is stored once; the sums of a range
    uniqueIndex('import_sums_once').on(table.websiteKey, table.family, table.day, table.names),
    index('import_sums_import').on(table.importKey), // an undo
  ],
);
