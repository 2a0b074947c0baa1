import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const OLD =
  'Mozilla/5.0 (Windows NT 5.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/49.0.2623.112 Safari/537.36';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const WINDOWS_11 = { 'Sec-CH-UA-Platform': '"Windows"', 'Sec-CH-UA-Platform-Version': '"15.0.0"' };

let service: TestService;
let token: string;
let stats: string;

beforeAll(async () => {
  service = await createTestService();
  token = (await service.signUp()).token;
  const website = await service.addWebsite(token);
  stats = `/api/v1/websites/${website.id}/stats`;
  let visitors = 0;
  const send = async (userAgent: string, fields: Record<string, unknown> = {}, headers = {}) => {
    visitors += 1;
    const event = eventFor(website.trackingCode, {
      visitorId: `v${visitors}`,
      sessionId: `s${visitors}`,
      ...fields,
    });
    const { status } = await service.send('POST', '/api/v1/events', {
      body: event,
      headers: { 'User-Agent': userAgent, ...headers },
    });
    expect(status).toBe(201);
  };
  await send(CHROME, { screen: '1920x1080' });
  await send(
    CHROME,
    { screen: '1280x720', url: 'https://example.com/#/pricing?utm_source=news&id=7' },
    WINDOWS_11,
  );
  await send(SAFARI, { screen: '390x844', url: 'https://example.com/#/pricing?id=8' });
  await send(OLD, { url: 'https://example.com/#top' });
  await send(SAFARI, { browser: 'Own Browser', url: 'https://example.com/#!/docs' });
  await send(GOOGLEBOT);
});
afterAll(() => service.close());

async function breakdown(dimension: string, more = ''): Promise<string[]> {
  const { body } = await service.send('GET', `${stats}/breakdown?dimension=${dimension}${more}`, { token });
  return body.rows
    .map(({ value, visitors }: { value: string; visitors: number }) => `${value} ${visitors}`)
    .toSorted();
}

describe('dimensions that are read of the User-Agent', () => {
  test.each([
    ['browserVersion', ['141 2', '17 1', '49 1']],
    ['visit:browser_version', ['141 2', '17 1', '49 1']],
    ['osVersion', ['10 1', '11 1', '17 2', 'XP 1']],
    ['visit:os_version', ['10 1', '11 1', '17 2', 'XP 1']],
    ['screenSize', ['extra large 1', 'large 1', 'small 1']],
    ['bot', []],
  ])('%s', async (dimension, rows) => {
    expect(await breakdown(dimension)).toEqual(rows);
  });

  test('a filter by browser says whose versions they are', async () => {
    const filters = encodeURIComponent(JSON.stringify([['is', 'browser', ['Chrome']]]));
    expect(await breakdown('browserVersion', `&filters=${filters}`)).toEqual(['141 2', '49 1']);
  });

  test('bots have names', async () => {
    expect(await breakdown('bot', '&traffic=bots')).toEqual(['Googlebot 1']);
  });
});

describe('a fragment that is a route', () => {
  test('is part of the page, without what stands behind its question mark', async () => {
    expect(await breakdown('page')).toEqual(['/ 2', '/#!/docs 1', '/#/pricing 2']);
    expect(await breakdown('entryPage')).toContain('/#/pricing 2');
  });

  test('may carry a campaign', async () => {
    expect(await breakdown('utmSource')).toEqual(['news 1']);
  });
});
