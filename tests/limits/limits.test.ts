import { afterEach, describe, expect, test } from 'bun:test';
import { parseConfig } from '../../src/settings/config.ts';
import type { LimitSettings } from '../../src/settings/limit.ts';
import { eventFor } from '../support/event.ts';
import { createTestService, PASSWORD, type RequestOptions, type TestService } from '../support/service.ts';

const OFF: LimitSettings = {
  collectPerS: 0,
  eventsPerS: 0,
  websiteEventsPerS: 0,
  apiPerS: 0,
  registrationsPerH: 0,
  loginFailures: 0,
  loginFailuresPerAddress: 0,
};

let service: TestService;
afterEach(() => service.close());

/** Behind one proxy, so that a request says where it comes from. */
async function start(limits: Partial<LimitSettings>): Promise<void> {
  service = await createTestService({ trustedProxies: 1, limits: { ...OFF, ...limits } });
}

function from(address: string, method: string, path: string, options: RequestOptions = {}) {
  return service.send(method, path, {
    ...options,
    headers: { ...options.headers, 'X-Forwarded-For': address },
  });
}

async function statusesOf(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await send()).status);
  return statuses;
}

const repeat = (count: number, status: number) => new Array<number>(count).fill(status);

describe('batches', () => {
  const batch = (address: string, code: string, count: number) =>
    from(address, 'POST', '/api/v1/events/batch', {
      body: { events: Array.from({ length: count }, () => eventFor(code)) },
    });

  test('from one address share a limit over all websites', async () => {
    await start({ eventsPerS: 1 }); // 20 at once for a website, 80 for all
    const { apiKey } = await service.addUser();
    const statuses: number[] = [];
    for (let site = 0; site < 5; site += 1) {
      const { trackingCode } = await service.addWebsite(apiKey, `https://site-${site}.example`);
      statuses.push((await batch('192.0.2.1', trackingCode, 20)).status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 429]);
  });

  test('for the websites of one account share a limit over all addresses', async () => {
    await start({ eventsPerS: 1 }); // 400 at once for an account
    const { apiKey } = await service.addUser();
    const { trackingCode } = await service.addWebsite(apiKey);
    const statuses: number[] = [];
    for (let sender = 0; sender < 21; sender += 1)
      statuses.push((await batch(`192.0.2.${sender}`, trackingCode, 20)).status);
    expect(statuses).toEqual([...repeat(20, 201), 429]);
    const other = await service.addWebsite((await service.addUser()).apiKey);
    expect((await batch('192.0.2.99', other.trackingCode, 20)).status).toBe(201);
  });
});

describe('collection', () => {
  const submit = (address: string, code = 'unknown') =>
    from(address, 'POST', '/api/v1/events', { body: eventFor(code) });

  test('answers 429 beyond the limit, with when to come back, and readable by any page', async () => {
    await start({ collectPerS: 2 });
    expect(await statusesOf(10, () => submit('192.0.2.1'))).toEqual(repeat(10, 400));
    const { status, body, headers } = await submit('192.0.2.1');
    expect({ status, body }).toEqual({
      status: 429,
      body: { error: 'RATE_LIMITED', message: 'Too many requests from this address; try again in 1 s' },
    });
    expect(
      Object.fromEntries(
        [
          'retry-after',
          'ratelimit-limit',
          'ratelimit-remaining',
          'ratelimit-reset',
          'access-control-allow-origin',
          'access-control-expose-headers',
        ].map((name) => [name, headers.get(name)]),
      ),
    ).toEqual({
      'retry-after': '1',
      'ratelimit-limit': '10',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '5',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After, X-Request-Id',
    });
    service.clock.advance(500);
    expect(await statusesOf(2, () => submit('192.0.2.1'))).toEqual([400, 429]);
  });

  test('counts single events and batches together, and other addresses apart', async () => {
    await start({ collectPerS: 1 });
    expect(await statusesOf(4, () => submit('192.0.2.1'))).toEqual(repeat(4, 400));
    const batch = () => from('192.0.2.1', 'POST', '/api/v1/events/batch', { body: { events: [] } });
    expect(await statusesOf(2, batch)).toEqual([400, 429]);
    expect((await submit('192.0.2.2')).status).toBe(400);
  });

  test('takes a whole /64 for one sender', async () => {
    await start({ collectPerS: 1 });
    expect(await statusesOf(5, () => submit('2001:db8:1:2::1'))).toEqual(repeat(5, 400));
    expect((await submit('2001:db8:1:2:ffff::9')).status).toBe(429);
    expect((await submit('2001:db8:1:3::1')).status).toBe(400);
  });

  test('cannot be escaped by setting the clock', async () => {
    await start({ collectPerS: 1 });
    await statusesOf(5, () => submit('192.0.2.1'));
    for (const jumpMs of [3_600_000, -7_200_000]) {
      service.clock.set(service.clock.now() + jumpMs);
      expect((await submit('192.0.2.1')).status).toBe(429);
    }
  });

  test('never refuses a preflight', async () => {
    await start({ collectPerS: 1 });
    const headers = { 'Access-Control-Request-Method': 'POST', Origin: 'https://example.com' };
    expect(await statusesOf(20, () => from('192.0.2.1', 'OPTIONS', '/api/v1/events', { headers }))).toEqual(
      repeat(20, 204),
    );
  });
});

