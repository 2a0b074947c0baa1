import { describe, expect, test } from 'bun:test';
import { openPage, type Page, type PageOptions } from '../support/tracker-page.ts';

const paths = (page: Page) =>
  page.events
    .filter(({ eventType }) => eventType === 'pageview')
    .map(({ url }) => url.replace('https://site.example', ''));

type Case = {
  name: string;
  options?: PageOptions;
  navigate: (history: History, page: Page) => void | Promise<void>;
  views: string[];
};

const HASH = { tag: { 'data-tracking-code': 'pm-a', 'data-hash': '' } };

const cases: Case[] = [
  { name: 'the first view on load', navigate: () => {}, views: ['/start'] },
  {
    name: 'pushState to another path',
    navigate: (history) => history.pushState({}, '', '/a'),
    views: ['/start', '/a'],
  },
  {
    name: 'pushState to another query',
    navigate: (history) => history.pushState({}, '', '?x=2'),
    views: ['/start', '/start?x=2'],
  },
  {
    name: 'replaceState to another path',
    navigate: (history) => history.replaceState({}, '', '/b'),
    views: ['/start', '/b'],
  },
  {
    name: 'not replaceState to another query: filters are written like this',
    navigate: (history) => history.replaceState({}, '', '?x=1'),
    views: ['/start'],
  },
  {
    name: 'not replaceState without an address',
    navigate: (history) => history.replaceState({ scroll: 5 }, ''),
    views: ['/start'],
  },
  {
    name: 'not pushState to the same address',
    navigate: (history) => history.pushState({}, '', '/start'),
    views: ['/start'],
  },
  {
    name: 'not pushState to the address that replaceState has written',
    navigate: async (history, page) => {
      history.replaceState({}, '', '?x=1');
      await page.pass(1);
      history.pushState({}, '', '?x=1');
    },
    views: ['/start'],
  },
  {
    name: 'not a fragment',
    navigate: (history) => history.pushState({}, '', '#part'),
    views: ['/start'],
  },
  {
    name: 'one view for a redirect within a task',
    navigate: (history) => {
      history.pushState({}, '', '/tmp');
      history.replaceState({}, '', '/c');
    },
    views: ['/start', '/c'],
  },
  {
    name: 'nothing for a way there and back within a task',
    navigate: (history) => {
      history.pushState({}, '', '/tmp');
      history.replaceState({}, '', '/start');
    },
    views: ['/start'],
  },
  {
    name: 'each of two navigations in tasks of their own',
    navigate: async (history, page) => {
      history.pushState({}, '', '/a');
      await page.pass(1);
      history.pushState({}, '', '/b');
    },
    views: ['/start', '/a', '/b'],
  },
  {
    name: 'not a query that is replaced after a navigation',
    navigate: async (history, page) => {
      history.pushState({}, '', '/a');
      await page.pass(1);
      history.replaceState({}, '', '/a?x=1');
    },
    views: ['/start', '/a'],
  },
  {
    name: 'going back',
    navigate: async (history, page) => {
      history.pushState({}, '', '/a');
      await page.pass(1);
      // What a browser does on history.back(), which takes real time here.
      history.replaceState({}, '', '/start');
      page.window.dispatchEvent(new page.window.Event('popstate'));
    },
    views: ['/start', '/a', '/start'],
  },
  {
    name: 'a fragment with data-hash',
    options: HASH,
    navigate: (history) => history.pushState({}, '', '#/a'),
    views: ['/start', '/start#/a'],
  },
  {
    name: 'a replaced fragment with data-hash',
    options: HASH,
    navigate: (history) => history.replaceState({}, '', '#/a'),
    views: ['/start', '/start#/a'],
  },
];

describe('counts', () => {
  test.each(cases)('$name', async ({ options, navigate, views }) => {
    const page = openPage(options);
    await navigate(page.window.history, page);
    await page.pass(1);
    await page.flush();
    expect(paths(page)).toEqual(views);
  });

  test('a view that flush() is called right after', async () => {
    const page = openPage();
    page.window.history.pushState({}, '', '/a');
    await page.flush();
    expect(paths(page)).toEqual(['/start', '/a']);
  });

  test('a view by pageview(), with properties', async () => {
    const page = openPage({ tag: { 'data-tracking-code': 'pm-a', 'data-auto': 'false' } });
    page.tracker.pageview({ template: 'product' });
    await page.flush();
    expect(page.events.map(({ eventType, properties }) => ({ eventType, properties }))).toEqual([
      { eventType: 'pageview', properties: { template: 'product' } },
    ]);
  });

  test.each(['file:///home/x.html', 'about:blank', 'data:text/html,x'])('no view on %s', async (url) => {
    const page = openPage({ url });
    page.tracker.track('a');
    await page.flush();
    expect(page.requests).toEqual([]);
  });

  test('a page in a background tab at once', async () => {
    const page = openPage({ document: { hidden: true } });
    await page.pass(5_000);
    expect(paths(page)).toEqual(['/start']);
  });

  test('a prerendered page only when it is shown, and its own events with it', async () => {
    const page = openPage({ document: { prerendering: true } });
    page.tracker.track('early');
    await page.pass(10_000);
    expect({ requests: page.requests, stored: page.stored }).toEqual({ requests: [], stored: {} });
    Object.defineProperty(page.window.Document.prototype, 'prerendering', { value: false });
    page.document.dispatchEvent(new page.window.Event('prerenderingchange'));
    await page.flush();
    expect(page.events.map(({ eventType }) => eventType)).toEqual(['custom', 'pageview']);
  });
});

