import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { packedBrowser, packedId } from './packed-columns.ts';

/**
 * The log: append-only, one lean row an event. The key grows with every insert and is never used twice, so a
 * reader can follow the log by it. No foreign key: the writer has just looked the website up.
 */
export const events = sqliteTable(
  'events',
  {
    key: integer('key').primaryKey({ autoIncrement: true }),
    /** The event's UUID as 16 bytes. Version 7 by default, so that this index grows at its end. */
    eventId: blob('event_id', { mode: 'buffer' }).notNull().unique('events_event_id'),
    websiteKey: integer('website_key').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    /** Index into EVENT_TYPES. */
    type: integer('type').notNull(),
    /** Addresses, and what the event says of its client, in the shorter forms of db/packed-texts. */
    url: text('url').notNull(),
    referrer: text('referrer'),
    sessionId: packedId('session_id').notNull(),
    visitorId: packedId('visitor_id').notNull(),
    /** Index into DEVICE_TYPES. */
    deviceType: integer('device_type'),
    browser: packedBrowser('browser'),
    os: text('os'),
    location: text('location'),
    language: text('language'),
    screen: text('screen'),
    /** JSON text as sent. */
    properties: text('properties'),
    /** Bits of EVENT_FLAGS. */
    flags: integer('flags').notNull().default(0),
    /** Its name. */
    bot: text('bot'),
    /** Key of the import that added it; null for an event that was collected. */
    importKey: integer('import_key'),
    /** Key of its place; null without a region and a city. */
    place: integer('place'),
    /** Seconds and depth in the form of db/packed-engagement; null for what is not a pageview, and for older events. */
    engagement: integer('engagement'),
  },
  (table) => [
    index('events_website_time').on(table.websiteKey, table.createdAtMs), // lists of a website by time
    index('events_import').on(table.importKey).where(sql`import_key is not null`), // undo of an import
  ],
);

/** Region and city that events have in common, in the form of db/packed-place. Rows are never changed or removed. */
export const places = sqliteTable('places', {
  key: integer('key').primaryKey(),
  name: text('name').notNull().unique('places_name'),
});

/** How many events of a type a website has: `pagination.total` without counting. Kept with every insert. */
export const eventCounts = sqliteTable(
  'event_counts',
  {
    websiteKey: integer('website_key').notNull(),
    type: integer('type').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.websiteKey, table.type] })],
);

/**
 * Removals from the log. Derived tables must delete the rows listed here. Written in the transaction of the removal (of the
 * last step, if there are several), and kept for a month.
 */
export const removals = sqliteTable('removals', {
  /** In the order of the removals, without gaps. */
  key: integer('key').primaryKey({ autoIncrement: true }),
  websiteKey: integer('website_key').notNull(),
  /** All events before this UTC day (days since 1970). */
  beforeDay: integer('before_day'),
  /** These events, in the form of erasures.events. None of the three: all events of the website. */
  events: text('events'),
  removedAtMs: integer('removed_at_ms').notNull(),
});

/**
 * Events that an erasure has selected and that still exist. A row is deleted in the transaction that deletes its events and
 * adds them to `removals`; any process may do that.
 */
export const erasures = sqliteTable('erasures', {
  key: integer('key').primaryKey({ autoIncrement: true }),
  websiteKey: integer('website_key').notNull(),
  /** JSON: their keys, `[7,8]`, or lists of them by UTC day (days since 1970), `{"20412":[7,8]}`. */
  events: text('events').notNull(),
});