describe('a website', () => {
  test('a website accepts a limited rate of events from all senders; a batch is refused as a whole', async () => {
    await start({ websiteEventsPerS: 100 });
    const { apiKey } = await service.addUser();
    const { trackingCode } = await service.addWebsite(apiKey);
    const other = await service.addWebsite(apiKey, 'https://other.example');
    const batch = (address: string, ...codes: string[]) =>
      from(address, 'POST', '/api/v1/events/batch', {
        body: { events: codes.map((code) => eventFor(code)) },
      });
    const full = repeat(1_000, 0).map(() => trackingCode);
    expect((await batch('192.0.2.1', ...full)).status).toBe(201);
    const refused = await batch('192.0.2.2', other.trackingCode, trackingCode);
    expect(refused).toMatchObject({ status: 429, body: { error: 'RATE_LIMITED' } });
    expect((await batch('192.0.2.2', other.trackingCode)).status).toBe(201);
    const list = await service.send('GET', `/api/v1/events?trackingCode=${other.trackingCode}`, {
      token: apiKey,
    });
    expect(list.body.pagination.total).toBe(1);
    service.clock.advance(10);
    expect((await batch('192.0.2.2', trackingCode)).status).toBe(201);
  });
});

describe('a website, by one address', () => {
  type Sent = { address: string; code: string; token?: string };
  const batch = ({ address, code, token }: Sent, count = 1_000) =>
    from(address, 'POST', '/api/v1/events/batch', {
      token,
      body: { events: repeat(count, 0).map(() => eventFor(code)) },
    });

  test('may be sent so many events a second, twenty times as many at once; no other client is refused', async () => {
    await start({ eventsPerS: 100 });
    const { apiKey } = await service.addUser();
    const { trackingCode: code } = await service.addWebsite(apiKey);
    const other = await service.addWebsite(apiKey, 'https://other.example');
    expect(await statusesOf(2, () => batch({ address: '192.0.2.1', code }))).toEqual([201, 201]);
    expect(await batch({ address: '192.0.2.1', code }, 1)).toMatchObject({
      status: 429,
      body: {
        error: 'RATE_LIMITED',
        message: 'Too many events for this website from this address; try again in 1 s',
      },
    });
    const single = () => from('192.0.2.1', 'POST', '/api/v1/events', { body: eventFor(code) });
    expect((await single()).status).toBe(429);
    expect((await batch({ address: '192.0.2.2', code })).status).toBe(201);
    expect((await batch({ address: '192.0.2.1', code: other.trackingCode })).status).toBe(201);
    service.clock.advance(10);
    expect(await statusesOf(2, single)).toEqual([201, 429]);
  });

  test('has no such limit for a key of scope events of its owner, and has one for any other key', async () => {
    await start({ eventsPerS: 10 });
    const { apiKey } = await service.addUser();
    const { trackingCode: code } = await service.addWebsite(apiKey);
    const stranger = await service.addUser(['events']);
    const sent = { address: '192.0.2.1', code };
    expect(await statusesOf(3, () => batch({ ...sent, token: apiKey }))).toEqual([201, 201, 201]);
    expect(await statusesOf(2, () => batch({ ...sent, token: stranger.apiKey }))).toEqual([201, 429]);
    expect((await batch(sent, 1)).status).toBe(429);
    expect((await batch({ ...sent, token: apiKey })).status).toBe(201);
  });

  test('is 500 a second and 10,000 at once by default', async () => {
    await start({ eventsPerS: parseConfig({ DATABASE_URL: ':memory:' }, '/').config.limits.eventsPerS });
    const { apiKey } = await service.addUser();
    const { trackingCode: code } = await service.addWebsite(apiKey);
    const sent = { address: '192.0.2.1', code };
    expect(await statusesOf(10, () => batch(sent))).toEqual(repeat(10, 201));
    expect((await batch(sent, 1)).status).toBe(429);
    service.clock.advance(1_000);
    expect((await batch(sent, 500)).status).toBe(201);
    expect((await batch(sent, 1)).status).toBe(429);
  });
});

