import { beforeAll, describe, expect, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let text: string;
let token: string;
let trackingCode: string;

beforeAll(async () => {
  service = await createTestService({ trustedProxies: 1 });
  token = (await service.signUp()).token;
  trackingCode = (await service.addWebsite(token)).trackingCode;
  text = JSON.stringify({ events: [eventFor(trackingCode)] });
});

const LARGE_BYTES = 5 * 1024 * 1024;
/** Large bodies of all senders: 16 MiB. */
const LARGE_MAX = 3;

/** A batch whose end is sent when `finish` is called; the address is that of its sender, as a proxy says it. */
function begin(headers: Record<string, string>, padding = '', address?: string) {
  const { promise: sent, resolve: allSent } = Promise.withResolvers<void>();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const rawBody = new ReadableStream<Uint8Array>({
    start(started) {
      controller = started;
      if (padding) started.enqueue(new TextEncoder().encode(padding));
    },
    pull: () => allSent(), // the padding has been taken
  });
  const answer = service.send('POST', '/api/v1/events/batch', {
    rawBody,
    headers: { ...headers, ...(address !== undefined && { 'X-Forwarded-For': address }) },
  });
  return {
    answer,
    sent,
    finish() {
      controller?.enqueue(new TextEncoder().encode(text));
      controller?.close();
      return answer;
    },
  };
}

const DECLARED = { 'Content-Length': String(LARGE_BYTES) };
const MOST = ' '.repeat(LARGE_BYTES - 1024);

describe('large bodies that arrive together', () => {
  test('are worked on one after the other, each answered for itself', async () => {
    const events = (visitor: string) =>
      JSON.stringify({
        events: Array.from({ length: 300 }, () =>
          eventFor(trackingCode, { visitorId: visitor, padding: 'x'.repeat(16_000) }),
        ),
      });
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((visitor) =>
        service.send('POST', '/api/v1/events/batch', { rawBody: events(visitor) }),
      ),
    );
    for (const { status, body } of answers) expect([status, body.eventsCreated]).toEqual([201, 300]);
    const { body } = await service.send('GET', `/api/v1/events?trackingCode=${trackingCode}`, { token });
    expect(body.pagination.total).toBe(900);
  });

  test('give their turn on when they are refused', async () => {
    const bad = ' '.repeat(5_000_000);
    for (let time = 0; time < 5; time += 1)
      expect((await service.send('POST', '/api/v1/events/batch', { rawBody: bad })).status).toBe(400);
    const small = await service.send('POST', '/api/v1/events/batch', { rawBody: text });
    expect(small.status).toBe(201);
  });
});

describe('bodies that are slow to arrive', () => {
  const TOO_MANY = {
    status: 503,
    body: { error: 'SERVICE_UNAVAILABLE', message: 'Too many bodies are on their way; try again' },
  };

  test.each([
    ['announced', DECLARED],
    ['of unknown length', {}],
  ])('%s, make room for one that arrives when they have taken 16 MiB', async (_, headers) => {
    const slow = Array.from({ length: LARGE_MAX }, () => begin(headers, MOST));
    for (const body of slow) await body.sent;
    const next = begin(headers, MOST);
    const refused = await slow[0]?.answer;
    expect(refused).toMatchObject(TOO_MANY);
    expect(refused?.headers.get('retry-after')).toBe('2');
    expect(refused?.headers.get('connection')).toBe('close');
    expect(refused?.headers.get('access-control-allow-origin')).toBe('*');
    for (const body of [next, ...slow.slice(1)]) expect((await body.finish()).status).toBe(201);
  });

  test('of four addresses do not keep out a fifth', async () => {
    const most = ' '.repeat(4_190_000);
    const slow = [1, 2, 3, 4].map((host) => begin({}, most, `192.0.2.${host}`));
    for (const body of slow) await body.sent;
    service.clock.advance(1_000);
    expect((await begin({}, MOST, '192.0.2.5').finish()).status).toBe(201);
    for (const body of slow.slice(0, 2)) expect(await body.answer).toMatchObject(TOO_MANY);
    for (const body of slow.slice(2)) expect((await body.finish()).status).toBe(201);
  });

  test('take nothing of the large ones by being announced: what counts is what has arrived', async () => {
    const announced = Array.from({ length: 50 }, () => begin(DECLARED, '', '192.0.2.1'));
    for (const body of announced) await body.sent;
    expect((await begin(DECLARED, MOST, '192.0.2.1').finish()).status).toBe(201);
    for (const body of announced) expect((await body.finish()).status).toBe(201);
  });

  test('of one address take 5 MiB at most: its slowest makes room, and others do not notice', async () => {
    const slow = begin({}, MOST, '192.0.2.1');
    await slow.sent;
    const next = begin({}, MOST, '192.0.2.1');
    expect(await slow.answer).toMatchObject({
      status: 503,
      body: { message: 'Too many large bodies from this address are on their way' },
    });
    expect((await begin({}, MOST, '192.0.2.2').finish()).status).toBe(201);
    expect((await next.finish()).status).toBe(201);
  });

  /** An event whose length is announced as the largest that counts as small. */
  const SMALL = { 'Content-Length': String(64 * 1024) };

  test('small ones of 50 addresses are held up to 8 MiB, and the one of a page gets through', async () => {
    const senders = Array.from({ length: 50 }, (_, host) => `198.51.100.${host}`);
    const held = senders.flatMap((address) => [1, 2, 3].map(() => begin(SMALL, '', address)));
    service.clock.advance(100);
    const page = begin({ 'Content-Length': String(2_000) }, '', '192.0.2.1');
    const more = senders.map((address) => begin(SMALL, '', address));
    expect((await page.finish()).status).toBe(201);
    const open = new Set([...held, ...more]);
    for (const body of open) void body.answer.then(() => open.delete(body));
    while (open.size > 128) await Promise.race([...open].map(({ answer }) => answer));
    expect(open.size).toBeGreaterThanOrEqual(100);
    for (const body of open) expect((await body.finish()).status).toBe(201);
  });
});
