import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { packedId } from './packed-columns.ts';

/**
 * Data that the analytics derives from the log, and can delete and rebuild at any time. A segment: visits of one website
 * that begin on one UTC day, with their events, in columns (see analytics/segment).
 */
export const segments = sqliteTable(
  'segments',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    websiteKey: integer('website_key').notNull(),
    /** Days since 1970-01-01, UTC; negative before. */
    day: integer('day').notNull(),
    visits: integer('visits').notNull(),
    events: integer('events').notNull(),
    firstVisitor: integer('first_visitor').notNull(),
    lastVisitor: integer('last_visitor').notNull(),
    /** The range that holds all of its events, half-open. */
    startMs: integer('start_ms').notNull(),
    endMs: integer('end_ms').notNull(),
    /** The least and the greatest key of its events in the log. */
    firstKey: integer('first_key').notNull(),
    lastKey: integer('last_key').notNull(),
    /** Version of the rules that its events were derived by; see RULES in analytics/embedded/segment/schema. */
    rules: integer('rules').notNull().default(0),
  },
  (table) => [index('segments_website_day').on(table.websiteKey, table.day)], // those of a website, by day
);

/** The columns of segments, some of them together. The key is the segment's id × 8 + the number of the part. */
export const segmentParts = sqliteTable('segment_parts', {
  key: integer('key').primaryKey(),
  data: blob('data', { mode: 'buffer' }).notNull(),
});

/**
 * The codes that segments have in place of texts. The migration makes it a table WITHOUT ROWID, which Drizzle cannot say.
 */
export const terms = sqliteTable(
  'terms',
  {
    /** A dictionary of a website (see analytics/dictionary). */
    scope: integer('scope').notNull(),
    /** 1, 2, … in each scope. */
    code: integer('code').notNull(),
    /** The UTC day of the event that brought the text. */
    day: integer('day').notNull(),
    /** The key of that event in the log: events before it do not have the text, whatever they said. */
    sinceKey: integer('since_key').notNull().default(0),
    text: text('text').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.code] }),
    uniqueIndex('terms_scope_text').on(table.scope, table.text), // the code of a text
    index('terms_scope_day').on(table.scope, table.day), // how many new texts a day has brought
  ],
);

/**
 * Codes that segments use in place of visitor ids, 1, 2, … for each website. The migration makes it a table WITHOUT ROWID,
 * which Drizzle cannot express: one tree instead of two, 7 instead of 13 bytes per event. The id of a code is found
 * through the log.
 */
export const visitors = sqliteTable(
  'visitors',
  {
    websiteKey: integer('website_key').notNull(),
    visitorId: packedId('visitor_id').notNull(),
    code: integer('code').notNull(),
  },
  (table) => [primaryKey({ columns: [table.websiteKey, table.visitorId] })],
);

/** How far the log has been taken into a website's segments. */
export const websiteStates = sqliteTable('website_states', {
  websiteKey: integer('website_key').primaryKey(),
  /** The high-water mark: events up to this key of the log are in the segments. */
  takenUntil: integer('taken_until').notNull(),
  /** No visitor of the website has a greater code. */
  visitorCount: integer('visitor_count').notNull(),
});

/**
 * `log`: a random number that identifies a log, made by the migration. `followed log`: the log that the segments are derived
 * from. `checkpoint`: the key up to which it has been read. `removals`: the key up to which its removals are applied.
 * `vacuum N`: website N may have unused texts. `synced`: written last by an erasure.
 */
export const analyticsState = sqliteTable('analytics_state', {
  name: text('name').primaryKey(),
  value: integer('value').notNull(),
});