describe('a fragment', () => {
  test.each([
    ['without data-hash', {}, '/cb#access_token=SECRET', '/cb'],
    ['without data-hash', {}, '/#/pricing', '/'],
    ['with data-hash', HASH, '/cb?a=1#access_token=SECRET', '/cb?a=1'],
    ['with data-hash', HASH, '/#top', '/'],
    ['with data-hash', HASH, '/#/pricing?utm_source=a', '/#/pricing?utm_source=a'],
    ['with data-hash', HASH, '/#!/pricing', '/#!/pricing'],
  ])('is sent only as a route: %s, %p %s', async (_name, options, path, sent) => {
    const page = openPage({ ...options, url: `https://site.example${path}` });
    await page.flush();
    expect(page.events.map(({ url }) => url)).toEqual([`https://site.example${sent}`]);
  });
});

describe('the referrer', () => {
  test('is what the browser says, and for each further view the page before', async () => {
    const page = openPage({ referrer: 'https://search.example/?q=x' });
    page.window.history.pushState({}, '', '/a');
    await page.pass(1);
    page.tracker.track('event');
    page.window.history.pushState({}, '', '/b');
    await page.flush();
    expect(page.events.map(({ eventType, referrer }) => [eventType, referrer])).toEqual([
      ['pageview', 'https://search.example/?q=x'],
      ['pageview', 'https://site.example/start'],
      ['custom', 'https://site.example/start'],
      ['pageview', 'https://site.example/a'],
    ]);
  });

  test('is not lost when a site waits for consent', async () => {
    const page = openPage({
      referrer: 'https://search.example/',
      tag: { 'data-tracking-code': 'pm-a', 'data-auto': 'false' },
    });
    page.window.history.pushState({}, '', '/a');
    await page.pass(1);
    page.tracker.init({ auto: true });
    await page.flush();
    expect(page.events.map(({ url, referrer }) => [url, referrer])).toEqual([
      ['https://site.example/a', 'https://search.example/'],
    ]);
  });

  test.each([
    ['android-app://com.example.app/', 'android-app://com.example.app/'],
    ['https://search.example/#q=secret', 'https://search.example/'],
    [`https://search.example/?q=${'x'.repeat(3_000)}`, 'https://search.example'],
    [`android-app://com.example.app/${'x'.repeat(3_000)}`, 'android-app://com.example.app'],
  ])(
    'of a page or an app is sent without its fragment, a long one as its origin: %p',
    async (sent, expected) => {
      const page = openPage({ referrer: sent });
      await page.flush();
      expect(page.events[0]?.referrer).toBe(expected);
    },
  );

  test('of a view in the same document has no fragment, with data-hash neither', async () => {
    const page = openPage({ ...HASH, url: 'https://site.example/#/one' });
    page.window.history.pushState({}, '', '#/two');
    await page.pass(1);
    await page.flush();
    expect(page.events.map(({ url, referrer }) => [url, referrer])).toEqual([
      ['https://site.example/#/one', undefined],
      ['https://site.example/#/two', 'https://site.example/'],
    ]);
  });

  test.each(['', 'about:blank', 'chrome-extension://abc/page.html'])(
    'is left out when it is not of a page or an app: %p',
    async (referrer) => {
      const page = openPage({ referrer });
      await page.flush();
      expect(page.events[0]).not.toHaveProperty('referrer');
    },
  );
});

describe("the page's history", () => {
  test('gets the same arguments, object and result as without the tracker', () => {
    const calls: [self: unknown, parameters: unknown[]][] = [];
    const page = openPage({ tag: null });
    const { history } = page.window;
    history.pushState = function (this: History, ...parameters: unknown[]) {
      calls.push([this, parameters]);
      return 'result';
    } as History['pushState'];
    // A second start wraps what the page has put there.
    page.window.AnalyticsTracker = undefined as never;
    page.run();
    const other = {} as History;
    expect(history.pushState({ a: 1 }, '') as unknown).toBe('result');
    history.pushState.call(other, null, '', '/x');
    expect(calls.map(([, parameters]) => parameters)).toEqual([
      [{ a: 1 }, ''],
      [null, '', '/x'],
    ]);
    expect(calls[0]?.[0]).toBe(history);
    expect(calls[1]?.[0]).toBe(other);
  });

  test('throws its own errors, and nothing is counted', async () => {
    const page = openPage({ tag: { 'data-tracking-code': 'pm-a' } });
    const error = new DOMException('bad', 'SecurityError');
    const plain = openPage();
    plain.window.history.pushState = () => {
      throw error;
    };
    plain.window.AnalyticsTracker = undefined as never;
    plain.run();
    expect(() => plain.window.history.pushState({}, '', '/x')).toThrow(error);
    await page.flush();
    expect(paths(page)).toEqual(['/start']);
  });
});