describe('the rest of the API', () => {
  test('says what is left, and answers 429 when nothing is', async () => {
    await start({ apiPerS: 1 });
    const first = await from('192.0.2.1', 'GET', '/api/v1/websites');
    expect(first.status).toBe(401);
    expect(first.headers.get('ratelimit-limit')).toBe('5');
    expect(first.headers.get('ratelimit-remaining')).toBe('4');
    expect(first.headers.get('ratelimit-reset')).toBe('1');
    const get = () => from('192.0.2.1', 'GET', '/api/v1/websites');
    expect(await statusesOf(5, get)).toEqual([...repeat(4, 401), 429]);
  });

  const WITHOUT_LIMIT = ['/api/ping', '/tracker.js', '/robots.txt', '/favicon.svg'];
  test.each(WITHOUT_LIMIT)('%s has no limit', async (path) => {
    await start({ apiPerS: 1, collectPerS: 1 });
    expect(await statusesOf(20, () => from('192.0.2.1', 'GET', path))).toEqual(repeat(20, 200));
  });

  test('no client is refused when the limits are off, or when the address is unknown', async () => {
    await start({});
    expect(await statusesOf(50, () => from('192.0.2.1', 'GET', '/api/v1/websites'))).toEqual(repeat(50, 401));
    await service.close();
    await start({ apiPerS: 1 });
    expect(await statusesOf(50, () => service.send('GET', '/api/v1/websites'))).toEqual(repeat(50, 401));
  });
});

