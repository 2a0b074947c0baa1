import { beforeAll, describe, expect, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let text: string;
let token: string;
let trackingCode: string;

beforeAll(async () => {
  service = await createTestService();
  token = (await service.signUp()).token;
  trackingCode = (await service.addWebsite(token)).trackingCode;
  text = JSON.stringify({ events: [eventFor(trackingCode)] });
});

const LARGE_BYTES = 5 * 1024 * 1024;
/** 16 MiB may be on their way. */
const LARGE_MAX = 3;

/** A batch whose end is sent when `finish` is called. */
function begin(headers: Record<string, string>, padding = '') {
  const stream = new TransformStream<Uint8Array, Uint8Array>();
  const writer = stream.writable.getWriter();
  const answer = service.send('POST', '/api/v1/events/batch', { rawBody: stream.readable, headers });
  const sent = writer.write(new TextEncoder().encode(padding));
  return {
    answer,
    sent,
    async finish() {
      await writer.write(new TextEncoder().encode(text));
      await writer.close();
      return answer;
    },
  };
}

const beginLarge = () => begin({ 'Content-Length': String(LARGE_BYTES) });

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

describe('large bodies that are slow to arrive', () => {
  test('are refused with 503 beyond 16 MiB, while those of pages get through', async () => {
    const slow = Array.from({ length: LARGE_MAX }, beginLarge);
    const refused = await beginLarge().answer;
    expect(refused).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    const small = await service.send('POST', '/api/v1/events/batch', {
      rawBody: text,
      headers: { 'Content-Length': String(text.length) },
    });
    expect(small.status).toBe(201);

    expect((await slow[0]?.finish())?.status).toBe(201);
    const next = beginLarge();
    for (const body of [next, ...slow.slice(1)]) expect((await body.finish()).status).toBe(201);
  });

  test('are counted as they arrive when their length is not declared', async () => {
    const slow = Array.from({ length: LARGE_MAX }, () => begin({}, ' '.repeat(LARGE_BYTES - 1024)));
    for (const body of slow) await body.sent;
    const small = begin({}, ' '.repeat(60_000));
    expect((await small.finish()).status).toBe(201);
    expect((await begin({}, ' '.repeat(LARGE_BYTES - 1024)).answer).status).toBe(503);
    for (const body of slow) expect((await body.finish()).status).toBe(201);
  });
});
