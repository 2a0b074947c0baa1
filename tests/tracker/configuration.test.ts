import { describe, expect, test } from 'bun:test';
import { Window } from 'happy-dom';
import { CODE, EVENTS_URL, openPage, type PageOptions } from '../support/tracker-page.ts';

async function firstRequest(options: PageOptions) {
  const page = openPage(options);
  await page.pass(5_000);
  const [request] = page.requests;
  return request && { url: request.url, code: request.events[0]?.trackingCode };
}

type Case = { name: string; options: PageOptions; url?: string; code?: string };

const VARIABLES = { TRACKER_CODE: 'pm-variable', TRACKER_API: 'https://variable.example/e' };
const ATTRIBUTES = { 'data-tracking-code': 'pm-attribute', 'data-api-url': 'https://attribute.example/e' };
const ADDRESS = 'https://stats.example/tracker.js?code=pm-address&api=https://address.example/e';

const cases: Case[] = [
  {
    name: 'attributes of the script',
    options: { tag: ATTRIBUTES },
    url: 'https://attribute.example/e',
    code: 'pm-attribute',
  },
  {
    name: 'window variables set before the script is loaded',
    options: { tag: {}, globals: VARIABLES },
    url: 'https://variable.example/e',
    code: 'pm-variable',
  },
  {
    name: "parameters in the script's address",
    options: { tag: { src: ADDRESS } },
    url: 'https://address.example/e',
    code: 'pm-address',
  },
  {
    name: 'parameters of which one is an address with parameters of its own',
    options: {
      tag: { src: 'https://stats.example/t.js?api=https://address.example/e?k=1&code=pm-address#part' },
    },
    url: 'https://address.example/e?k=1',
    code: 'pm-address',
  },
  {
    name: 'options of an init() noted by a stub',
    options: {
      tag: {},
      globals: {
        AnalyticsTracker: { q: [['init', [{ trackingCode: 'pm-init', apiUrl: 'https://init.example/e' }]]] },
      },
    },
    url: 'https://init.example/e',
    code: 'pm-init',
  },
  {
    name: 'attributes rather than window variables',
    options: { tag: ATTRIBUTES, globals: VARIABLES },
    url: 'https://attribute.example/e',
    code: 'pm-attribute',
  },
  {
    name: "window variables rather than parameters in the script's address",
    options: { tag: { src: ADDRESS }, globals: VARIABLES },
    url: 'https://variable.example/e',
    code: 'pm-variable',
  },
  {
    name: 'options of init() rather than attributes, one by one',
    options: {
      tag: ATTRIBUTES,
      globals: { AnalyticsTracker: { q: [['init', [{ trackingCode: 'pm-init' }]]] } },
    },
    url: 'https://attribute.example/e',
    code: 'pm-init',
  },
  {
    name: 'the service that served the script when no address is given',
    options: {},
    url: EVENTS_URL,
    code: CODE,
  },
];

describe('the tracker is configured by', () => {
  test.each(cases)('$name', async ({ options, url, code }) => {
    expect(await firstRequest(options)).toEqual({ url, code } as Awaited<ReturnType<typeof firstRequest>>);
  });
});

describe('without a tracking code', () => {
  test('holds events until init() brings one, and stores nothing before', async () => {
    const page = openPage({ tag: {} });
    page.tracker.track('early', { n: 1 });
    await page.pass(10_000);
    expect(page.requests).toEqual([]);
    expect(page.stored).toEqual({});
    page.tracker.init({ trackingCode: 'pm-late' });
    await page.pass(5_000);
    expect(
      page.events.map(({ eventType, trackingCode, timestamp }) => [eventType, trackingCode, timestamp]),
    ).toEqual([
      ['pageview', 'pm-late', 1_717_243_200_000],
      ['custom', 'pm-late', 1_717_243_200_000],
    ]);
  });

  test('holds at most 100 events', async () => {
    const page = openPage({ tag: {} });
    for (let count = 0; count < 150; count++) page.tracker.track('early', { count });
    page.tracker.init({ trackingCode: 'pm-late' });
    await page.flush();
    expect(page.events.length).toBe(100);
  });

  test('finds the attributes of a script that the document does not know', async () => {
    const page = openPage({
      tag: null,
      html: '<script type="text/plain" src="https://other.example/t.js" data-tracking-code="pm-found"></script>',
    });
    await page.pass(5_000);
    expect(page.events.map(({ trackingCode }) => trackingCode)).toEqual(['pm-found']);
    expect(page.requests[0]?.url).toBe('https://other.example/api/v1/events');
  });
});

