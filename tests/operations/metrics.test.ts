import { afterEach, describe, expect, test } from 'bun:test';
import { parseConfig } from '../../src/settings/config.ts';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

const LIMITS = { ...parseConfig({}, '/').config.limits, loginFailures: 2 };
const TOKEN = 'a token for Prometheus';

let service: TestService;
afterEach(() => service.close());

async function samples(): Promise<Map<string, number>> {
  const { text } = await service.send('GET', '/metrics', { token: TOKEN });
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space).replace(/^pagemeter_/, ''), Number(line.slice(space + 1))];
    }),
  );
}

describe('GET /metrics', () => {
  test('is in the format of Prometheus: each metric has a type and help, each value is a number', async () => {
    service = await createTestService({}, { metricsToken: TOKEN });
    const { text, headers } = await service.send('GET', '/metrics', { token: TOKEN });
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toEndWith('\n');
    const typed = [...text.matchAll(/^# TYPE (\w+) (?:counter|gauge|histogram)$/gm)].map(([, name]) => name);
    const helped = [...text.matchAll(/^# HELP (\w+) .+$/gm)].map(([, name]) => name);
    expect(helped).toEqual(typed);
    for (const line of text
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'))) {
      const [, name = ''] =
        /^(\w+)(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? -?[\d.]+(?:e-?\d+)?$/.exec(line) ?? [];
      expect(typed, line).toContain(
        name.replace(/^(.*_(?:commit|request)_seconds)_(bucket|sum|count)$/, '$1'),
      );
    }
  });

  test('counts requests, events, bots, commits, refusals and wrong passwords', async () => {
    service = await createTestService({ trustedProxies: 1, limits: LIMITS }, { metricsToken: TOKEN });
    const { email, apiKey } = await service.signUp();
    const { trackingCode } = await service.addWebsite(apiKey);
    const submit = (body: object, userAgent = 'Mozilla/5.0 Chrome/140.0') =>
      service.send('POST', '/api/v1/events', { body, headers: { 'User-Agent': userAgent } });
    await submit(eventFor(trackingCode));
    await submit(eventFor(trackingCode), 'Googlebot/2.1 (+http://www.google.com/bot.html)');
    await submit({});
    await service.send('POST', '/api/v1/events/batch', {
      body: { events: [eventFor(trackingCode), {}, eventFor('pm-unknown-1')] },
    });
    await service.send('GET', '/nothing');
    const wrong = { body: { email, password: 'Wrong-horse-9' }, headers: { 'X-Forwarded-For': '192.0.2.1' } };
    for (let count = 0; count < 3; count += 1) await service.send('POST', '/api/v1/auth/login', wrong);
    service.clock.advance(90_000);
    const found = await samples();
    const expected = {
      'requests_total{group="collection",status="2xx"}': 3, // 207 is one of them
      'requests_total{group="collection",status="4xx"}': 1,
      'requests_total{group="websites",status="2xx"}': 1,
      'requests_total{group="accounts",status="4xx"}': 3,
      'requests_total{group="unknown",status="4xx"}': 1,
      'events_total{outcome="stored"}': 3,
      'events_total{outcome="refused"}': 3,
      'events_total{outcome="unavailable"}': 0,
      bot_events_total: 1,
      commit_seconds_count: 3,
      request_seconds_count: 10,
      'commit_seconds_bucket{le="+Inf"}': 3,
      login_failures_total: 2,
      'limits_hit_total{limit="login"}': 1,
      ingest_queue_events: 0,
      ingest_lag_seconds: 0,
      open_streams: 0,
      statistics_behind_events: 3,
      statistics_behind_seconds: 90,
    };
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, found.get(name)]))).toEqual(
      expected,
    );
  });

  test('says what runs, and what the process takes, under the names of other programs', async () => {
    service = await createTestService({}, { metricsToken: TOKEN });
    const found = await samples();
    const info = [...found.keys()].find((name) => name.startsWith('build_info'));
    expect(info).toMatch(/^build_info\{version="[\d.]+",bun="[\d.]+",os="\w+",arch="\w+"\}$/);
    for (const name of ['resident_memory_bytes', 'start_time_seconds', 'cpu_seconds_total', 'open_fds'])
      expect(found.get(`process_${name}`), name).toBeGreaterThan(0);
  });

  test('with a token set, is for its bearer alone', async () => {
    service = await createTestService({}, { metricsToken: TOKEN });
    for (const token of [undefined, '', `${TOKEN}x`, TOKEN.slice(1)]) {
      const { status, headers } = await service.send('GET', '/metrics', { token });
      expect({ status, scheme: headers.get('www-authenticate') }).toEqual({ status: 401, scheme: 'Bearer' });
    }
    expect(await service.send('HEAD', '/metrics', { token: TOKEN })).toMatchObject({ status: 200, text: '' });
  });

  describe('without a token, is open', () => {
    async function statusOnLoopback(headers: Record<string, string>, trustedProxies = 0): Promise<number> {
      service = await createTestService({ trustedProxies });
      service.app.listen({ port: 0, hostname: '127.0.0.1' });
      const response = await fetch(`http://127.0.0.1:${service.app.server?.port}/metrics`, { headers });
      await response.text();
      await service.app.server?.stop(true);
      return response.status;
    }

    const HEADERS: [string, Record<string, string>, number][] = [
      ['is for this machine', {}, 200],
      [
        'not for what a proxy on this machine hands on (X-Forwarded-For)',
        { 'X-Forwarded-For': '127.0.0.1' },
        403,
      ],
      ['nor with Forwarded', { Forwarded: 'for=127.0.0.1' }, 403],
      ['nor with X-Real-IP', { 'X-Real-IP': '127.0.0.1' }, 403],
      ['nor under the name that a proxy hands on', { Host: 'meter.example.com' }, 403],
      ['nor for a page that another machine opened', { Origin: 'https://meter.example.com' }, 403],
      ['nor behind a link of another website', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ];
    test.each(HEADERS)('%s', async (_, headers, status) => {
      expect(await statusOnLoopback(headers)).toBe(status);
    });

    const BEHIND_A_PROXY: [string, Record<string, string>][] = [
      ['leaves nothing of itself', { Host: 'localhost:3000' }],
      ['says that the stranger is here', { Host: 'localhost:3000', 'X-Forwarded-For': '127.0.0.1' }],
    ];
    test.each(BEHIND_A_PROXY)('to no client with TRUST_PROXY, though a proxy %s', async (_, headers) => {
      expect(await statusOnLoopback(headers, 1)).toBe(403);
    });

    test('to no client with an unknown address', async () => {
      service = await createTestService();
      expect((await service.send('GET', '/metrics')).status).toBe(403);
    });
  });
});
