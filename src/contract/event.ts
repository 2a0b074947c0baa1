import { t } from 'elysia';
import { choice, integer, integerText } from './types.ts';
import {
  BATCH_EVENTS_MAX,
  BROWSER_LENGTH_MAX,
  DEVICE_TYPES,
  EVENT_ID_LENGTH_MAX,
  EVENT_TYPES,
  EVENTS_LIMIT_DEFAULT,
  EVENTS_LIMIT_MAX,
  LANGUAGE_LENGTH_MAX,
  LOCATION_LENGTH_MAX,
  PROPERTIES_BYTES_MAX,
  PROPERTIES_DEPTH_MAX,
  PROPERTIES_KEYS_MAX,
  PROPERTY_KEY_LENGTH_MAX,
  SCREEN_LENGTH_MAX,
  TIMESTAMP_MS_MAX,
  TRACKING_CODE_LENGTH_MAX,
  URL_LENGTH_MAX,
} from './vocabulary.ts';

export const UUID_PATTERN = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
/** Text that is stored as it is: no control characters (NUL would cut it short in the database). */
const PLAIN_TEXT = '^[^\\u0000-\\u001f\\u007f]*$';
const PLAIN = { pattern: PLAIN_TEXT, 'x-messages': { pattern: 'Must not hold control characters' } };

const DEVICE_TYPE_OR_EMPTY = [...DEVICE_TYPES, ''] as const;

/** One event as a client submits it. Unknown fields are ignored; an empty optional field counts as absent. */
export const EventInput = t.Object(
  {
    id: t.Optional(
      t.String({
        pattern: `${UUID_PATTERN}|^$`,
        description:
          'A UUID chosen by the client; it becomes the id of the stored event. A repeat is stored once and answered like the first time.',
        'x-messages': { pattern: 'Must be a UUID' },
      }),
    ),
    trackingCode: t.String({
      pattern: '^pm-',
      maxLength: TRACKING_CODE_LENGTH_MAX,
      description: 'The tracking code of an existing website.',
      examples: ['pm-7Hd82kLmQ0sTzW1x-1763700000000'],
      'x-messages': {
        pattern: 'Invalid tracking code format',
        maxLength: 'Invalid tracking code format',
      },
    }),
    eventType: choice(EVENT_TYPES, { description: 'What happened.' }),
    url: t.String({
      ...PLAIN,
      maxLength: URL_LENGTH_MAX,
      description: 'http or https address of the page where the event happened.',
      examples: ['https://example.com/pricing?utm_source=news'],
    }),
    referrer: t.Optional(
      t.String({
        ...PLAIN,
        maxLength: URL_LENGTH_MAX,
        description: 'http or https address of the page before.',
      }),
    ),
    sessionId: t.String({
      ...PLAIN,
      minLength: 1,
      maxLength: EVENT_ID_LENGTH_MAX,
      description: 'The browser tab.',
    }),
    visitorId: t.String({
      ...PLAIN,
      minLength: 1,
      maxLength: EVENT_ID_LENGTH_MAX,
      description: 'The browser.',
    }),
    deviceType: t.Optional(
      choice(DEVICE_TYPE_OR_EMPTY, {
        description: 'When absent, filled in from the User-Agent.',
        'x-messages': { pattern: `Must be one of: ${DEVICE_TYPES.join(', ')}` },
      }),
    ),
    browser: t.Optional(
      t.String({
        ...PLAIN,
        maxLength: BROWSER_LENGTH_MAX,
        description: 'Browser name. When absent, filled in from the User-Agent.',
      }),
    ),
    os: t.Optional(
      t.String({
        ...PLAIN,
        maxLength: BROWSER_LENGTH_MAX,
        description: 'Operating system name. When absent, filled in from the User-Agent.',
      }),
    ),
    location: t.Optional(
      t.String({
        ...PLAIN,
        maxLength: LOCATION_LENGTH_MAX,
        description:
          'A short geographic code. When absent, the country of the IP address (which is not stored).',
        examples: ['DE'],
      }),
    ),
    language: t.Optional(
      t.String({
        ...PLAIN,
        maxLength: LANGUAGE_LENGTH_MAX,
        description: 'Language tag of the browser. When absent, filled in from Accept-Language.',
        examples: ['en-GB'],
      }),
    ),
    screen: t.Optional(
      t.String({
        ...PLAIN,
        maxLength: SCREEN_LENGTH_MAX,
        description: 'Size of the screen in CSS pixels.',
        examples: ['1920x1080'],
      }),
    ),
    timestamp: t.Optional(
      integer({
        minimum: -TIMESTAMP_MS_MAX,
        maximum: TIMESTAMP_MS_MAX,
        description:
          'When it happened, in milliseconds since the epoch; becomes createdAt. Absent, or more than 5 minutes ahead: the time of the server. Older than MAX_EVENT_AGE_DAYS (30): refused, unless sent with an API key of scope events.',
      }),
    ),
    properties: t.Optional(
      t.Record(t.String(), t.Unknown(), {
        description: `Custom key-value pairs: at most ${PROPERTIES_KEYS_MAX} keys of ${PROPERTY_KEY_LENGTH_MAX} characters, ${PROPERTIES_DEPTH_MAX} levels deep, ${PROPERTIES_BYTES_MAX} bytes as JSON.`,
      }),
    ),
  },
  { additionalProperties: true },
);
export type EventInput = typeof EventInput.static;

