import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let website: { id: string; trackingCode: string };

beforeAll(async () => {
  service = await createTestService();
  const { token } = await service.signUp();
  website = await service.addWebsite(token);
});

const event = (changes: Record<string, unknown> = {}) =>
  eventFor(website.trackingCode, { eventType: 'click', ...changes });

function submit(body: unknown) {
  return service.send('POST', '/api/v1/events/batch', { body });
}

describe('POST /events/batch', () => {
  test('answers 201 when every event is stored', async () => {
    const { status, body } = await submit({ events: [event(), event({ eventType: 'pageview' })] });
    const stored = (eventType: string) => ({
      id: expect.any(String),
      websiteId: website.id,
      eventType,
      url: 'https://example.com/',
      createdAt: new Date(service.clock.now()).toISOString(),
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        success: true,
        eventsCreated: 2,
        successful: 2,
        failed: 0,
        events: [stored('click'), stored('pageview')],
        message: '2 events created',
      },
    });
  });

  test('moves the times of its events when the clock of the sender is wrong', async () => {
    const sentAt = service.clock.now() - 90 * 86_400_000;
    const { body } = await submit({
      sentAt,
      events: [event({ timestamp: sentAt - 1_000 }), event({ timestamp: sentAt }), event()],
    });
    const at = (agoMs: number) => ({ createdAt: new Date(service.clock.now() - agoMs).toISOString() });
    expect(body).toMatchObject({ success: true, events: [at(1_000), at(0), at(0)] });
  });

  test.each([
    ['text', 'now', 'Must be a whole number'],
    ['beyond what a date can hold', 8.64e15 + 1, 'Must be at most 8640000000000000'],
  ])('answers 400 when the clock of the sender is %s', async (_name, sentAt, sentence) => {
    expect(await submit({ sentAt, events: [event()] })).toMatchObject({
      status: 400,
      body: { details: { fieldErrors: { sentAt: [sentence] } } },
    });
  });

  test('answers 207 when some are refused, each with its position and reason', async () => {
    const id = crypto.randomUUID();
    const other = await service.addWebsite((await service.signUp()).token, 'https://other.example.com');
    await submit({ events: [event({ id, trackingCode: other.trackingCode })] });
    const { status, body } = await submit({
      events: [
        event(),
        event({ trackingCode: 'pm-unknown-1' }),
        event({ url: 'x', eventType: 'scroll' }),
        event({ id }),
        null,
        event(),
      ],
    });
    expect({ status, body }).toEqual({
      status: 207,
      body: {
        success: false,
        eventsCreated: 2,
        successful: 2,
        failed: 4,
        events: [expect.anything(), expect.anything()],
        errors: [
          { index: 1, error: 'NOT_FOUND', message: 'Website with this tracking code not found' },
          {
            index: 2,
            error: 'VALIDATION_ERROR',
            message:
              'Invalid event data (eventType: Must be one of: pageview, click, custom; url: Must be an http or https URL)',
          },
          { index: 3, error: 'CONFLICT', message: 'This event id belongs to an event of another website' },
          { index: 4, error: 'VALIDATION_ERROR', message: 'Invalid event data (Must be an object)' },
        ],
        message: '2 events created, 4 refused',
      },
    });
  });

  test('answers 207 when all are refused', async () => {
    const { status, body } = await submit({ events: [event({ trackingCode: 'pm-unknown-1' })] });
    expect(status).toBe(207);
    expect(body).toMatchObject({ success: false, eventsCreated: 0, events: [], failed: 1 });
  });

  test('counts a repeat as created, also within one batch', async () => {
    const repeated = event({ id: crypto.randomUUID() });
    const { status, body } = await submit({ events: [repeated, repeated] });
    expect({ status, body }).toMatchObject({ status: 201, body: { eventsCreated: 2 } });
    const [first, second] = (body as { events: { id: string }[] }).events;
    expect(first?.id).toBe(second?.id as string);
  });

  test('refuses one event of more than 64 KiB and stores its neighbours', async () => {
    const answer = await submit({ events: [event(), event({ padding: 'x'.repeat(65_536) })] });
    expect(answer).toMatchObject({
      status: 207,
      body: {
        eventsCreated: 1,
        errors: [
          { index: 1, error: 'VALIDATION_ERROR', message: 'Invalid event data (The event is too large)' },
        ],
      },
    });
  });

  test('takes 1,000 events', async () => {
    const answer = await submit({ events: Array.from({ length: 1000 }, () => event()) });
    expect(answer).toMatchObject({ status: 201, body: { eventsCreated: 1000 } });
  });

  test('looks up the tracking codes of a batch together, in one query a stretch', async () => {
    const queries = spyOn(service.database.db.$client, 'execute');
    const codes = Array.from({ length: 1000 }, (_, index) => `pm-unknown-${index}-1763700000000`);
    const answer = await submit({ events: codes.map((trackingCode) => event({ trackingCode })) });
    expect(answer).toMatchObject({ status: 207, body: { eventsCreated: 0, failed: 1000 } });
    // Stretches end with the time, so that a slow machine makes more of them.
    expect(queries.mock.calls.length).toBeLessThan(codes.length / 10);
    queries.mockRestore();
  });

  const ENVELOPES: [string, unknown, object][] = [
    ['without events', {}, { formErrors: [], fieldErrors: { events: ['Required'] } }],
    [
      'with no event',
      { events: [] },
      { formErrors: [], fieldErrors: { events: ['Must have at least 1 entry'] } },
    ],
    [
      'with an object for events',
      { events: { 0: event } },
      { formErrors: [], fieldErrors: { events: ['Must be a list'] } },
    ],
    [
      'with 1,001 events',
      { events: Array(1001).fill({}) },
      { formErrors: [], fieldErrors: { events: ['Must have at most 1000 entries'] } },
    ],
    ['that is a list', [], { formErrors: ['Must be an object'], fieldErrors: {} }],
  ];
  for (const [name, body, details] of ENVELOPES) {
    test(`refuses an envelope ${name} with 400 and stores nothing`, async () => {
      expect(await submit(body)).toMatchObject({
        status: 400,
        body: { error: 'VALIDATION_ERROR', message: 'Invalid event data', details },
      });
    });
  }

  test('refuses a body of more than 5 MiB with 413', async () => {
    const rawBody = `{"events":[],"padding":"${'x'.repeat(5 * 1024 * 1024)}"}`;
    const answer = await service.send('POST', '/api/v1/events/batch', {
      rawBody,
      headers: { 'Content-Type': 'application/json', 'Content-Length': String(rawBody.length) },
    });
    expect(answer).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});
