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

const event = (changes: Record<string, unknown> = {}) => eventFor(website.trackingCode, changes);

function submit(body: unknown, headers: Record<string, string> = {}) {
  return service.send('POST', '/api/v1/events', { body, headers });
}

describe('POST /events refuses', () => {
  const long = (length: number) => 'x'.repeat(length);
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  const REFUSED: [string, () => Record<string, unknown>, Record<string, string[]>][] = [
    [
      'a malformed tracking code',
      () => event({ trackingCode: 'UA-1' }),
      { trackingCode: ['Invalid tracking code format'] },
    ],
    ['a relative url', () => event({ url: '/pricing' }), { url: ['Must be an http or https URL'] }],
    [
      'a script as url',
      () => event({ url: 'javascript:alert(1)' }),
      { url: ['Must be an http or https URL'] },
    ],
    ['a url without a host', () => event({ url: 'http://' }), { url: ['Must be an http or https URL'] }],
    [
      'a url with control characters',
      () => event({ url: 'https://example.com/\u0000' }),
      { url: ['Must be an http or https URL'] },
    ],
    ['a malformed referrer', () => event({ referrer: 'news' }), { referrer: ['Must be an absolute URL'] }],
    ['an id that is not a UUID', () => event({ id: 'first' }), { id: ['Must be a UUID'] }],
    [
      'an infinite timestamp',
      () => event({ timestamp: 1e300 }),
      { timestamp: ['Must be at most 8640000000000000'] },
    ],
    [
      'properties with too many keys',
      () => event({ properties: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, n])) }),
      { properties: ['Must have at most 100 keys'] },
    ],
    [
      'a property key that is too long',
      () => event({ properties: { [long(129)]: 1 } }),
      { properties: ['Must have keys of at most 128 characters'] },
    ],
    [
      'properties that are nested too deeply',
      () => event({ properties: deep(5) }),
      { properties: ['Must be nested at most 4 levels deep'] },
    ],
    [
      'properties that are too large',
      () => event({ properties: { a: long(16_384) } }),
      { properties: ['Must be at most 16384 bytes as JSON'] },
    ],
    [
      'two faults at once, naming both',
      () => event({ url: 'x', referrer: 'y' }),
      { url: ['Must be an http or https URL'], referrer: ['Must be an absolute URL'] },
    ],
  ];
  for (const [name, make, fieldErrors] of REFUSED) {
    test(`${name} with 400, naming the field`, async () => {
      const { status, body } = await submit(make());
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          error: 'VALIDATION_ERROR',
          message: 'Invalid event data',
          details: { formErrors: [], fieldErrors },
        },
      });
    });
  }

  const AT_THE_BOUND: [string, () => Record<string, unknown>][] = [
    ['a url of 2,048 characters', () => event({ url: `https://example.com/${long(2028)}` })],
    ['ids of 128 characters', () => event({ sessionId: long(128), visitorId: long(128) })],
    ['4 levels of properties', () => event({ properties: deep(4) })],
    [
      '100 keys',
      () => event({ properties: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [n, n])) }),
    ],
    ['16 KiB of properties', () => event({ properties: { a: long(16_384 - '{"a":""}'.length) } })],
    ['an unusual but valid address', () => event({ url: 'https://bücher.example:8443/{x}|y?q=%zz#ü' })],
  ];
  for (const [name, make] of AT_THE_BOUND) {
    test(`no event at the bound: ${name}`, async () => {
      expect((await submit(make())).status).toBe(201);
    });
  }

  test('an unknown tracking code with 404', async () => {
    expect(await submit(event({ trackingCode: 'pm-unknown-1' }))).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND', message: 'Website with this tracking code not found' },
    });
  });

  test('the tracking code of a deleted website with 404', async () => {
    const { id, trackingCode } = await service.addWebsite(token, 'https://gone.example.com');
    expect((await submit(event({ trackingCode }))).status).toBe(201);
    await service.send('DELETE', `/api/v1/websites/${id}`, { token });
    expect((await submit(event({ trackingCode }))).status).toBe(404);
  });

  test('an event of more than 64 KiB with 413', async () => {
    expect(await submit(event({ padding: long(65_536) }))).toMatchObject({
      status: 413,
      body: { error: 'PAYLOAD_TOO_LARGE' },
    });
  });

  const UNREADABLE: [string, string, Record<string, string>, number, string][] = [];
  for (const [name, rawBody, headers, status, error] of UNREADABLE) {
    test(`${name} with ${status}`, async () => {
      const answer = await service.send('POST', '/api/v1/events', { rawBody, headers });
      expect(answer).toMatchObject({ status, body: { error } });
      if (error === 'VALIDATION_ERROR')
        expect(answer.body).toMatchObject({ details: { formErrors: [expect.any(String)], fieldErrors: {} } });
    });
  }
});
