import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let apiKey: string;
let trackingCode: string;

beforeAll(async () => {
  service = await createTestService();
  ({ apiKey } = await service.addUser());
  ({ trackingCode } = await service.addWebsite(apiKey));
});
afterAll(() => service.close());

/** Submits an event; returns the status, what was answered and what is read back. */
async function store(changes: Record<string, unknown>) {
  const { status, body } = await service.send('POST', '/api/v1/events', {
    body: eventFor(trackingCode, changes),
  });
  const read = await service.send('GET', `/api/v1/events/${body.id}`, { token: apiKey });
  return { status, answered: body, read: read.body };
}

const long = (length: number) => 'x'.repeat(length);

describe('referrers (D52)', () => {
  const USED: [sent: string, stored: string | undefined][] = [
    ['https://news.example.org/today?id=7', 'https://news.example.org/today?id=7'],
    ['HTTP://news.example.org/', 'HTTP://news.example.org/'],
    ['https://news.example.org/#access_token=secret', 'https://news.example.org/'],
    ['https://news.example.org/#/route', 'https://news.example.org/'],
    ['android-app://com.google.android.gm/', 'android-app://com.google.android.gm/'],
    ['android-app://com.linkedin.android', 'android-app://com.linkedin.android'],
    [`https://news.example.org/${long(2_023)}`, `https://news.example.org/${long(2_023)}`],
    [`https://news.example.org/${long(2_024)}`, 'https://news.example.org'],
    [`https://news.example.org:8443/?q=${long(60_000)}`, 'https://news.example.org:8443'],
    [`android-app://com.example.reader/${long(3_000)}`, 'android-app://com.example.reader'],
    [`https://news.example.org/#${long(3_000)}`, 'https://news.example.org/'],
    ['', undefined],
    ['about:blank', undefined],
    ['ftp://files.example.org/', undefined],
    ['file:///home/ada/page.html', undefined],
    ['javascript:alert(1)', undefined],
    ['data:text/html,<p>', undefined],
    ['mailto:ada@example.com', undefined],
    ['chrome-extension://abcdefgh/page.html', undefined],
  ];
  for (const [sent, stored] of USED) {
    const name = sent.length > 100 ? `${sent.slice(0, 40)}… of ${sent.length} characters` : sent;
    test(`stores the event with the referrer "${name}"${stored === undefined ? ' as absent' : ''}`, async () => {
      const { status, answered, read } = await store({ referrer: sent });
      expect({ status, answered: answered.referrer, read: read.referrer }).toEqual({
        status: 201,
        answered: stored,
        read: stored,
      });
    });
  }

  const REFUSED = [
    '-',
    'null',
    'news',
    '/pricing',
    '//news.example.org/',
    'https:://twitter.com',
    'https://',
    'news.example.org',
    'https://a\u0000b/',
  ];
  test.each(REFUSED)('refuses "%s", which is not an absolute URL', async (referrer) => {
    const { status, answered } = await store({ referrer });
    expect([status, answered.details?.fieldErrors]).toEqual([400, { referrer: ['Must be an absolute URL'] }]);
  });

  test('refuses one of 70,000 characters: 413 alone, in a batch as a fault of its event', async () => {
    const event = eventFor(trackingCode, { referrer: `https://news.example.org/${long(70_000)}` });
    expect((await service.send('POST', '/api/v1/events', { body: event })).status).toBe(413);
    const { status, body } = await service.send('POST', '/api/v1/events/batch', {
      body: { events: [event, eventFor(trackingCode)] },
    });
    expect([status, body.eventsCreated, body.errors[0].index, body.errors[0].error]).toEqual([
      207,
      1,
      0,
      'VALIDATION_ERROR',
    ]);
  });
});

describe('fragments', () => {
  const FRAGMENTS: [sent: string, stored: string][] = [
    ['https://example.com/cb#access_token=SECRET&state=1', 'https://example.com/cb'],
    ['https://example.com/?a=1#top', 'https://example.com/?a=1'],
    ['https://example.com/#', 'https://example.com/'],
    ['https://example.com/#access_token=/x', 'https://example.com/'],
    ['https://example.com/#!top', 'https://example.com/'],
    ['https://example.com/#/pricing?utm_source=news', 'https://example.com/#/pricing?utm_source=news'],
    ['https://example.com/#!/pricing', 'https://example.com/#!/pricing'],
  ];
  test.each(FRAGMENTS)('stores %s as %s', async (url, stored) => {
    const { status, answered, read } = await store({ url });
    expect([status, answered.url, read.url]).toEqual([201, stored, stored]);
  });

  test('lists an event by the address that was sent, fragment included', async () => {
    await store({ url: 'https://example.com/listed#top' });
    const query = new URLSearchParams({ trackingCode, url: 'https://example.com/listed#top' });
    const { body } = await service.send('GET', `/api/v1/events?${query}`, { token: apiKey });
    expect(body.events.map(({ url }: { url: string }) => url)).toEqual(['https://example.com/listed']);
  });
});
