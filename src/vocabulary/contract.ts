/**
 * Closed lists and bounds of everything that crosses the wire. Imports nothing, so that the tracker and the
 * dashboard can use values from here without a schema library.
 */

export const API_PREFIX = '/api/v1';

/** Types of events. The order is the code stored in the database: append only. */
export const EVENT_TYPES = ['pageview', 'click', 'custom'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The order is the code stored in the database: append only. */
export const DEVICE_TYPES = ['mobile', 'tablet', 'desktop'] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];

export const API_KEY_SCOPES = ['read', 'write', 'events'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** Every code of an error body, with its status. */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

export const TOKEN_LIFETIME_S = 604_800;

/** Account bounds. Lengths count UTF-16 units, as JavaScript does. */
export const EMAIL_LENGTH_MAX = 254;
export const NAME_LENGTH_MAX = 100;
export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 128;
/** Maximum length of a token, longer than any that this service signs. */
export const TOKEN_LENGTH_MAX = 1_024;
/** Maximum API keys of an account. */
export const API_KEYS_MAX = 100;

/** Bounds of members: those of an account, and accounts that one user is a member of. */
export const MEMBERS_MAX = 10_000;
export const MEMBERSHIPS_MAX = 50;
export const NOTE_LENGTH_MAX = 100;

/** Website bounds. */
export const URL_LENGTH_MAX = 2_048;
/** Maximum websites of an account: their list has no pages. */
export const WEBSITES_MAX = 1_000;
export const DESCRIPTION_LENGTH_MAX = 500;
export const ALLOWED_ORIGINS_MAX = 100;
export const EXCLUDED_IPS_MAX = 100;
export const RETENTION_DAYS_MAX = 3_650;

/** Maximum bytes of a body: of most routes, of a website's settings, and of a batch of events, which is the largest. */
export const BODY_BYTES_MAX = 64 * 1024;
export const SETTINGS_BYTES_MAX = 256 * 1024;
export const BATCH_BYTES_MAX = 5 * 1024 * 1024;

/** Data that the owner of a public website may hide from the public. */
export const PUBLIC_HIDES = ['smallRows', 'customEvents', 'campaigns'] as const;
export type PublicHide = (typeof PUBLIC_HIDES)[number];
/** Rows with fewer visitors than this are small. */
export const SMALL_ROW_VISITORS = 3;

/** Event bounds. Bytes are UTF-8 bytes of the JSON text. */
export const BATCH_EVENTS_MAX = 1_000;
export const EVENT_BYTES_MAX = 64 * 1024;
export const EVENT_ID_LENGTH_MAX = 128;
export const PROPERTIES_KEYS_MAX = 100;
export const PROPERTY_KEY_LENGTH_MAX = 128;
export const PROPERTIES_DEPTH_MAX = 4;
export const PROPERTIES_BYTES_MAX = 16 * 1024;
/** Maximum engaged time of a pageview: half a day. */
export const ENGAGED_SECONDS_MAX = 43_200;
export const TRACKING_CODE_LENGTH_MAX = 64;
/** Maximum difference of a sender's clock from the server's. */
export const CLOCK_TOLERANCE_MS = 5 * 60 * 1000;
/** The largest instant that a JavaScript date can hold. */
export const TIMESTAMP_MS_MAX = 8.64e15;

export const EVENTS_LIMIT_DEFAULT = 100;
export const EVENTS_LIMIT_MAX = 1_000;

/** Named ranges of metrics. */
export const PERIODS = [
  'today',
  'yesterday',
  '24h',
  '7d',
  '28d',
  '30d',
  '90d',
  '91d',
  'month',
  'lastmonth',
  'year',
  '6mo',
  '12mo',
  'all',
] as const;
export type Period = (typeof PERIODS)[number];
export const PERIOD_DEFAULT: Period = '30d';

export const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

export const COMPARISONS = ['previous', 'year', 'custom'] as const;
export type Comparison = (typeof COMPARISONS)[number];
/** How days of the earlier range are paired with those of the range. */
export const COMPARISON_MATCHES = ['date', 'weekday'] as const;
export type ComparisonMatch = (typeof COMPARISON_MATCHES)[number];

export const FORMATS = ['json', 'csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** Metrics bounds. */
export const POINTS_MAX = 2_000;
/** Maximum points of the overview: each point is a question. */
export const OVERVIEW_POINTS_MAX = 100;
export const STATS_LIMIT_DEFAULT = 100;
export const VALUES_LIMIT_DEFAULT = 20;
export const REALTIME_LIMIT_DEFAULT = 10;
export const DASHBOARD_LIMIT_DEFAULT = 10;
export const SEARCH_LENGTH_MAX = 256;
export const FILTERS_LENGTH_MAX = 8_192;
export const FILTER_VALUES_MAX = 200;
/** Maximum values of all conditions together, including those of segments: more than fit into `FILTERS_LENGTH_MAX`. */
export const FILTER_VALUES_IN_ALL_MAX = 5_000;
/** Maximum characters of a pattern of `matches`, with repetitions written out; then patterns of one query. */
export const PATTERN_POSITIONS_MAX = 256;
export const FILTER_PATTERNS_MAX = 10;
/** Maximum events of one erasure: about a minute's work. */
export const ERASED_EVENTS_MAX = 1_000_000;
/** Maximum rows of the longest list that is answered whole: annotations. */
export const LIST_ROWS_MAX = 2_000;
export const OFFSET_MAX = 1_000_000_000;
/** Years within which ranges lie. */
export const RANGE_YEAR_MIN = 1970;
export const RANGE_YEAR_MAX = 9999;
/** Maximum live streams of one process, of an account, and of an address that watches public websites. */
export const STREAMS_MAX = 200;
export const STREAMS_PER_ACCOUNT_MAX = 20;
export const STREAMS_PER_ADDRESS_MAX = 10;

/** Ways to reach a goal. */
export const GOAL_TYPES = ['page', 'event', 'click'] as const;
export type GoalType = (typeof GOAL_TYPES)[number];
/** Clicks that a goal may be about: values of the tracker's property `type` of a click. */
export const GOAL_CLICKS = ['outbound', 'download', 'mailto', 'tel'] as const;
export const GOALS_MAX = 200;
export const GOAL_PROPERTIES_MAX = 5;
/** Maximum length, the same as that of texts in the statistics. */
export const GOAL_MATCH_LENGTH_MAX = 255;
export const GOAL_VALUES_MAX = 20;
/** Maximum digits of an amount before the point: sums of a hundred million such amounts are still exact. */
export const AMOUNT_DIGITS_MAX = 10;
/** Custom events that the tracker sends by itself when a page enables them, and their names as goals. */
export const NOT_FOUND_EVENT = '404';
export const FORM_EVENT = 'form submit';
/** Goals that most websites want and the tracker supports by itself. */
export const READY_GOALS = [
  { name: 'Outbound links', type: 'click', match: 'outbound' },
  { name: 'Downloads', type: 'click', match: 'download' },
  { name: 'Form submissions', type: 'event', match: FORM_EVENT },
  { name: 'Pages not found', type: 'event', match: NOT_FOUND_EVENT },
] as const satisfies readonly { name: string; type: GoalType; match: string }[];

/** Returns the ready goals whose name and condition no existing goal has. */
export function missingReadyGoals(goals: readonly { name: string; type: string; match: string }[]) {
  return READY_GOALS.filter(
    (ready) =>
      !goals.some(({ name }) => name === ready.name) &&
      !goals.some(({ type, match }) => type === ready.type && match === ready.match),
  );
}

/** Maximum segments of a website. */
export const SEGMENTS_MAX = 200;

/** Maximum share links of a website. */
export const SHARE_LINKS_MAX = 1_000;
/** Maximum origins that may embed one. */
export const SHARE_ORIGINS_MAX = 20;
/** Start of every token of a share link. */
export const SHARE_TOKEN_START = 'ps_';
/** In a path, the website of the share link that the request presents. */
export const SHARED_WEBSITE = 'shared';

/** Maximum annotations of a website. */
export const ANNOTATIONS_MAX = 2_000;
export const ANNOTATION_TEXT_LENGTH_MAX = 200;

/** Units that a funnel counts, and what may happen between its steps. */
export const FUNNEL_UNITS = ['visitor', 'visit'] as const;
export type FunnelUnit = (typeof FUNNEL_UNITS)[number];
export const FUNNEL_ORDERS = ['loose', 'strict'] as const;
export type FunnelOrder = (typeof FUNNEL_ORDERS)[number];
/** Maximum saved funnels of a website. */
export const FUNNELS_MAX = 200;
export const FUNNEL_STEPS_LENGTH_MAX = 16_384;
/** Maximum days of a window, given in minutes, hours or days. */
export const FUNNEL_WINDOW_DAYS_MAX = 90;

/** Dimensions of attribution. */
export const ATTRIBUTION_DIMENSIONS = ['source', 'channel', 'utmCampaign'] as const;
export type AttributionDimension = (typeof ATTRIBUTION_DIMENSIONS)[number];
export const ATTRIBUTION_DAYS_DEFAULT = 30;
export const ATTRIBUTION_DAYS_MAX = 365;

export const JOURNEY_DIRECTIONS = ['from', 'to'] as const;
export type JourneyDirection = (typeof JOURNEY_DIRECTIONS)[number];
export const JOURNEY_STOPS = ['page', 'event', 'other'] as const;

/** Retention: intervals, then maximum points of a grid, which has half their square. */
export const RETENTION_INTERVALS = ['day', 'week', 'month'] as const;
export const RETENTION_POINTS_MAX = 100;

/** The tracker's own bounds (interface, 4.6). */
/** Version of the contract's script, not of the service. */
export const TRACKER_VERSION = '1.0.0';
export const TRACKER_BATCH_EVENTS = 10;
export const TRACKER_FLUSH_INTERVAL_MS = 5_000;
export const TRACKER_CHUNK_BYTES_MAX = 60_000;

/** Severities of findings of an installation check, the most serious first. */
export const CHECK_SEVERITIES = ['problem', 'warning', 'note', 'good'] as const;
export type CheckSeverity = (typeof CHECK_SEVERITIES)[number];
export const CHECK_CODES = [
  // what arrived
  'unknown-code-arrived',
  'origin-refused',
  'left-out-excluded',
  'left-out-local',
  'left-out-bot',
  'events-arrived',
  // the page
  'page-unreachable',
  'page-private',
  'page-refused',
  'page-not-html',
  // the script in the page
  'script-missing',
  'script-wrong-code',
  'script-without-code',
  'script-insecure',
  'script-held-back',
  'script-elsewhere',
  'script-by-tag-manager',
  'script-found',
  // what the page allows
  'policy-blocks-script',
  'policy-blocks-events',
  'origin-not-allowed',
  // nothing is wrong, and still nothing arrives
  'maybe-blocked',
] as const;
export type CheckCode = (typeof CHECK_CODES)[number];
/** Maximum checks running in one process, at most 1 MiB and 8 seconds each, and of them for one account. */
export const CHECKS_MAX = 8;
export const CHECKS_PER_ACCOUNT_MAX = 2;

/** Address of the demo website: a reserved domain that cannot be registered (RFC 2606). */
export const DEMO_DOMAIN = 'https://demo.example';

/**
 * An uploaded file goes through all of them; an import by a command is `running` from its start. `reading` is the dry run.
 * `running`: also one that was interrupted, which continues. `undoing`: its events are being removed.
 */
export const IMPORT_STATES = [
  'uploading',
  'reading',
  'ready',
  'running',
  'done',
  'failed',
  'undoing',
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];
/** Maximum bytes of an uploaded file, and of one of the parts in which it is sent. */
export const UPLOAD_BYTES_MAX = 2 * 1024 ** 3;
export const UPLOAD_PART_BYTES_MAX = 4 * 1024 ** 2;
/** Maximum uploads of a website that are not imported yet. */
export const UPLOADS_MAX = 10;
/** Rejected rows that a report of an import lists; the others are counted by reason. */
export const REJECTED_ROWS_MAX = 100;
/** Uploads that nothing is done with are removed after so long. */
export const UPLOAD_DAYS = 7;

/** Bits of an event's `flags` column. Append only. */
export const EVENT_FLAGS = {
  /** The User-Agent is on the list of bots. */
  bot: 1,
  /** Sent from an address or a page that the website excludes: stored, but left out of metrics. */
  excluded: 2,
  /** Supplied by the sender; the others of the five were filled in by the server. */
  suppliedDeviceType: 4,
  suppliedBrowser: 8,
  suppliedOs: 16,
  suppliedLocation: 32,
  suppliedLanguage: 64,
  /** The fragment of the address is a route, and so a part of the page. */
  route: 128,
  /** The server derived the visitor, for one day. */
  anonymous: 256,
} as const;
