import type { TSchema } from '@sinclair/typebox';
import { t } from 'elysia';
import {
  BATCH_EVENTS_MAX,
  DEVICE_TYPES,
  ENGAGED_SECONDS_MAX,
  EVENT_ID_LENGTH_MAX,
  EVENT_TYPES,
  EVENTS_LIMIT_DEFAULT,
  EVENTS_LIMIT_MAX,
  OFFSET_MAX,
  PROPERTIES_BYTES_MAX,
  PROPERTIES_DEPTH_MAX,
  PROPERTIES_KEYS_MAX,
  PROPERTY_KEY_LENGTH_MAX,
  TIMESTAMP_MS_MAX,
  TRACKING_CODE_LENGTH_MAX,
  URL_LENGTH_MAX,
} from '../vocabulary/contract.ts';
import { mapEventTexts } from '../vocabulary/event-texts.ts';
import { choice, integer, integerText, PLAIN } from './types.ts';

const UUID_PATTERN = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/**
 * Matches texts that begin like a web address and have no control characters; the URL parser decides whether they are
 * valid.
 */
const WEB_ADDRESS = '[hH][tT][tT][pP][sS]?://[^\\u0000-\\u001f\\u007f]+';
/** Matches a scheme and no control characters; the URL parser decides the rest. */
const ABSOLUTE_URL = '[a-zA-Z][a-zA-Z0-9+.-]*:[^\\u0000-\\u001f\\u007f]*';
const NO_WEB_ADDRESS = { 'x-messages': { pattern: 'Must be an http or https URL' } };

const DEVICE_TYPE_OR_EMPTY = [...DEVICE_TYPES, ''] as const;

/**
 * Makes a field optional. Many back ends send null for values that they lack, so null counts as absent: `events/judge`
 * removes it before validation, and the OpenAPI document adds it to the type.
 */
function mayBeNull<Schema extends TSchema>(schema: Schema) {
  return t.Optional<Schema>({ ...schema, 'x-null': true });
}

/** The sender's clock at the time of sending. */
export const SentAt = integer({
  minimum: -TIMESTAMP_MS_MAX,
  maximum: TIMESTAMP_MS_MAX,
  description:
    "What the sender's clock says at the moment of sending, in milliseconds since the epoch. When it differs by more than 5 minutes from the server's, the clock is wrong: each timestamp is moved by the difference, and then judged as any other. In a batch it is next to events; an event may have its own.",
});

