import { t } from 'elysia';
import { choice, integer, integerText, PLAIN } from './types.ts';
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

/** Begins like a web address and holds no control characters; whether it is one is asked of the URL parser. */
const WEB_ADDRESS = '[hH][tT][tT][pP][sS]?://[^\\u0000-\\u001f\\u007f]+';
const NO_WEB_ADDRESS = { 'x-messages': { pattern: 'Must be an http or https URL' } };

/** A date, an instant with or without its offset, or milliseconds since the epoch. */
const INSTANT_PATTERN =
  '^(-?\\d{1,16}|\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:?\\d{2})?)?)$';

const DEVICE_TYPE_OR_EMPTY = [...DEVICE_TYPES, ''] as const;

/** One event as a client submits it. Unknown fields are ignored; an empty optional field counts as absent. */
export const EventInput = t.Object(
  {
    id: t.Optional(
      t.String({
        pattern: `${UUID_PATTERN}|^$`,
        description:
          'A UUID chosen by the client; it becomes the id of the stored event. A repeat is stored once and answered like the first time. Absent: the server makes one.',
        'x-messages': { pattern: 'Must be a UUID' },
      }),
    ),
    trackingCode: t.String({
      pattern: '^pm-',
      maxLength: TRACKING_CODE_LENGTH_MAX,
      description: 'The tracking code of an existing website; begins with pm-.',
      examples: ['pm-7Hd82kLmQ0sTzW1x-1763700000000'],
      'x-messages': {
        pattern: 'Invalid tracking code format',
        maxLength: 'Invalid tracking code format',
      },
    }),
    eventType: choice(EVENT_TYPES, { description: 'What happened.' }),
    url: t.String({
      ...NO_WEB_ADDRESS,
      pattern: `^${WEB_ADDRESS}$`,
      maxLength: URL_LENGTH_MAX,
      description: 'http or https address of the page where the event happened.',
      examples: ['https://example.com/pricing?utm_source=news'],
    }),
    referrer: t.Optional(
      t.String({
        ...NO_WEB_ADDRESS,
        pattern: `^(${WEB_ADDRESS})?$`,
        maxLength: URL_LENGTH_MAX,
        description: 'http or https address of the page before.',
        examples: ['https://news.example.org/'],
      }),
    ),
    sessionId: t.String({
      ...PLAIN,
      minLength: 1,
      maxLength: EVENT_ID_LENGTH_MAX,
      description: 'The browser tab: a text of your choice that stays the same until it is closed.',
      examples: ['7f3c1a90'],
    }),
    visitorId: t.String({
      ...PLAIN,
      minLength: 1,
      maxLength: EVENT_ID_LENGTH_MAX,
      description: 'The browser: a text of your choice that stays the same from visit to visit.',
      examples: ['b2d94e57'],
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
          'When it happened, in milliseconds since the epoch; becomes createdAt. Absent, or more than 5 minutes ahead: the time of the server. Older than MAX_EVENT_AGE_DAYS (30, if not set otherwise): refused, unless sent with an API key of scope events.',
      }),
    ),
    properties: t.Optional(
      t.Record(t.String(), t.Unknown(), {
        description: `Custom key-value pairs: at most ${PROPERTIES_KEYS_MAX} keys of ${PROPERTY_KEY_LENGTH_MAX} characters, ${PROPERTIES_DEPTH_MAX} levels deep, ${PROPERTIES_BYTES_MAX} bytes as JSON.`,
        examples: [{ plan: 'pro' }],
      }),
    ),
  },
  { additionalProperties: true, title: 'EventInput', description: 'An event as a client submits it.' },
);
export type EventInput = typeof EventInput.static;

const storedFields = {
  id: t.String({
    description: 'UUID of the event.',
    examples: ['01938f5e-8c00-7a3b-9c41-0d2f6b7a9e10'],
  }),
  eventType: choice(EVENT_TYPES, { description: 'What happened.' }),
  url: t.String({
    description: 'Address of the page where it happened.',
    examples: ['https://example.com/pricing?utm_source=news'],
  }),
  referrer: t.Optional(t.String({ description: 'Address of the page before. Absent when there was none.' })),
  sessionId: t.String({ description: 'The browser tab.', examples: ['7f3c1a90'] }),
  visitorId: t.String({ description: 'The browser.', examples: ['b2d94e57'] }),
  deviceType: t.Optional(choice(DEVICE_TYPES, { description: 'Absent when it is not known.' })),
  browser: t.Optional(t.String({ description: 'Browser name. Absent when it is not known.' })),
  os: t.Optional(t.String({ description: 'Operating system name. Absent when it is not known.' })),
  location: t.Optional(
    t.String({ description: 'A short geographic code. Absent when it is not known.', examples: ['DE'] }),
  ),
  language: t.Optional(
    t.String({ description: 'Language tag. Absent when it is not known.', examples: ['en-GB'] }),
  ),
  screen: t.Optional(
    t.String({ description: 'Size of the screen. Absent when it is not known.', examples: ['1920x1080'] }),
  ),
  createdAt: t.String({
    format: 'date-time',
    description: 'When it happened. ISO 8601, UTC, with milliseconds.',
  }),
};
const websiteId = t.String({
  description: 'The website that it belongs to.',
  examples: ['0193d4a1-7c2e-7bb0-8f6d-5a1e3c9b2d40'],
});