describe('settings that are on or off', () => {
  test.each([
    ['an attribute without a value', { 'data-debug': '' }, {}, true],
    ['an attribute that says true', { 'data-debug': 'true' }, {}, true],
    ['an attribute that says false', { 'data-debug': 'false' }, {}, false],
    ['a window variable', {}, { TRACKER_DEBUG: true }, true],
    ['a window variable that is false', {}, { TRACKER_DEBUG: false }, false],
    ['a parameter in the address', { src: 'https://stats.example/tracker.js?debug=1' }, {}, true],
    ['nothing at all', {}, {}, false],
  ])('debug by %s', async (_name, attributes, globals, isLogged) => {
    const lines: unknown[][] = [];
    const console = { log: (...line: unknown[]) => lines.push(line) };
    const page = openPage({
      tag: { 'data-tracking-code': CODE, ...attributes },
      globals: { ...globals, console },
    });
    await page.flush();
    expect(lines.length > 0).toBe(isLogged);
    expect(lines.every(([prefix]) => prefix === '[AnalyticsTracker]')).toBe(true);
  });

  test('every setting has a window variable', async () => {
    const page = openPage({
      tag: { 'data-tracking-code': CODE },
      globals: {
        TRACKER_AUTO: false,
        TRACKER_BEFORESEND: 'scrub',
        scrub: (event: { url: string }) => {
          event.url = 'https://site.example/scrubbed';
        },
      },
    });
    page.tracker.track('a');
    await page.flush();
    expect(page.events.map(({ eventType, url }) => [eventType, url])).toEqual([
      ['custom', 'https://site.example/scrubbed'],
    ]);
    const quiet = openPage({ globals: { TRACKER_RESPECTDNT: true }, navigator: { doNotTrack: '1' } });
    await quiet.flush();
    expect(quiet.requests).toEqual([]);
  });

  test.each([
    ['an object', {}],
    ['a function', () => {}],
    ['an element', new Window().document.createElement('a')],
  ])('a window variable that is %s is none', async (_name, TRACKER_API) => {
    const page = openPage({ globals: { TRACKER_API } });
    await page.flush();
    expect(page.requests.map(({ url }) => url)).toEqual([EVENTS_URL]);
  });

  test('data-auto="false" tracks nothing by itself, and init({ auto: true }) starts it', async () => {
    const page = openPage({
      tag: { 'data-tracking-code': CODE, 'data-auto': 'false' },
      html: '<a href="/x">x</a>',
    });
    page.document.querySelector('a')?.click();
    page.window.history.pushState({}, '', '/next');
    await page.flush();
    expect(page.requests).toEqual([]);
    expect(page.stored).toEqual({});
    page.tracker.init({ auto: true });
    await page.flush();
    expect(page.events.map(({ eventType, url }) => [eventType, url])).toEqual([
      ['pageview', 'https://site.example/next'],
    ]);
  });

  test('an address that is none sends nothing until init() brings a better one', async () => {
    const page = openPage({ tag: { 'data-tracking-code': CODE, 'data-api-url': 'http://[' } });
    await page.pass(20_000);
    expect(page.requests).toEqual([]);
    page.tracker.init({ apiUrl: '/e' });
    await page.flush();
    expect(page.requests.map(({ url }) => url)).toEqual(['https://site.example/e']);
  });
});
