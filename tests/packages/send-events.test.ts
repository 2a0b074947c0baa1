import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type OutgoingEvent, sendEvents } from '../../packages/client/send-events.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let apiKey: string;
let trackingCode: string;
const pauses: number[] = [];

beforeAll(async () => {
  service = await createTestService();
  ({ apiKey } = await service.addUser());
});
afterAll(() => service.close());

/** A way to the real service on which some answers are lost, after it has stored what was sent. */
function through(faults: (Response | 'lost' | undefined)[]): typeof fetch {
  const ask = async (url: string | URL | Request, init?: RequestInit) => {
    const fault = faults.shift();
    if (fault instanceof Response) return fault;
    const answer = await service.app.handle(new Request(url, init));
    if (fault === 'lost') throw new TypeError('the connection was reset');
    return answer;
  };
  return ask as typeof fetch;
}

async function send(events: OutgoingEvent[], faults: (Response | 'lost' | undefined)[] = []) {
  pauses.length = 0;
  const sleep = async (ms: number) => void pauses.push(ms);
  return sendEvents({ baseUrl: 'http://localhost/', apiKey, fetch: through(faults), sleep }, events);
}

const some = (count: number): OutgoingEvent[] =>
  Array.from({ length: count }, () => ({
    trackingCode,
    eventType: 'pageview',
    url: 'https://example.com/',
    sessionId: 's',
    visitorId: 'v',
  }));

async function stored(): Promise<number> {
  const { body } = await service.send('GET', `/api/v1/events?trackingCode=${trackingCode}&limit=1`, {
    token: apiKey,
  });
  return body.pagination.total;
}

async function newWebsite(): Promise<void> {
  ({ trackingCode } = await service.addWebsite(apiKey, `https://${crypto.randomUUID()}.example`));
}

test('events go in batches of 1,000', async () => {
  await newWebsite();
  expect(await send(some(1_001))).toEqual({ stored: 1_001, refused: [] });
  expect(await stored()).toBe(1_001);
  expect(pauses).toEqual([]);
});

test('a batch whose answer is lost is sent again, and stored once', async () => {
  await newWebsite();
  expect(await send(some(3), ['lost', 'lost'])).toEqual({ stored: 3, refused: [] });
  expect(await stored()).toBe(3);
  expect(pauses).toEqual([1_000, 2_000]);
});

test('waits as long as the service asks for', async () => {
  await newWebsite();
  const busy = new Response('{"error":"RATE_LIMITED"}', { status: 429, headers: { 'Retry-After': '7' } });
  expect((await send(some(1), [busy])).stored).toBe(1);
  expect(pauses).toEqual([7_000]);
});

test('waits until the date that the service names', async () => {
  await newWebsite();
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  const busy = new Response('', { status: 503, headers: { 'Retry-After': inAnHour } });
  expect((await send(some(1), [busy])).stored).toBe(1);
  expect(pauses).toEqual([60_000]); // no longer than a minute
  const past = new Response('', { status: 503, headers: { 'Retry-After': new Date(0).toUTCString() } });
  expect((await send(some(1), [past])).stored).toBe(1);
  expect(pauses).toEqual([1_000]);
});

test('a thousand events of 8 KB go in batches that the API takes', async () => {
  await newWebsite();
  const properties = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`p${n}`, 'é'.repeat(500)]));
  expect(await send(some(1_000).map((event) => ({ ...event, properties })))).toEqual({
    stored: 1_000,
    refused: [],
  });
  expect(await stored()).toBe(1_000);
});

test('a batch that a proxy finds too large goes in halves, and an event that is too large alone is refused', async () => {
  await newWebsite();
  const tooLarge = () => new Response('<html>', { status: 413, statusText: 'Request Entity Too Large' });
  expect(await send(some(4), [tooLarge(), tooLarge()])).toEqual({ stored: 4, refused: [] });
  expect(await send(some(1), [tooLarge()])).toEqual({
    stored: 0,
    refused: [{ index: 0, error: 'PAYLOAD_TOO_LARGE', message: 'Request Entity Too Large' }],
  });
  expect(pauses).toEqual([]);
});

test('names what was refused by its place, also beyond the first batch', async () => {
  await newWebsite();
  const events = some(1_002);
  events[1_001] = { ...events[1_001], url: 'nope' } as OutgoingEvent;
  const { stored: count, refused } = await send(events);
  expect(count).toBe(1_001);
  expect(refused).toMatchObject([{ index: 1_001, error: 'VALIDATION_ERROR' }]);
});

test('what fails inside the service is sent again, and nothing else of its batch', async () => {
  await newWebsite();
  const partly = new Response(
    JSON.stringify({ eventsCreated: 1, errors: [{ index: 1, error: 'INTERNAL_ERROR', message: 'later' }] }),
    { status: 207 },
  );
  expect(await send(some(2), [partly])).toEqual({ stored: 2, refused: [] });
  expect(await stored()).toBe(1); // the first answer was invented
});

test('gives up after its attempts, and at once where nothing would change', async () => {
  await newWebsite();
  const down = () => new Response('{"error":"SERVICE_UNAVAILABLE","message":"busy"}', { status: 503 });
  await expect(send(some(1), Array.from({ length: 6 }, down))).rejects.toThrow(
    '503 SERVICE_UNAVAILABLE: busy',
  );
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  const refused = new Response('{"error":"UNAUTHORIZED","message":"Invalid API key"}', { status: 401 });
  await expect(send(some(1), [refused])).rejects.toThrow('401 UNAUTHORIZED');
  expect(pauses).toEqual([]);
});
