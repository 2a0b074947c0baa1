import { beforeAll, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { events } from '../../src/db/log-schema.ts';
import { uuidToBytes } from '../../src/db/packed-id.ts';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

/** The log stores addresses and clients in shorter forms; no answer may show them. */

const CLIENT = { browser: 'Firefox', os: 'Linux', language: 'de-DE', screen: '2560x1440' };
const PAGE = 'https://example.com/pricing';
const FILTER = encodeURIComponent(PAGE);

let service: TestService;
let token: string;
let website: { id: string; trackingCode: string };

beforeAll(async () => {
  service = await createTestService();
  token = (await service.signUp()).token;
  website = await service.addWebsite(token);
});

const send = (id: string, changes: Record<string, unknown>) =>
  service.send('POST', '/api/v1/events', { body: eventFor(website.trackingCode, { id, ...changes }) });

describe('what was sent comes back', () => {
  test.each([
    ['a page of the website before it', { url: PAGE, referrer: 'https://example.com/', ...CLIENT }],
    ['another website before it', { url: PAGE, referrer: 'https://www.google.com/', ...CLIENT }],
    ['http', { url: 'http://example.com/a', referrer: 'http://example.com/b' }],
    ['http before https', { url: PAGE, referrer: 'http://example.com/' }],
    ['capital letters', { url: 'HTTPS://Example.com/A', referrer: 'HTTPS://Example.com/' }],
    ['a host that looks like a scheme', { url: 'https://http:80/', referrer: 'https://https:443/x' }],
    ['an address without a path', { url: 'https://example.com', referrer: 'https://example.com/' }],
    ['a slash in the query only', { url: 'https://example.com?a=/b', referrer: 'https://example.com?a=/c' }],
    [
      'a mark of byte order before the host',
      { url: 'https://\uFEFFexample.com/', referrer: 'https://\uFEFFa.b/' },
    ],
    ['letters beyond ASCII', { url: 'https://exämple.com/\u{1F600}', referrer: 'https://exämple.com/ß' }],
    [
      'names without a code',
      { url: PAGE, browser: '\uFEFFNetscape', os: 'BeOS', language: 'x-y', screen: '1x' },
    ],
    ['one name without a code', { url: PAGE, ...CLIENT, browser: 'Netscape' }],
    ['a screen that is too wide for its code', { url: PAGE, ...CLIENT, screen: '5120x1440' }],
    ['a client of which little is known', { url: PAGE, os: 'Windows' }],
  ])('%s', async (_, fields) => {
    const id = crypto.randomUUID();
    const created = await send(id, fields);
    expect(created).toMatchObject({ status: 201, body: fields });
    expect((await send(id, { url: 'https://other.example/' })).body).toEqual(created.body);
    const read = await service.send('GET', `/api/v1/events/${id}`, { token });
    expect(read).toMatchObject({ status: 200, body: fields });
    const path = `/api/v1/events?trackingCode=${website.trackingCode}&url=${encodeURIComponent(fields.url)}`;
    const { body } = await service.send('GET', path, { token });
    expect(body).toMatchObject({
      events: expect.arrayContaining([expect.objectContaining({ id, ...fields })]),
    });
  });

  test('an address is not found without its scheme', async () => {
    for (const url of [
      'example.com/pricing',
      '/pricing',
      '//example.com/pricing',
      `//${PAGE}`,
      `https://${PAGE}`,
    ]) {
      const path = `/api/v1/events?trackingCode=${website.trackingCode}&url=${encodeURIComponent(url)}`;
      expect((await service.send('GET', path, { token })).body).toMatchObject({ pagination: { total: 0 } });
    }
  });
});

describe('an event of before, stored as it was sent', () => {
  const [before, now] = [crypto.randomUUID(), crypto.randomUUID()];
  const fields = { url: PAGE, referrer: 'https://example.com/docs', ...CLIENT, visitorId: 'one' };
  let own: { id: string; trackingCode: string };

  beforeAll(async () => {
    own = await service.addWebsite(token, 'https://own.example');
    for (const id of [before, now])
      await service.send('POST', '/api/v1/events', { body: eventFor(own.trackingCode, { id, ...fields }) });
    const { url, referrer, ...client } = fields;
    await service.database.db
      .update(events)
      .set({ url, referrer, ...client })
      .where(eq(events.eventId, uuidToBytes(before)));
  });

  test('is read and listed like one of now', async () => {
    for (const id of [before, now])
      expect((await service.send('GET', `/api/v1/events/${id}`, { token })).body).toMatchObject({
        id,
        ...fields,
      });
    const path = `/api/v1/events?trackingCode=${own.trackingCode}&url=${FILTER}`;
    expect((await service.send('GET', path, { token })).body).toMatchObject({
      events: [
        { id: now, ...fields },
        { id: before, ...fields },
      ],
      pagination: { total: 2 },
    });
  });

  test('is exported like one of now', async () => {
    const path = `/api/v1/websites/${own.id}/visitors/one/export`;
    const { body } = await service.send('GET', path, { token });
    expect(body).toMatchObject({
      events: [
        { id: before, ...fields },
        { id: now, ...fields },
      ],
    });
  });

  test.each([
    ['page', '/pricing'],
    ['browser', 'Firefox'],
    ['os', 'Linux'],
    ['language', 'de-DE'],
    ['screen', '2560x1440'],
  ])('is counted with one of now: %s', async (dimension, value) => {
    const path = `/api/v1/websites/${own.id}/stats/breakdown?dimension=${dimension}&period=7d`;
    const { body } = await service.send('GET', path, { token });
    expect(body).toMatchObject({ rows: [{ value, events: 2 }] });
  });
});
