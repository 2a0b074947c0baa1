import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readTrustedProxies } from '../../src/network/trusted-proxies.ts';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

/** Asked over a socket, because that is where a program on this machine is known by. */
let service: TestService;
let url: string;
beforeAll(async () => {
  service = await createTestService({
    limits: {
      collectPerS: 1,
      eventsPerS: 1,
      websiteEventsPerS: 0,
      apiPerS: 1,
      registrationsPerH: 2,
      loginFailures: 2,
      loginFailuresPerAddress: 0,
    },
    trustedProxies: readTrustedProxies('loopback'),
    clientIpHeader: 'x-visitor',
  });
  service.app.listen({ port: 0, hostname: '127.0.0.1' });
  url = `http://127.0.0.1:${service.app.server?.port}`;
});
afterAll(async () => {
  await service.app.stop(true);
  await service.close();
});

/** The statuses of more requests than the limits grant. */
async function statuses(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<number[]> {
  const answers: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    answers.push(response.status);
  }
  return answers;
}

const SIX = (status: number) => new Array<number>(6).fill(status);
const submit = (headers?: Record<string, string>) =>
  statuses('POST', '/api/v1/events', headers, eventFor('pm-unknown-1'));
const ask = (headers?: Record<string, string>) => statuses('GET', '/api/v1/websites', headers);

describe('a program on this machine', () => {
  test('may send and ask as much as it likes, also with a name for it', async () => {
    expect(await submit()).toEqual(SIX(404));
    expect(await ask()).toEqual(SIX(401));
    expect(await ask({ Host: 'localhost:3000' })).toEqual(SIX(401));
  });

  test('may register as often as it likes', async () => {
    const account = { email: 'x@example.com', password: 'Correct-horse-9' };
    const answers = await statuses('POST', '/api/v1/auth/register', {}, account);
    expect(answers).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test.each<[string, Record<string, string>]>([
    ['a page of its own', { Origin: 'http://localhost:5173', Referer: 'http://127.0.0.1:5173/' }],
    ['a page of the service', { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://[::1]:3000' }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['a name of its own', { Host: 'stats.localhost:3000' }],
    ['its name in capitals', { Host: 'LOCALHOST' }],
  ])('has no limits when it asks from %s', async (_, headers) => {
    expect(await ask(headers)).toEqual(SIX(401));
  });

  test.each<[string, Record<string, string>]>([
    ['a forwarding header', { 'X-Forwarded-For': '203.0.113.9' }],
    ['another one', { Via: '1.1 cache' }],
    ['the name that a stranger asked for', { Host: 'meter.example.com' }],
    ['the name of a visitor', { 'X-Visitor': '203.0.113.10' }],
    ['the Origin of elsewhere', { Origin: 'https://meter.example.com' }],
    ['the Origin of a page without one', { Origin: 'null' }],
    ['the Referer of elsewhere', { Referer: 'https://meter.example.com/' }],
    ['a Referer that is not an address', { Referer: 'about' }],
    ['Sec-Fetch-Site of elsewhere', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('is limited when it leaves %s: it may be a proxy', async (_, headers) => {
    expect(await submit(headers)).toContain(429);
    expect(await ask(headers)).toContain(429);
  });

  test('is limited like others in guessing passwords', async () => {
    const guess = { email: 'unknown@example.com', password: 'Wrong-horse-9' };
    expect(await statuses('POST', '/api/v1/auth/login', {}, guess)).toEqual([401, 401, 429, 429, 429, 429]);
  });
});

describe('requests through a proxy that TRUST_PROXY does not name', () => {
  async function warningsAfter(headers: Record<string, string>[], path = '/api/v1/auth/setup') {
    const warnings: string[] = [];
    const own = await createTestService({}, { onWarning: (message) => warnings.push(message) });
    own.app.listen({ port: 0, hostname: '127.0.0.1' });
    for (const one of headers)
      await fetch(`http://127.0.0.1:${own.app.server?.port}${path}`, { headers: one });
    await own.app.stop(true);
    await own.close();
    return warnings;
  }

  test('are warned of once', async () => {
    const foreign = { Origin: 'https://meter.example.com' };
    const named = { 'X-Forwarded-For': '203.0.113.9' };
    expect(await warningsAfter([{}, foreign, foreign, named])).toEqual([
      expect.stringMatching(/^a request came from this machine with the Host, Origin/),
    ]);
    expect(await warningsAfter([{}, named, foreign])).toEqual([
      expect.stringMatching(/^requests come with X-Forwarded-For/),
    ]);
  });

  test('are not warned of when a page of a website loads the script from a developer’s machine', async () => {
    const page = { Referer: 'https://example.com/', 'Sec-Fetch-Site': 'cross-site' };
    expect(await warningsAfter([page], '/tracker.js')).toEqual([]);
  });
});
