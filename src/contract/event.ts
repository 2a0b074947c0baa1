import { t } from 'elysia';
import { DEVICE_TYPES, EVENT_TYPES, EVENTS_LIMIT_MAX } from '../vocabulary/contract.ts';
import { mapEventTexts } from '../vocabulary/event-texts.ts';
import { choice, instant, integer } from './types.ts';

export const ENGAGED_SECONDS = 'Seconds during which the page was visible and used.';
export const SCROLL_DEPTH = 'Deepest point of the page that was seen, in percent.';

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
  ...mapEventTexts((_, { description, examples }) =>
    t.Optional(
      t.String({ description: `${description} Absent when it is not known.`, ...(examples && { examples }) }),
    ),
  ),
  createdAt: instant('When it happened. ISO 8601, UTC, with milliseconds.'),
};
const websiteId = t.String({
  description: 'The website that it belongs to.',
  examples: ['0193d4a1-7c2e-7bb0-8f6d-5a1e3c9b2d40'],
});

/** Answer to a created event: the supplied fields, without properties. */
export const CreatedEvent = t.Object(
  { ...storedFields, websiteId },
  { title: 'CreatedEvent', description: 'The event is stored. Holds what was supplied, without properties.' },
);
export type CreatedEvent = typeof CreatedEvent.static;

const listedFields = {
  ...storedFields,
  engagedSeconds: t.Optional(
    integer({ minimum: 0, description: `${ENGAGED_SECONDS} Absent when not reported.` }),
  ),
  scrollDepth: t.Optional(
    integer({ minimum: 0, maximum: 100, description: `${SCROLL_DEPTH} Absent when not reported.` }),
  ),
};

export const ListedEvent = t.Object(listedFields, {
  title: 'ListedEvent',
  description: 'A stored event, without its website and properties.',
});
export type ListedEvent = typeof ListedEvent.static;

export const StoredEvent = t.Object(
  {
    ...listedFields,
    websiteId,
    properties: t.Union([t.Record(t.String(), t.Unknown()), t.Null()], {
      description: 'As sent; null when none were.',
      examples: [{ plan: 'pro' }],
    }),
  },
  { title: 'StoredEvent', description: 'A stored event with everything that is known of it.' },
);
export type StoredEvent = typeof StoredEvent.static;

const BatchItem = t.Object(
  {
    id: storedFields.id,
    websiteId,
    eventType: storedFields.eventType,
    url: storedFields.url,
    createdAt: storedFields.createdAt,
    visitorId: t.Optional(t.String({ description: 'Of an anonymous event: the visitor of the day.' })),
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

/** 207: at least one event was rejected, perhaps all. */
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
