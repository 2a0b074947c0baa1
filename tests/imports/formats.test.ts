import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Importing, startImporting } from './importing.ts';

let importing: Importing;
beforeAll(async () => {
  importing = await startImporting();
});
afterAll(() => importing.close());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const VISITOR = expect.stringMatching(/^[0-9a-f-]{36}$/);
const FROM_LOG = {
  eventType: 'pageview',
  visitorId: VISITOR,
  sessionId: VISITOR,
  browser: 'Firefox',
  os: 'Linux',
  deviceType: 'desktop',
  properties: null,
};

type Case = {
  content: string;
  /** The stored events, the oldest first. */
  events: Record<string, unknown>[];
  leftOut?: Record<string, number>;
  reasons?: string[];
  timezone?: string;
};

const CASES: Record<string, Case> = {
  'umami: CSV of the cloud': {
    content: [
      'website_id,session_id,visit_id,event_id,hostname,browser,os,device,screen,language,country,region,city,url_path,url_query,referrer_path,referrer_query,referrer_domain,page_title,event_type,event_name,tag,distinct_id,created_at',
      '7ee5bd9d-2b30-4d6d-b1ab-6e5d0c5c7b61,1d5c3bb1-3a54-5a0e-9b2c-2c1f1f0f0a01,9b1deb4d-3b7d-5bad-9bdd-2b0d7b3dcb6d,0b6f1c1a-8e3c-4b0f-9d56-0a3c1ad00001,www.example.com,edge-chromium,Windows 10,laptop,1920x1080,en-US,DE,DE-BE,Berlin,/pricing,utm_source=news&utm_medium=email,/search,q=pagemeter,www.google.com,Pricing,1,,,,2026-10-01 10:00:00',
      '7ee5bd9d-2b30-4d6d-b1ab-6e5d0c5c7b61,1d5c3bb1-3a54-5a0e-9b2c-2c1f1f0f0a01,9b1deb4d-3b7d-5bad-9bdd-2b0d7b3dcb6d,0b6f1c1a-8e3c-4b0f-9d56-0a3c1ad00002,www.example.com,edge-chromium,Windows 10,laptop,1920x1080,en-US,DE,DE-BE,Berlin,/pricing,,,,,Pricing,2,signup,,,2026-10-01 10:01:30',
    ].join('\n'),
    events: [
      {
        eventType: 'pageview',
        url: 'https://www.example.com/pricing?utm_source=news&utm_medium=email',
        referrer: 'https://www.google.com/search?q=pagemeter',
        visitorId: '1d5c3bb1-3a54-5a0e-9b2c-2c1f1f0f0a01',
        sessionId: '9b1deb4d-3b7d-5bad-9bdd-2b0d7b3dcb6d',
        browser: 'Edge',
        os: 'Windows',
        deviceType: 'desktop',
        screen: '1920x1080',
        language: 'en-US',
        location: 'DE',
        properties: null,
        createdAt: '2026-10-01T10:00:00.000Z',
      },
      expect.objectContaining({
        eventType: 'custom',
        url: 'https://www.example.com/pricing',
        properties: { name: 'signup' },
        createdAt: '2026-10-01T10:01:30.000Z',
      }) as never,
    ],
  },
  'umami: tables of a server, with times of Kathmandu': {
    timezone: 'Asia/Kathmandu',
    content: [
      'event_id,session_id,created_at,url_path,event_type,event_name,event_data',
      '0b6f1c1a-8e3c-4b0f-9d56-0a3c1ad00003,s1,2026-10-01 00:15:00,/a,2,buy,"{""plan"":""pro"",""price"":9}"',
      '0b6f1c1a-8e3c-4b0f-9d56-0a3c1ad00004,s1,2026-10-01 00:15:00+00,/b,1,,',
    ].join('\n'),
    events: [
      {
        eventType: 'custom',
        url: 'https://example.com/a',
        visitorId: 's1',
        sessionId: 's1',
        properties: { plan: 'pro', price: 9, name: 'buy' },
        createdAt: '2026-09-30T18:30:00.000Z',
      },
      {
        eventType: 'pageview',
        url: 'https://example.com/b',
        visitorId: 's1',
        sessionId: 's1',
        properties: null,
        createdAt: '2026-10-01T00:15:00.000Z',
      },
    ],
  },
  'matomo: visits of the Live API': {
    content: JSON.stringify([
      {
        idSite: '1',
        idVisit: '331',
        visitorId: '24b3a1c0d1e2f3a4',
        referrerUrl: 'https://news.example/item?id=7',
        deviceType: 'Smartphone',
        browserName: 'Chrome Mobile',
        operatingSystemName: 'Android',
        resolution: '412x915',
        languageCode: 'de-de',
        countryCode: 'de',
        actionDetails: [
          {
            type: 'action',
            url: 'https://example.com/',
            pageId: '1',
            timestamp: 1_790_848_800,
            pageTitle: '{ "a"',
          },
          { type: 'outlink', url: 'https://other.example/', pageId: '2', timestamp: 1_790_848_810 },
          {
            type: 'event',
            url: 'https://example.com/',
            eventCategory: 'Video',
            eventAction: 'play',
            eventName: 'Intro',
            pageId: '3',
            timestamp: 1_790_848_820,
          },
          { type: 'goal', goalName: 'Signup', timestamp: 1_790_848_820 },
        ],
      },
    ]),
    leftOut: { 'actions of type goal': 1 },
    events: [
      {
        eventType: 'pageview',
        url: 'https://example.com/',
        referrer: 'https://news.example/item?id=7',
        visitorId: '24b3a1c0d1e2f3a4',
        sessionId: '331',
        browser: 'Chrome',
        os: 'Android',
        deviceType: 'mobile',
        screen: '412x915',
        language: 'de-de',
        location: 'DE',
        properties: null,
        createdAt: '2026-10-01T10:00:00.000Z',
      },
      expect.objectContaining({
        eventType: 'click',
        url: 'https://example.com/',
        properties: { href: 'https://other.example/', type: 'outbound' },
      }) as never,
      expect.objectContaining({
        eventType: 'custom',
        properties: { name: 'play', category: 'Video', label: 'Intro' },
      }) as never,
    ],
  },
  'goatcounter: CSV export': {
    content: [
      '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date',
      '/a.html,A,false,,Firefox 130,macOS 15,8h2tq0,0,news.example/item,h,"1920,1080,1",DE-BY,true,2026-10-01T10:00:00Z',
      'signup,,true,,Firefox 130,macOS 15,8h2tq0,0,,,,DE-BY,false,2026-10-01T10:05:00Z',
      '/a.html,A,false,,,,9c0,7,,,,,true,2026-10-01T10:06:00Z',
    ].join('\n'),
    leftOut: { bots: 1 },
    events: [
      {
        eventType: 'pageview',
        url: 'https://example.com/a.html',
        referrer: 'https://news.example/item',
        visitorId: '8h2tq0',
        sessionId: '8h2tq0',
        browser: 'Firefox',
        os: 'macOS',
        location: 'DE',
        properties: null,
        createdAt: '2026-10-01T10:00:00.000Z',
      },
      expect.objectContaining({
        eventType: 'custom',
        url: 'https://example.com',
        properties: { name: 'signup' },
      }) as never,
    ],
  },
  'ga4: BigQuery export': {
    content: [
      {
        event_date: '20261001',
        event_timestamp: '1790848800123456',
        event_name: 'page_view',
        event_params: [
          { key: 'page_location', value: { string_value: 'https://example.com/?gclid=1' } },
          { key: 'page_referrer', value: { string_value: 'https://www.google.com/' } },
          { key: 'ga_session_id', value: { int_value: '1790848800' } },
        ],
        user_pseudo_id: '1234567890.1790848800',
        device: {
          category: 'mobile',
          operating_system: 'iOS',
          language: 'en-us',
          web_info: { browser: 'Safari' },
        },
        geo: { country: 'Germany' },
      },
      {
        event_timestamp: '1790848801000000',
        event_name: 'purchase',
        event_params: [
          { key: 'page_location', value: { string_value: 'https://example.com/thanks' } },
          { key: 'value', value: { double_value: 9.5 } },
          { key: 'currency', value: { string_value: 'EUR' } },
        ],
        user_pseudo_id: '1234567890.1790848800',
      },
      { event_timestamp: '1790848800123456', event_name: 'session_start', event_params: [] },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
    leftOut: { 'automatic events of Google Analytics': 1 },
    events: [
      {
        eventType: 'pageview',
        url: 'https://example.com/?gclid=1',
        referrer: 'https://www.google.com/',
        visitorId: '1234567890.1790848800',
        sessionId: '1790848800',
        browser: 'Safari',
        os: 'iOS',
        deviceType: 'mobile',
        language: 'en-us',
        location: 'DE',
        properties: null,
        createdAt: '2026-10-01T10:00:00.123Z',
      },
      expect.objectContaining({
        eventType: 'custom',
        properties: { name: 'purchase', value: 9.5, currency: 'EUR' },
      }) as never,
    ],
  },
  'posthog: events as JSON lines': {
    content: [
      {
        uuid: '0192f0c1-0000-0000-0000-000000000001',
        event: '$pageview',
        timestamp: '2026-10-01T10:00:00.000000Z',
        distinct_id: 'user-7',
        properties: {
          $current_url: 'https://example.com/a',
          $referrer: '$direct',
          $session_id: 'session-1',
          $browser: 'Mobile Safari',
          $os: 'Mac OS X',
          $device_type: 'Desktop',
          $screen_width: 1512,
          $screen_height: 982,
          $geoip_country_code: 'FR',
        },
      },
      {
        uuid: '0192f0c1-0000-0000-0000-000000000002',
        event: 'signed up',
        timestamp: '2026-10-01T10:01:00Z',
        distinct_id: 'user-7',
        properties: '{"$current_url":"https://example.com/a","plan":"pro","token":"phc_x"}',
      },
      {
        uuid: '0192f0c1-0000-0000-0000-000000000003',
        event: '$autocapture',
        timestamp: '2026-10-01T10:01:00Z',
        distinct_id: 'user-7',
        properties: {},
      },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
    leftOut: { 'events of PostHog itself': 1 },
    events: [
      {
        eventType: 'pageview',
        url: 'https://example.com/a',
        visitorId: 'user-7',
        sessionId: 'session-1',
        browser: 'Safari',
        os: 'macOS',
        deviceType: 'desktop',
        screen: '1512x982',
        location: 'FR',
        properties: null,
        createdAt: '2026-10-01T10:00:00.000Z',
      },
      expect.objectContaining({
        eventType: 'custom',
        properties: { plan: 'pro', name: 'signed up' },
        sessionId: 'user-7',
      }) as never,
    ],
  },
  'simple-analytics: export of data points': {
    content: [
      'added_iso,country_code,datapoint,device_type,document_referrer,browser_name,hostname,is_robot,lang_language,lang_region,os_name,path,query,screen_height,screen_width,session_id,uuid',
      '2026-10-01T10:00:00.000Z,NL,,desktop,https://news.example/,Firefox,example.com,false,nl,NL,Mac OS,/a,?utm_source=x,1080,1920,3e0e,aaaaaaaa-0000-4000-8000-000000000001',
      '2026-10-01T10:02:00.000Z,NL,click_buy,desktop,,Firefox,example.com,false,nl,NL,Mac OS,/a,,1080,1920,3e0e,aaaaaaaa-0000-4000-8000-000000000002',
      '2026-10-01T10:03:00.000Z,NL,,desktop,,Firefox,example.com,true,nl,NL,Mac OS,/a,,1080,1920,3e0f,aaaaaaaa-0000-4000-8000-000000000003',
    ].join('\n'),
    leftOut: { bots: 1 },
    events: [
      {
        eventType: 'pageview',
        url: 'https://example.com/a?utm_source=x',
        referrer: 'https://news.example/',
        visitorId: '3e0e',
        sessionId: '3e0e',
        browser: 'Firefox',
        os: 'macOS',
        deviceType: 'desktop',
        screen: '1920x1080',
        language: 'nl-NL',
        location: 'NL',
        properties: null,
        createdAt: '2026-10-01T10:00:00.000Z',
      },
      expect.objectContaining({ eventType: 'custom', properties: { name: 'click_buy' } }) as never,
    ],
  },
  'access-log: combined': {
    content: [
      `192.0.2.7 - - [01/Oct/2026:12:00:00 +0200] "GET /pricing?a=1 HTTP/1.1" 200 512 "https://news.example/" "${FIREFOX}"`,
      `192.0.2.7 - - [01/Oct/2026:12:00:01 +0200] "GET /style.css HTTP/1.1" 200 512 "-" "${FIREFOX}"`,
      `192.0.2.7 - - [01/Oct/2026:12:00:02 +0200] "POST /contact HTTP/1.1" 200 512 "-" "${FIREFOX}"`,
      `192.0.2.7 - - [01/Oct/2026:12:00:03 +0200] "GET /missing HTTP/1.1" 404 512 "-" "${FIREFOX}"`,
      `192.0.2.8 - - [01/Oct/2026:12:00:04 +0200] "GET / HTTP/1.1" 200 512 "-" "${GOOGLEBOT}"`,
      `192.0.2.7 - - [01/Oct/2026:12:00:05 +0200] "GET /a.html HTTP/1.1" 304 0 "-" "${FIREFOX}"`,
      `192.0.2.7 - - [01/Oct/2026:12:00:05 +0200] "GET /a.html HTTP/1.1" 304 0 "-" "${FIREFOX}"`,
      'not a line of a log',
    ].join('\n'),
    leftOut: {
      'files that are not pages': 1,
      'requests other than GET': 1,
      'requests without success': 1,
      bots: 1,
    },
    reasons: ['Not a line of an access log'],
    events: [
      {
        ...FROM_LOG,
        url: 'https://example.com/pricing?a=1',
        referrer: 'https://news.example/',
        createdAt: '2026-10-01T10:00:00.000Z',
      },
      { ...FROM_LOG, url: 'https://example.com/a.html', createdAt: '2026-10-01T10:00:05.000Z' },
      { ...FROM_LOG, url: 'https://example.com/a.html', createdAt: '2026-10-01T10:00:05.000Z' },
    ],
  },
  'access-log: with the virtual host': {
    content: `shop.example.com:443 192.0.2.7 - - [01/Oct/2026:10:00:00 +0000] "GET /\\"x\\" HTTP/2.0" 200 512 "-" "${FIREFOX}"`,
    events: [{ ...FROM_LOG, url: 'https://shop.example.com/\\"x\\"', createdAt: '2026-10-01T10:00:00.000Z' }],
  },
  'access-log-json: Caddy': {
    content: [
      JSON.stringify({ level: 'info', ts: 1_790_848_799.5, msg: 'serving initial configuration' }),
      JSON.stringify({
        level: 'info',
        ts: 1_790_848_800.25,
        logger: 'http.log.access',
        msg: 'handled request',
        request: {
          remote_ip: '192.0.2.7',
          client_ip: '192.0.2.7',
          method: 'GET',
          host: 'example.com',
          uri: '/docs/?q=1',
          headers: { 'User-Agent': [FIREFOX], Referer: ['https://news.example/'] },
        },
        status: 200,
      }),
    ]
      .reverse()
      .join('\n'),
    leftOut: { 'lines that are not requests': 1 },
    events: [
      {
        ...FROM_LOG,
        url: 'https://example.com/docs/?q=1',
        referrer: 'https://news.example/',
        createdAt: '2026-10-01T10:00:00.250Z',
      },
    ],
  },
  'access-log-json: Traefik': {
    content: JSON.stringify({
      ClientHost: '192.0.2.7',
      DownstreamStatus: 200,
      RequestHost: 'example.com',
      RequestMethod: 'GET',
      RequestPath: '/a',
      StartUTC: '2026-10-01T10:00:00.123456789Z',
      'request_User-Agent': FIREFOX,
    }),
    events: [{ ...FROM_LOG, url: 'https://example.com/a', createdAt: '2026-10-01T10:00:00.123Z' }],
  },
  "access-log-json: Cloudflare's Logpush": {
    content: JSON.stringify({
      ClientIP: '192.0.2.7',
      ClientRequestHost: 'example.com',
      ClientRequestMethod: 'GET',
      ClientRequestURI: '/a',
      ClientRequestUserAgent: FIREFOX,
      EdgeResponseStatus: 200,
      EdgeStartTimestamp: 1_790_848_800_000_000_000,
    }),
    events: [{ ...FROM_LOG, url: 'https://example.com/a', createdAt: '2026-10-01T10:00:00.000Z' }],
  },
  'access-log-json: nginx': {
    content: JSON.stringify({
      time_iso8601: '2026-10-01T12:00:00+02:00',
      remote_addr: '192.0.2.7',
      request: 'GET /a HTTP/2.0',
      status: '200',
      http_referer: '',
      http_user_agent: FIREFOX,
      host: 'example.com',
    }),
    events: [{ ...FROM_LOG, url: 'https://example.com/a', createdAt: '2026-10-01T10:00:00.000Z' }],
  },
};

describe('a file of another product becomes events, once', () => {
  test.each(Object.entries(CASES))(
    '%s',
    async (_, { content, events, leftOut = {}, reasons = [], timezone }) => {
      const options = timezone === undefined ? {} : { timezone };
      const { import: own, ...result } = await importing.run({ 'a.file': content }, options);
      expect(await importing.events()).toEqual(events);
      expect(Object.fromEntries(result.leftOut.map(({ reason, count }) => [reason, count]))).toEqual(leftOut);
      expect(result.reasons.map(({ reason }) => reason)).toEqual(reasons);
      expect(await importing.run({ 'b.file': content }, options)).toMatchObject({
        added: 0,
        duplicates: events.length,
      });
      await importing.importer.undo(own.key);
    },
  );
});

test('a time zone that does not exist is refused', async () => {
  const files = { 'a.csv': CASES['goatcounter: CSV export']?.content ?? '' };
  await expect(importing.run(files, { timezone: 'Mars/Base' })).rejects.toThrow(
    'There is no time zone Mars/Base',
  );
});

test('an access log names its visitors by a hash of day, address and User-Agent', async () => {
  const line = (day: string, address: string, agent: string) =>
    `${address} - - [${day}/Oct/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "${agent}"`;
  const content = [
    line('01', '192.0.2.7', FIREFOX),
    line('01', '192.0.2.7', FIREFOX.replace('130', '129')),
    line('01', '192.0.2.9', FIREFOX),
    line('02', '192.0.2.7', FIREFOX),
  ].join('\n');
  const { import: own } = await importing.run({ 'access.log': content });
  const events = await importing.events();
  expect(new Set(events.map(({ visitorId }) => visitorId)).size).toBe(4);
  expect(JSON.stringify(events)).not.toContain('192.0.2');
  await importing.importer.undo(own.key);
});

test('regions and cities of another product are those of an address', async () => {
  const { content = '' } = CASES['umami: CSV of the cloud'] ?? {};
  const { import: own } = await importing.run({ 'a.csv': content });
  const stats = `/websites/${importing.website.id}/stats/breakdown?period=all&dimension=`;
  expect((await importing.get(`${stats}region`)).rows).toMatchObject([{ value: 'DE-BE' }]);
  expect((await importing.get(`${stats}city`)).rows).toMatchObject([{ value: 'Berlin, DE-BE' }]);
  await importing.importer.undo(own.key);
});