/** An event as clients submit it. Unknown fields are ignored; an optional field that is empty or null is absent. */
export const EventInput = t.Object(
  {
    id: mayBeNull(
      t.String({
        pattern: `${UUID_PATTERN}|^$`,
        description:
          'A UUID chosen by the client; it becomes the id of the stored event. A repeat is stored once and answered like the first time; under another visitorId, with what that one holds. Absent: the server makes one.',
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
      description:
        'http or https address of the page where the event happened. Its fragment is dropped, unless it is a route (#/pricing, #!/pricing).',
      examples: ['https://example.com/pricing?utm_source=news'],
    }),
    referrer: mayBeNull(
      t.String({
        pattern: `^(${ABSOLUTE_URL})?$`,
        description: `Absolute URL of the page or the Android app (android-app://) before. One of another scheme counts as absent; of one over ${URL_LENGTH_MAX} characters the origin is kept; its fragment is dropped.`,
        'x-messages': { pattern: 'Must be an absolute URL' },
        examples: ['https://news.example.org/'],
      }),
    ),
    anonymous: mayBeNull(
      t.Boolean({
        description:
          'The event carries no ids: the server derives the visitor of the day from address and User-Agent, and ignores a sessionId or visitorId that is sent. Default: false.',
      }),
    ),
    sessionId: mayBeNull(
      t.String({
        ...PLAIN,
        minLength: 1,
        maxLength: EVENT_ID_LENGTH_MAX,
        description:
          'The browser tab: a text of your choice that stays the same until it is closed. Required unless the event is anonymous.',
        examples: ['7f3c1a90'],
      }),
    ),
    visitorId: mayBeNull(
      t.String({
        ...PLAIN,
        minLength: 1,
        maxLength: EVENT_ID_LENGTH_MAX,
        description:
          'The browser: a text of your choice that stays the same from visit to visit. Required unless the event is anonymous.',
        examples: ['b2d94e57'],
      }),
    ),
    deviceType: mayBeNull(
      choice(DEVICE_TYPE_OR_EMPTY, {
        description: 'When absent, filled in from the User-Agent.',
        'x-messages': { pattern: `Must be one of: ${DEVICE_TYPES.join(', ')}` },
      }),
    ),
    ...mapEventTexts((_, { lengthMax, description, examples, filledIn }) =>
      mayBeNull(
        t.String({
          ...PLAIN,
          maxLength: lengthMax,
          description: filledIn ? `${description} When absent, ${filledIn.from}.` : description,
          ...(examples && { examples }),
        }),
      ),
    ),
    timestamp: mayBeNull(
      integer({
        minimum: -TIMESTAMP_MS_MAX,
        maximum: TIMESTAMP_MS_MAX,
        description:
          'When it happened, in milliseconds since the epoch; becomes createdAt. Absent, or more than 5 minutes ahead, after sentAt has been taken into account: the time of the server. Older than MAX_EVENT_AGE_DAYS (30, if not set otherwise): refused, unless sent with an API key of scope events. So is what reads as seconds: from 1000000000 to a day from now, which would be January 1970.',
      }),
    ),
    sentAt: mayBeNull(SentAt),
    engagedSeconds: mayBeNull(
      integer({
        minimum: 0,
        maximum: ENGAGED_SECONDS_MAX,
        description:
          'Seconds during which the page of a pageview was visible and used. They come later: repeat the pageview, with its id, to report them. The greatest report counts.',
      }),
    ),
    scrollDepth: mayBeNull(
      integer({
        minimum: 0,
        maximum: 100,
        description:
          "The deepest point of a pageview's page that was seen, in percent of its height. Reported like engagedSeconds.",
      }),
    ),
    properties: mayBeNull(
      t.Record(t.String(), t.Unknown(), {
        description: `Custom key-value pairs: at most ${PROPERTIES_KEYS_MAX} keys of ${PROPERTY_KEY_LENGTH_MAX} characters, ${PROPERTIES_DEPTH_MAX} levels deep, ${PROPERTIES_BYTES_MAX} bytes as JSON.`,
        examples: [{ plan: 'pro' }],
      }),
    ),
  },
  {
    additionalProperties: true,
    title: 'EventInput',
    description: 'An event as a client submits it. An optional field that is empty or null counts as absent.',
  },
);
export type EventInput = typeof EventInput.static;

export const BatchInput = t.Object(
  {
    events: t.Array(EventInput, {
      minItems: 1,
      maxItems: BATCH_EVENTS_MAX,
      description: `1 to ${BATCH_EVENTS_MAX} events. Each is judged alone.`,
    }),
    sentAt: mayBeNull(SentAt),
  },
  { additionalProperties: true },
);

/** Matches instants that `events/query` accepts, except for the length of months. */
const INSTANT_PATTERN =
  '^(-?\\d{1,16}|\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-]([01]\\d|2[0-3]):?[0-5]\\d)?)?)$';
const instantText = (description: string) =>
  t.String({
    pattern: INSTANT_PATTERN,
    description: `${description} ISO 8601 (without an offset: UTC) or milliseconds.`,
    examples: ['2026-11-20T12:00:00Z'],
  });

/** GET /events. Values arrive as text and are parsed by `readEventsQuery`. */
export const EventsQuery = t.Object(
  {
    trackingCode: t.String({
      minLength: 1,
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
    offset: t.Optional(
      integerText({ minimum: 0, description: `Default 0; above ${OFFSET_MAX} means ${OFFSET_MAX}.` }),
    ),
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