const storedFields = {
  id: t.String({ description: 'UUID of the event.' }),
  eventType: choice(EVENT_TYPES),
  url: t.String(),
  referrer: t.Optional(t.String()),
  sessionId: t.String(),
  visitorId: t.String(),
  deviceType: t.Optional(choice(DEVICE_TYPES)),
  browser: t.Optional(t.String()),
  os: t.Optional(t.String()),
  location: t.Optional(t.String()),
  language: t.Optional(t.String()),
  screen: t.Optional(t.String()),
  createdAt: t.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
};
const websiteId = t.String({ description: 'The website that it belongs to.' });

/** The answer to a created event: what was supplied, without properties. */
export const CreatedEvent = t.Object({ ...storedFields, websiteId });
export type CreatedEvent = typeof CreatedEvent.static;

export const ListedEvent = t.Object(storedFields);
export type ListedEvent = typeof ListedEvent.static;

export const StoredEvent = t.Object({
  ...storedFields,
  websiteId,
  properties: t.Union([t.Record(t.String(), t.Unknown()), t.Null()], {
    description: 'As sent; null when none were.',
  }),
});
export type StoredEvent = typeof StoredEvent.static;

export const BatchInput = t.Object(
  {
    events: t.Array(EventInput, {
      minItems: 1,
      maxItems: BATCH_EVENTS_MAX,
      description: 'Each event is judged alone.',
    }),
  },
  { additionalProperties: true },
);

const BatchItem = t.Object({
  id: storedFields.id,
  websiteId,
  eventType: storedFields.eventType,
  url: storedFields.url,
  createdAt: storedFields.createdAt,
});
const batchFields = {
  eventsCreated: integer({ minimum: 0, description: 'How many were stored; a repeat counts.' }),
  successful: integer({ minimum: 0 }),
  failed: integer({ minimum: 0 }),
  events: t.Array(BatchItem),
  message: t.String(),
};

/** 201: every event is stored. */
export const BatchStored = t.Object({ success: t.Literal(true), ...batchFields });

/** 207: at least one event was refused, perhaps all. */
export const BatchPartlyStored = t.Object({
  success: t.Literal(false),
  ...batchFields,
  errors: t.Array(
    t.Object({
      index: integer({ minimum: 0, description: 'Position in the request.' }),
      error: choice(['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'INTERNAL_ERROR']),
      message: t.String(),
    }),
  ),
});
export type BatchAnswer = typeof BatchStored.static | typeof BatchPartlyStored.static;

const instantText = (description: string) =>
  t.String({ description: `${description} ISO 8601 or milliseconds.` });

/** GET /events. Values arrive as text and are read by `readEventsQuery`. */
export const EventsQuery = t.Object(
  {
    trackingCode: t.String({ description: 'The website whose events are listed.' }),
    eventType: t.Optional(choice(EVENT_TYPES)),
    limit: t.Optional(
      integerText({
        minimum: 1,
        description: `Default ${EVENTS_LIMIT_DEFAULT}; above ${EVENTS_LIMIT_MAX} means ${EVENTS_LIMIT_MAX}.`,
      }),
    ),
    offset: t.Optional(integerText({ minimum: 0, description: 'Default 0.' })),
    cursor: t.Optional(
      t.String({ description: 'pagination.nextCursor of the page before; instead of offset.' }),
    ),
    from: t.Optional(instantText('Events at or after this instant.')),
    to: t.Optional(instantText('Events before this instant.')),
    sessionId: t.Optional(t.String({ maxLength: EVENT_ID_LENGTH_MAX })),
    visitorId: t.Optional(t.String({ maxLength: EVENT_ID_LENGTH_MAX })),
    url: t.Optional(
      t.String({ maxLength: URL_LENGTH_MAX, description: 'Events of exactly this page address.' }),
    ),
  },
  { additionalProperties: true },
);

export const EventsPage = t.Object({
  events: t.Array(ListedEvent, { description: 'Newest first.' }),
  pagination: t.Object({
    total: integer({ minimum: 0, description: 'How many events match, on all pages.' }),
    limit: integer({ minimum: 1, maximum: EVENTS_LIMIT_MAX }),
    offset: integer({ minimum: 0 }),
    nextCursor: t.Optional(t.String({ description: 'Present when there are more.' })),
  }),
});
export type EventsPage = typeof EventsPage.static;
