import { beforeAll, describe, expect, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let token: string;
let website: { id: string; trackingCode: string };

beforeAll(async () => {
  service = await createTestService();
  token = (await service.signUp()).token;
  website = await service.addWebsite(token);
});

type Fields = Record<string, unknown>;

const submit = (fields: Fields) =>
  service.send('POST', '/api/v1/events', { body: eventFor(website.trackingCode, fields) });

async function read(id: string): Promise<Fields> {
  const { body } = await service.send('GET', `/api/v1/events/${id}`, { token });
  const { engagedSeconds, scrollDepth } = body as Fields;
  return { engagedSeconds, scrollDepth };
}

describe('engagement of a pageview', () => {
  test('is absent until it is reported, then shown with the event', async () => {
    const id = crypto.randomUUID();
    await submit({ id });
    expect(await read(id)).toEqual({ engagedSeconds: undefined, scrollDepth: undefined });
    expect((await submit({ id, engagedSeconds: 0, scrollDepth: 40 })).status).toBe(201);
    expect(await read(id)).toEqual({ engagedSeconds: 0, scrollDepth: 40 });
  });

  test('is the greatest of all reports, each value for itself', async () => {
    const id = crypto.randomUUID();
    await submit({ id, engagedSeconds: 43_200 });
    await submit({ id, scrollDepth: 100 });
    await submit({ id, engagedSeconds: 3, scrollDepth: 7 });
    expect(await read(id)).toEqual({ engagedSeconds: 43_200, scrollDepth: 100 });
  });

  test('counts once in a batch that holds the pageview and its reports, and adds no event', async () => {
    const id = crypto.randomUUID();
    const total = async () =>
      (await service.send('GET', `/api/v1/events?trackingCode=${website.trackingCode}`, { token })).body;
    const before = (await total()) as { pagination: { total: number } };
    const events = [{}, { engagedSeconds: 5 }, { engagedSeconds: 9, scrollDepth: 50 }, { engagedSeconds: 7 }];
    const body = { events: events.map((fields) => eventFor(website.trackingCode, { id, ...fields })) };
    expect((await service.send('POST', '/api/v1/events/batch', { body })).status).toBe(201);
    expect(await read(id)).toEqual({ engagedSeconds: 9, scrollDepth: 50 });
    expect(await total()).toMatchObject({ pagination: { total: before.pagination.total + 1 } });
  });

  test('stays the same after a thousand reports that are not greater', async () => {
    const id = crypto.randomUUID();
    await submit({ id, engagedSeconds: 60, scrollDepth: 60 });
    const one = eventFor(website.trackingCode, { id, engagedSeconds: 60, scrollDepth: 1 });
    const body = { events: Array.from({ length: 1_000 }, () => one) };
    expect((await service.send('POST', '/api/v1/events/batch', { body })).status).toBe(201);
    expect(await read(id)).toEqual({ engagedSeconds: 60, scrollDepth: 60 });
  });

  test('is not changed by a report of another visitor, or for another website', async () => {
    const id = crypto.randomUUID();
    await submit({ id, engagedSeconds: 1 });
    await submit({ id, engagedSeconds: 50, visitorId: 'another-visitor' });
    const other = await service.addWebsite(token, 'https://other.example');
    const forged = eventFor(other.trackingCode, { id, engagedSeconds: 50 });
    expect((await service.send('POST', '/api/v1/events', { body: forged })).status).toBe(409);
    expect(await read(id)).toEqual({ engagedSeconds: 1, scrollDepth: undefined });
  });

  test('is not changed by a report that names the id of a click', async () => {
    const id = crypto.randomUUID();
    await submit({ id, eventType: 'click' });
    await submit({ id, engagedSeconds: 50 });
    expect(await read(id)).toEqual({ engagedSeconds: undefined, scrollDepth: undefined });
  });

  test.each([
    ['a negative time', { engagedSeconds: -1 }, 'engagedSeconds'],
    ['more than half a day', { engagedSeconds: 43_201 }, 'engagedSeconds'],
    ['a fraction of a second', { engagedSeconds: 1.5 }, 'engagedSeconds'],
    ['a time as text', { engagedSeconds: '5' }, 'engagedSeconds'],
    ['a depth over 100 %', { scrollDepth: 101 }, 'scrollDepth'],
    ['a negative depth', { scrollDepth: -1 }, 'scrollDepth'],
    ['a click', { eventType: 'click', engagedSeconds: 1 }, 'engagedSeconds'],
    ['a custom event', { eventType: 'custom', scrollDepth: 1 }, 'scrollDepth'],
  ])('is refused by the name of the field: %s', async (_, fields, field) => {
    const { status, body } = await submit(fields);
    expect(status).toBe(400);
    expect(Object.keys((body as { details: { fieldErrors: Fields } }).details.fieldErrors)).toEqual([field]);
  });

  test('is shown in the path of the session and in the export of the visitor', async () => {
    const id = crypto.randomUUID();
    const who = { sessionId: 'reader-session', visitorId: 'reader' };
    await submit({ id, ...who });
    await submit({ id, ...who, engagedSeconds: 372, scrollDepth: 80 });
    const path = `/api/v1/websites/${website.id}`;
    const session = await service.send('GET', `${path}/sessions/reader-session`, { token });
    expect(session.body).toMatchObject({ events: [{ id, engagedSeconds: 372, scrollDepth: 80 }] });
    const file = await service.send('GET', `${path}/visitors/reader/export`, { token });
    expect(file.body).toMatchObject({ events: [{ id, engagedSeconds: 372, scrollDepth: 80 }] });
  });
});