/** The answer to a created event: what was supplied, without properties. */
export const CreatedEvent = t.Object(
  { ...storedFields, websiteId },
  { title: 'CreatedEvent', description: 'The event is stored. Holds what was supplied, without properties.' },
);
export type CreatedEvent = typeof CreatedEvent.static;

export const ListedEvent = t.Object(storedFields, {
  title: 'ListedEvent',
  description: 'A stored event, without its website and properties.',
});
export type ListedEvent = typeof ListedEvent.static;

export const StoredEvent = t.Object(
  {
    ...storedFields,
    websiteId,
    properties: t.Union([t.Record(t.String(), t.Unknown()), t.Null()], {
      description: 'As sent; null when none were.',
      examples: [{ plan: 'pro' }],
    }),
  },
  { title: 'StoredEvent', description: 'A stored event with everything that is known of it.' },
);
export type StoredEvent = typeof StoredEvent.static;

export const BatchInput = t.Object(
  {
    events: t.Array(EventInput, {
      minItems: 1,
      maxItems: BATCH_EVENTS_MAX,
      description: `1 to ${BATCH_EVENTS_MAX} events. Each is judged alone.`,
    }),
  },
  { additionalProperties: true },
);

const BatchItem = t.Object(
  {
    id: storedFields.id,
    websiteId,
    eventType: storedFields.eventType,
    url: storedFields.url,
    createdAt: storedFields.createdAt,
  },
  { title: 'BatchItem', description: 'An event of a batch that is stored.' },
);
const batchFields = {
  eventsCreated: integer({ minimum: 0, description: 'How many were stored; a repeat counts.' }),
  successful: integer({ minimum: 0, description: 'The same as eventsCreated.' }),
  failed: integer({ minimum: 0, description: 'How many were refused.', examples: [0] }),
  events: t.Array(BatchItem, { description: 'Those that are stored, in the order of the request.' }),
  message: t.String({ description: 'A sentence for people.' }),
};

/** 201: every event is stored. */
export const BatchStored = t.Object(
  { success: t.Literal(true, { description: 'Every event is stored.' }), ...batchFields },
  { description: 'Every event is stored.' },
);

/** 207: at least one event was refused, perhaps all. */
export const BatchPartlyStored = t.Object(
  {
    success: t.Literal(false, { description: 'Not every event is stored.' }),
    ...batchFields,
    errors: t.Array(
      t.Object({
        index: integer({ minimum: 0, description: 'Position in the request, from 0.', examples: [0] }),
        error: choice(['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'INTERNAL_ERROR'], {
          description: 'A code for machines. INTERNAL_ERROR alone is worth another try.',
        }),
        message: t.String({ description: 'A sentence for people: what is wrong with this event.' }),
      }),
      { description: 'Those that were refused.' },
    ),
  },
  { description: 'At least one event was refused, perhaps all.' },
);
export type BatchAnswer = typeof BatchStored.static | typeof BatchPartlyStored.static;

const instantText = (description: string) =>
  t.String({
    pattern: INSTANT_PATTERN,
    description: `${description} ISO 8601 (without an offset: UTC) or milliseconds.`,
    examples: ['2026-11-20T12:00:00Z'],
  });

/** GET /events. Values arrive as text and are read by `readEventsQuery`. */
export const EventsQuery = t.Object(
  {
    trackingCode: t.String({
      description: 'The tracking code of the website whose events are listed.',
      examples: ['pm-7Hd82kLmQ0sTzW1x-1763700000000'],
    }),
    eventType: t.Optional(choice(EVENT_TYPES, { description: 'Events of this type only.' })),
    limit: t.Optional(
      integerText({
        minimum: 1,
        description: `Default ${EVENTS_LIMIT_DEFAULT}; above ${EVENTS_LIMIT_MAX} means ${EVENTS_LIMIT_MAX}.`,
      }),
    ),
    offset: t.Optional(integerText({ minimum: 0, description: 'Default 0.' })),
    cursor: t.Optional(
      t.String({ minLength: 1, description: 'pagination.nextCursor of the page before; instead of offset.' }),
    ),
    from: t.Optional(instantText('Events at or after this instant.')),
    to: t.Optional(instantText('Events before this instant.')),
    sessionId: t.Optional(
      t.String({ minLength: 1, maxLength: EVENT_ID_LENGTH_MAX, description: 'Events of this browser tab.' }),
    ),
    visitorId: t.Optional(
      t.String({ minLength: 1, maxLength: EVENT_ID_LENGTH_MAX, description: 'Events of this browser.' }),
    ),
    url: t.Optional(
      t.String({
        minLength: 1,
        maxLength: URL_LENGTH_MAX,
        description: 'Events of exactly this page address.',
      }),
    ),
  },
  { additionalProperties: true },
);

export const EventsPage = t.Object(
  {
    events: t.Array(ListedEvent, { description: 'Newest first.' }),
    pagination: t.Object(
      {
        total: integer({ minimum: 0, description: 'How many events match, on all pages.' }),
        limit: integer({ minimum: 1, maximum: EVENTS_LIMIT_MAX, description: 'As it was applied.' }),
        offset: integer({ minimum: 0, description: 'As it was applied.', examples: [0] }),
        nextCursor: t.Optional(t.String({ description: 'Present when there are more.' })),
      },
      { description: 'Where this page is among all of them.' },
    ),
  },
  { description: 'A page of events.' },
);
export type EventsPage = typeof EventsPage.static;
