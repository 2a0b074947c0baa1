import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Website, WebsiteSettings } from '../../src/contract/website.ts';
import { TEST_START_MS } from '../support/clock.ts';
import { invalid } from '../support/refusals.ts';
import { createTestService, statusAndBody, type TestService, type User } from '../support/service.ts';

let service: TestService;
let ada: User;
let website: Website;

beforeAll(async () => {
  service = await createTestService();
});
beforeEach(async () => {
  service.clock.set(TEST_START_MS);
  ada = await service.addUser();
  website = await service.websites.create(ada.id, { name: 'n', domain: 'https://example.com' });
});
afterAll(() => service.close());

const path = () => `/api/v1/websites/${website.id}/settings`;
const get = async () => statusAndBody(await service.send('GET', path(), { token: ada.apiKey }));
const patch = async (body: unknown) =>
  statusAndBody(await service.send('PATCH', path(), { token: ada.apiKey, body }));

const DEFAULTS: WebsiteSettings = {
  timezone: 'UTC',
  allowedOrigins: [],
  excludedIps: [],
  leavesOutLocalPages: true,
  oldIds: [],
  retentionDays: null,
  isCountryOnly: false,
  isPublic: false,
  publicHides: [],
  primaryGoalId: null,
  anonymous: false,
};

describe('GET /websites/:id/settings', () => {
  test('answers the defaults of a new website', async () => {
    expect(await get()).toEqual({ status: 200, body: DEFAULTS });
  });
});

describe('PATCH /websites/:id/settings', () => {
  const ORIGIN_FAULT = 'Must be an origin such as https://example.com';
  const RANGE_FAULT = 'Must be an IP address or a CIDR range such as 203.0.113.0/24';
  const ZONE_FAULT = 'Must be an IANA time zone such as Europe/Berlin';
  const many = (count: number, entry: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => entry(index));

  const changes: [string, Partial<WebsiteSettings>][] = [
    ['a time zone', { timezone: 'Europe/Berlin' }],
    ['a time zone as submitted', { timezone: 'asia/KOLKATA' }],
    ['no retention', { retentionDays: null }],
    ['the shortest retention', { retentionDays: 1 }],
    ['the longest retention', { retentionDays: 3_650 }],
    ['that it is public', { isPublic: true }],
    ['local pages that count', { leavesOutLocalPages: false }],
    ['what the public does not see', { publicHides: ['smallRows', 'customEvents', 'campaigns'] }],
    ['no origins', { allowedOrigins: [] }],
    ['100 origins', { allowedOrigins: many(100, (index) => `https://h${index}.example`) }],
    ['100 addresses', { excludedIps: many(100, (index) => `203.0.113.${index}`) }],
  ];
  test.each(changes)('accepts %s, changes nothing else and answers all settings', async (_, change) => {
    const answer = { status: 200, body: { ...DEFAULTS, ...change } };
    expect(await patch(change)).toEqual(answer);
    expect(await get()).toEqual(answer);
  });

  const normalised: [string, Partial<WebsiteSettings>, Partial<WebsiteSettings>][] = [
    [
      'origins as scheme, host and port, none twice',
      {
        allowedOrigins: ['HTTPS://Example.com:443/path?q', 'https://example.com', ' http://localhost:3000/ '],
      },
      { allowedOrigins: ['https://example.com', 'http://localhost:3000'] },
    ],
    [
      'addresses and ranges, none twice',
      { excludedIps: ['203.0.113.7', ' 10.0.0.0/8 ', '2001:db8::/32', '::1', '0.0.0.0/0', '203.0.113.7'] },
      { excludedIps: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32', '::1', '0.0.0.0/0'] },
    ],
  ];
  test.each(normalised)('keeps %s', async (_, sent, kept) => {
    expect(await patch(sent)).toEqual({ status: 200, body: { ...DEFAULTS, ...kept } });
  });

  test('keeps what an earlier request set, and replaces a list as a whole', async () => {
    await patch({ timezone: 'Europe/Berlin', retentionDays: 90, excludedIps: ['10.0.0.1', '10.0.0.2'] });
    expect(await patch({ excludedIps: ['10.0.0.3'], isPublic: true })).toEqual({
      status: 200,
      body: {
        ...DEFAULTS,
        timezone: 'Europe/Berlin',
        excludedIps: ['10.0.0.3'],
        retentionDays: 90,
        isPublic: true,
        anonymous: false,
      },
    });
  });

  test.each([[{}], [{ name: 'x', userId: 'user-2', colour: 'red' }]])(
    'answers 200 to %j and changes nothing',
    async (body) => {
      await patch({ timezone: 'Europe/Berlin' });
      const before = await service.websites.find(website.id);
      expect(await patch(body)).toEqual({ status: 200, body: { ...DEFAULTS, timezone: 'Europe/Berlin' } });
      expect(await service.websites.find(website.id)).toEqual(before);
    },
  );

  test('lets updatedAt of the website grow', async () => {
    service.clock.advance(1_000);
    await patch({ isPublic: true });
    expect((await service.websites.find(website.id))?.updatedAtMs).toBe(service.clock.now());
  });

  const refusals: [string, unknown, ReturnType<typeof invalid>][] = [
    ['an unknown time zone', { timezone: 'Europe/Atlantis' }, invalid({ timezone: [ZONE_FAULT] })],
    ['an offset for a time zone', { timezone: '+01:00' }, invalid({ timezone: [ZONE_FAULT] })],
    [
      'texts that are not origins, naming each',
      { allowedOrigins: ['https://a.b', 'a.b', 'null', 'ftp://a.b', 'https://*.a.b', '*', ''] },
      invalid({ allowedOrigins: [1, 2, 3, 4, 5, 6].map((index) => `${index}: ${ORIGIN_FAULT}`) }),
    ],
    [
      'texts that are neither address nor range, naming each',
      {
        excludedIps: [
          '10.0.0.1',
          '10.0.0.256',
          '10.0.0.0/33',
          '10.0.0.0/',
          '10.0.0.0/-1',
          '10.0.0.0/8/8',
          '::/129',
          'fe80::1%eth0',
          'localhost',
          '',
        ],
      },
      invalid({ excludedIps: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => `${index}: ${RANGE_FAULT}`) }),
    ],
    [
      'every fault at once',
      { timezone: 'x', allowedOrigins: ['x'], excludedIps: ['x'] },
      invalid({
        timezone: [ZONE_FAULT],
        allowedOrigins: [`0: ${ORIGIN_FAULT}`],
        excludedIps: [`0: ${RANGE_FAULT}`],
      }),
    ],
  ];
  test.each(refusals)('refuses %s with 400, and nothing changes', async (_, body, answer) => {
    expect(await patch(body)).toEqual(answer);
    expect(await get()).toEqual({ status: 200, body: DEFAULTS });
  });

  test('one bad field with a good one changes neither', async () => {
    expect((await patch({ isPublic: true, timezone: 'x' })).status).toBe(400);
    expect((await get()).body).toEqual(DEFAULTS);
  });
});