describe('accounts', () => {
  const logIn = (address: string, email: string, password = 'Wrong-horse-9') =>
    from(address, 'POST', '/api/v1/auth/login', { body: { email, password } });

  test('an address may register so many an hour', async () => {
    await start({ registrationsPerH: 2 });
    let count = 0;
    const register = () => {
      count += 1;
      return from('192.0.2.1', 'POST', '/api/v1/auth/register', {
        body: { email: `${count}@example.com`, password: PASSWORD },
      });
    };
    expect(await statusesOf(3, register)).toEqual([201, 201, 429]);
    service.clock.advance(1_800_000);
    expect(await statusesOf(2, register)).toEqual([201, 429]);
  });

  test('of them at most a hundred at once', async () => {
    await start({ registrationsPerH: 200 });
    const register = () =>
      from('192.0.2.1', 'POST', '/api/v1/auth/register', { body: { email: 'a@b.de', password: PASSWORD } });
    expect(await statusesOf(101, register)).toEqual([201, ...repeat(99, 409), 429]);
    service.clock.advance(18_000);
    expect(await statusesOf(2, register)).toEqual([409, 429]);
  });

  test('wrong passwords for one account are refused before they are looked at, whatever the spelling', async () => {
    await start({ loginFailures: 3 });
    const { email } = await service.signUp();
    expect(await statusesOf(4, () => logIn('192.0.2.1', email))).toEqual([401, 401, 401, 429]);
    const refused = await logIn('192.0.2.1', ` ${email.toUpperCase()} `, PASSWORD);
    expect(refused).toMatchObject({
      status: 429,
      body: { error: 'RATE_LIMITED', message: 'Too many failed logins; try again in 300 s' },
    });
    expect(refused.headers.get('retry-after')).toBe('300');
    service.clock.advance(300_000);
    expect((await logIn('192.0.2.1', email, PASSWORD)).status).toBe(200);
  });

  test('a thousand guesses at the password of a share link are refused after some', async () => {
    await start({ loginFailures: 3 });
    const { token: login } = await service.signUp();
    const { id } = await service.addWebsite(login);
    const { body } = await from('192.0.2.1', 'POST', `/api/v1/websites/${id}/links`, {
      token: login,
      body: { name: 'x', password: PASSWORD },
    });
    const guess = (password: string) =>
      from('192.0.2.9', 'POST', '/api/v1/share/unlock', { body: { token: body.token, password } });
    const statuses = await statusesOf(1_000, () => guess('wrong password'));
    expect(statuses).toEqual([...repeat(3, 401), ...repeat(997, 429)]);
    expect((await guess(PASSWORD)).status).toBe(429);
  });

  test('the owner gets in from another address meanwhile, and other accounts from the same', async () => {
    await start({ loginFailures: 2 });
    const { email } = await service.signUp();
    const other = await service.signUp();
    await statusesOf(5, () => logIn('192.0.2.1', email));
    expect((await logIn('192.0.2.2', email, PASSWORD)).status).toBe(200);
    expect((await logIn('192.0.2.1', other.email, PASSWORD)).status).toBe(200);
  });

  test('logins that succeed count for nothing', async () => {
    await start({ loginFailures: 2, loginFailuresPerAddress: 2 });
    const { email } = await service.signUp();
    expect(await statusesOf(6, () => logIn('192.0.2.1', email, PASSWORD))).toEqual(repeat(6, 200));
  });

  test('an unknown account is limited like a known one', async () => {
    await start({ loginFailures: 2 });
    expect(await statusesOf(3, () => logIn('192.0.2.1', 'unknown@example.com'))).toEqual([401, 401, 429]);
  });

  test('one address cannot try one password on every account', async () => {
    await start({ loginFailuresPerAddress: 5 });
    let count = 0;
    const tryNext = () => {
      count += 1;
      return logIn('192.0.2.1', `${count}@example.com`);
    };
    expect(await statusesOf(7, tryNext)).toEqual([...repeat(5, 401), 429, 429]);
  });

  test('of many guesses at the same time only few more than the limit are looked at', async () => {
    await start({ loginFailures: 3 });
    const { email } = await service.signUp();
    const answers = await Promise.all(Array.from({ length: 60 }, () => logIn('192.0.2.1', email)));
    const looked = answers.filter(({ status }) => status === 401).length;
    expect(looked).toBeGreaterThanOrEqual(3);
    expect(looked).toBeLessThanOrEqual(4); // two are at work at a time
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60 - looked);
  });

  test('a stolen token cannot be used to guess the password', async () => {
    await start({ loginFailures: 2 });
    const { token } = await service.signUp();
    const change = () =>
      from('192.0.2.1', 'PUT', '/api/v1/auth/password', {
        token,
        body: { currentPassword: 'Wrong-horse-9', newPassword: 'Other-horse-9' },
      });
    const remove = () =>
      from('192.0.2.1', 'DELETE', '/api/v1/auth/me', { token, body: { password: 'Wrong-horse-9' } });
    expect(await statusesOf(1, change)).toEqual([401]);
    expect(await statusesOf(2, remove)).toEqual([401, 429]);
    expect(await statusesOf(1, change)).toEqual([429]);
  });
});
