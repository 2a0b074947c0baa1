import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let token: string;
let trackingCode: string;
beforeAll(async () => {
  service = await createTestService();
  ({ apiKey: token } = await service.addUser());
  ({ trackingCode } = await service.addWebsite(token));
});
afterAll(() => service.close());

type Bytes = Uint8Array<ArrayBuffer>;
const gzip = (value: unknown): Bytes =>
  new Uint8Array(gzipSync(typeof value === 'string' ? value : JSON.stringify(value)));

function send(path: string, rawBody: Bytes, encoding = 'gzip', type = 'application/json') {
  return service.send('POST', path, {
    token,
    rawBody,
    headers: { 'Content-Encoding': encoding, 'Content-Type': type, 'Content-Length': String(rawBody.length) },
  });
}

const EVENTS = '/api/v1/events';
const BATCH = '/api/v1/events/batch';

describe('a body in gzip', () => {
  test('is an event', async () => {
    for (const encoding of ['gzip', 'GZip', 'x-gzip'])
      expect((await send(EVENTS, gzip(eventFor(trackingCode)), encoding)).status).toBe(201);
    expect((await send('/m', gzip(eventFor(trackingCode)), 'gzip', 'text/plain')).status).toBe(201);
  });

  test('is a batch of almost 5 MiB, whose answer counts each event', async () => {
    const events = Array.from({ length: 1_000 }, () =>
      eventFor(trackingCode, { padding: 'x'.repeat(5_000) }),
    );
    const { status, body } = await send(BATCH, gzip({ events }));
    expect([status, body.eventsCreated]).toEqual([201, 1_000]);
  });

  test('is taken by every other route with a body', async () => {
    const { status, body } = await send(
      '/api/v1/websites',
      gzip({ name: 'Packed', domain: 'https://packed.example' }),
    );
    expect([status, body.name]).toEqual([201, 'Packed']);
  });

  const HUGE = gzip(' '.repeat(100 * 1024 * 1024));
  const BOMBS: [name: string, path: string, bytes: Bytes][] = [
    ['100 MiB for a batch', BATCH, HUGE],
    ['100 MiB for an event', EVENTS, HUGE],
    ['100 MiB for a website', '/api/v1/websites', HUGE],
    ['one byte more than a batch has', BATCH, gzip(' '.repeat(5 * 1024 * 1024 + 1))],
    ['one byte more than an event has', EVENTS, gzip(' '.repeat(64 * 1024 + 1))],
    [
      'many members',
      BATCH,
      new Uint8Array(Buffer.concat(Array.from({ length: 200 }, () => gzipSync(' '.repeat(100_000))))),
    ],
  ];
  test.each(BOMBS)('is refused with 413 when it unpacks to %s', async (_name, path, bytes) => {
    const { status, body } = await send(path, bytes);
    expect([status, body.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  const event = () => gzip(eventFor(trackingCode));
  const FAULTY: [name: string, make: () => Bytes][] = [
    ['is truncated', () => event().slice(0, -9)],
    ['ends within its head', () => event().slice(0, 5)],
    ['is not gzip', () => new TextEncoder().encode('{"events":[]}')],
    ['is damaged', () => event().map((byte, index) => (index === 20 ? byte ^ 255 : byte))],
    [
      'has a wrong checksum',
      () => event().map((byte, index, { length }) => (index === length - 6 ? byte ^ 255 : byte)),
    ],
  ];
  test.each(FAULTY)('is refused with 400 when it %s', async (_name, make) => {
    const { status, body } = await send(EVENTS, make());
    expect([status, body.error, body.details]).toEqual([
      400,
      'VALIDATION_ERROR',
      { formErrors: ['The body is not readable gzip'], fieldErrors: {} },
    ]);
  });

  test('is refused with 400 when it holds no JSON', async () => {
    const { status, body } = await send(EVENTS, gzip('{'));
    expect([status, body.message]).toEqual([400, 'The body is not readable JSON']);
  });

  test('of 50 bombs at once leaves the others as they are', async () => {
    const bombs = Array.from({ length: 50 }, () => send(BATCH, HUGE));
    expect((await send(EVENTS, event())).status).toBe(201);
    for (const bomb of bombs) expect((await bomb).status).toBe(413);
  });
});

describe('a body in another encoding', () => {
  const ENCODINGS = [
    'br',
    'deflate',
    'zstd',
    'br, gzip',
    'gzip, gzip',
    'gzip,',
    'compress',
    '*',
    'constructor',
  ];
  test.each(ENCODINGS)('is refused with 415, which says what is taken: %s', async (encoding) => {
    for (const path of [EVENTS, BATCH, '/m', '/api/v1/websites']) {
      const { status, body, headers } = await send(path, new Uint8Array(brotliCompressSync('{}')), encoding);
      expect([status, body.error, body.message]).toEqual([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        'Content-Encoding must be gzip or identity',
      ]);
      expect(headers.get('accept-encoding')).toBe('gzip');
    }
  });

  test('is none when it is called identity', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(eventFor(trackingCode)));
    for (const encoding of ['identity', '']) expect((await send(EVENTS, bytes, encoding)).status).toBe(201);
  });
});
