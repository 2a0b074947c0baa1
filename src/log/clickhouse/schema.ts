import { type Sql, sql } from './sql.ts';

/**
 * Events by website, UTC day and visitor: a report reads only its days. The columns after `properties` are derived from
 * the event when it is stored, so that reports need not derive them (analytics/clickhouse/derived.ts).
 *
 * Texts that resemble one another use ZSTD(5): a million events of demo traffic take 55.6 MB with level 1, 51.9 with 5
 * and 52.5 with 6; at 5 storing takes the server a tenth longer than at 1. There are no partitions, so that an insert is
 * one part, which exists or does not.
 */
const EVENTS_TABLE = sql`CREATE TABLE IF NOT EXISTS events (
  website_key UInt32 CODEC(ZSTD),
  day Int32 CODEC(Delta, ZSTD),
  visitor_id String CODEC(ZSTD),
  created_at_ms Int64 CODEC(ZSTD),
  key UInt64 CODEC(Delta, ZSTD),
  id UUID CODEC(ZSTD),
  session_id String CODEC(ZSTD),
  type UInt8 CODEC(ZSTD),
  flags UInt8 CODEC(ZSTD),
  url String CODEC(ZSTD(5)),
  referrer Nullable(String) CODEC(ZSTD(5)),
  device_type LowCardinality(Nullable(String)) CODEC(ZSTD),
  browser LowCardinality(Nullable(String)) CODEC(ZSTD),
  os LowCardinality(Nullable(String)) CODEC(ZSTD),
  location LowCardinality(Nullable(String)) CODEC(ZSTD),
  language LowCardinality(Nullable(String)) CODEC(ZSTD),
  screen LowCardinality(Nullable(String)) CODEC(ZSTD),
  properties Nullable(String) CODEC(ZSTD(5)),
  class UInt8 CODEC(ZSTD),
  page String CODEC(ZSTD(5)),
  hostname LowCardinality(String) CODEC(ZSTD),
  name LowCardinality(String) CODEC(ZSTD),
  referrer_host LowCardinality(String) CODEC(ZSTD),
  source LowCardinality(String) CODEC(ZSTD),
  channel LowCardinality(String) CODEC(ZSTD),
  utm_source LowCardinality(String) CODEC(ZSTD),
  utm_medium LowCardinality(String) CODEC(ZSTD),
  utm_campaign LowCardinality(String) CODEC(ZSTD),
  utm_content LowCardinality(String) CODEC(ZSTD),
  utm_term LowCardinality(String) CODEC(ZSTD),
  property_keys Array(LowCardinality(String)) CODEC(ZSTD),
  property_values Array(String) CODEC(ZSTD(5)),
  property_numbers Array(UInt8) CODEC(ZSTD),
  revenue UInt8 CODEC(ZSTD),
  currency LowCardinality(String) CODEC(ZSTD),
  minor Int64 CODEC(ZSTD),
  INDEX stored key TYPE minmax GRANULARITY 1
) ENGINE = MergeTree ORDER BY (website_key, day, visitor_id, created_at_ms, key)
SETTINGS non_replicated_deduplication_window = 1000`;

/**
 * Possible locations of an event by the first half of its id: for ids of version 7 that is their time, so lookups are local.
 * Written before the event itself, so that every stored event can be found. An entry without its event means nothing, and
 * the events distinguish two ids with the same first half.
 */
const IDS_TABLE = sql`CREATE TABLE IF NOT EXISTS event_ids (
  first_half UInt64 CODEC(Delta, ZSTD),
  website_key UInt32 CODEC(ZSTD),
  day Int32 CODEC(Delta, ZSTD)
) ENGINE = MergeTree ORDER BY first_half SETTINGS index_granularity = 512, non_replicated_deduplication_window = 1000`;

/**
 * Events to erase. Queries ignore an event as soon as it is listed here; its row is deleted afterwards.
 */
const ERASED_TABLE = sql`CREATE TABLE IF NOT EXISTS erased_events (
  website_key UInt32,
  id UUID,
  key UInt64,
  erasure UUID,
  ordered_at_ms Int64
) ENGINE = MergeTree ORDER BY (website_key, id)`;

/** Installation that owns the events: websites of two installations have the same keys. */
const INSTALLATION_TABLE = sql`CREATE TABLE IF NOT EXISTS installation (id String) ENGINE = MergeTree ORDER BY id`;

/** Parts of User-Agents; null in events stored before this migration. */
const USER_AGENT_COLUMNS = sql`ALTER TABLE events
  ADD COLUMN IF NOT EXISTS browser_version LowCardinality(Nullable(String)) CODEC(ZSTD),
  ADD COLUMN IF NOT EXISTS os_version LowCardinality(Nullable(String)) CODEC(ZSTD),
  ADD COLUMN IF NOT EXISTS bot LowCardinality(Nullable(String)) CODEC(ZSTD)`;

/** Region and city of the address; null in events stored before this migration. */
const PLACE_COLUMNS = sql`ALTER TABLE events
  ADD COLUMN IF NOT EXISTS region LowCardinality(Nullable(String)) CODEC(ZSTD),
  ADD COLUMN IF NOT EXISTS city LowCardinality(Nullable(String)) CODEC(ZSTD)`;

/** Version of what is derived of all stored events. */
const DERIVED_VERSION_TABLE = sql`CREATE TABLE IF NOT EXISTS derived_version (version UInt32) ENGINE = MergeTree ORDER BY version`;

/** Import that added the event; 0 for collected ones, as those of before. */
const IMPORT_COLUMN = sql`ALTER TABLE events ADD COLUMN IF NOT EXISTS import_key UInt32 DEFAULT 0 CODEC(ZSTD)`;
/** Room for more than eight flags. */
const MORE_FLAGS = sql`ALTER TABLE events MODIFY COLUMN flags UInt16 CODEC(ZSTD)`;

/** Greatest engagement of each pageview that was reported: one row an event once the server has merged its reports. */
const ENGAGEMENT_TABLE = sql`CREATE TABLE IF NOT EXISTS engagement (
  website_key UInt32 CODEC(ZSTD),
  day Int32 CODEC(Delta, ZSTD),
  id UUID CODEC(ZSTD),
  engaged_seconds SimpleAggregateFunction(max, Nullable(UInt32)) CODEC(ZSTD),
  scroll_depth SimpleAggregateFunction(max, Nullable(UInt8)) CODEC(ZSTD)
) ENGINE = AggregatingMergeTree ORDER BY (website_key, day, id)`;

/**
 * Statements that bring the tables from one version to the next. Once released, a migration never changes: a new column
 * is a new migration (`ALTER TABLE events ADD COLUMN IF NOT EXISTS …`).
 */
export const MIGRATIONS: readonly (readonly Sql[])[] = [
  [EVENTS_TABLE, IDS_TABLE, ERASED_TABLE],
  [INSTALLATION_TABLE],
  [USER_AGENT_COLUMNS],
  [DERIVED_VERSION_TABLE],
  [IMPORT_COLUMN],
  [PLACE_COLUMNS],
  [MORE_FLAGS],
  [ENGAGEMENT_TABLE],
];

/** Says whose database it is, and its version. */
export const MARK_TABLE = sql`CREATE TABLE IF NOT EXISTS pagemeter (version UInt32) ENGINE = MergeTree ORDER BY version`;
