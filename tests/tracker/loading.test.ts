import { describe, expect, test } from 'bun:test';
import { CODE, openPage, type Page } from '../support/tracker-page.ts';

describe('a stub', () => {
  /** The one of the documentation. */
  const createStub = () => {
    const stub: Record<string, unknown> & { q: unknown[] } = { q: [] };
    for (const name of ['init', 'track', 'pageview', 'flush', 'optOut', 'optIn']) {
      stub[name] = (...parameters: unknown[]) => void stub.q.push([name, parameters]);
    }
    return stub as typeof stub & { track(name: string): void; init(options: object): void };
  };

  test('has its calls repeated in their order, and then the page is counted', async () => {
    const stub = createStub();
    stub.track('a');
    stub.init({ trackingCode: 'pm-stub', auto: false });
    stub.track('b');
    const page = openPage({ tag: {}, globals: { AnalyticsTracker: stub } });
    page.tracker.init({ auto: true });
    await page.flush();
    expect(page.events.map(({ eventType, properties }) => properties?.name ?? eventType)).toEqual([
      'a',
      'b',
      'pageview',
    ]);
  });

  test('becomes the tracker, for pages that kept a reference', async () => {
    const stub = createStub();
    const page = openPage({ globals: { AnalyticsTracker: stub } });
    stub.track('later');
    await page.flush();
    expect(page.tracker as unknown).toBe(stub);
    expect(page.events.length).toBe(2);
  });

  test('ignores queued calls to unknown functions', async () => {
    const stub = { q: [['identify', [1]], ['track', ['a']], ['version', []], 7] };
    const page = openPage({ globals: { AnalyticsTracker: stub } });
    await page.flush();
    expect(page.events.length).toBe(2);
  });

  test('may note the arguments object itself', async () => {
    const args = (function (..._: unknown[]) {
      // biome-ignore lint/complexity/noArguments: the shortest stub in use does just this
      return arguments;
    })('a', { n: 1 });
    const page = openPage({ globals: { AnalyticsTracker: { q: [['track', args]] } } });
    await page.flush();
    expect(page.events.map(({ properties }) => properties)).toEqual([{ n: 1, name: 'a' }, undefined]);
  });
});

describe('a second script on the same page', () => {
  test('does nothing: views, clicks and calls count once', async () => {
    const page = openPage({ html: '<a href="/x">x</a>' });
    const first = page.tracker;
    page.run();
    expect(page.tracker).toBe(first);
    page.document.querySelector('a')?.click();
    page.window.history.pushState({}, '', '/a');
    await page.pass(5_000);
    expect(page.events.map(({ eventType }) => eventType)).toEqual(['pageview', 'click', 'pageview']);
  });
});

describe('two tags with different codes on the same page', () => {
  const OTHER = { 'data-tracking-code': 'pm-other', src: 'https://other.example/tracker.js' };
  const sentTo = (page: Page, code: string) =>
    page.requests.flatMap(({ url, events }) =>
      events
        .filter(({ trackingCode }) => trackingCode === code)
        .map(({ eventType, properties }) => [new URL(url).host, properties?.name ?? eventType].join(' ')),
    );

  test('each get their events, at their own service', async () => {
    const page = openPage({ html: '<a href="/x">x</a>' });
    page.run(OTHER);
    page.run(OTHER);
    page.tracker.track('a');
    page.document.querySelector('a')?.click();
    page.window.history.pushState({}, '', '/a');
    await page.flush();
    const events = ['pageview', 'a', 'click', 'pageview'];
    expect(sentTo(page, CODE)).toEqual(events.map((name) => `stats.example ${name}`));
    expect(sentTo(page, 'pm-other')).toEqual(events.map((name) => `other.example ${name}`));
    expect(new Set(page.events.map(({ id }) => id)).size).toBe(8);
    expect(new Set(page.events.map(({ visitorId }) => visitorId)).size).toBe(1);
  });

  test('keep their codes when init() names one', async () => {
    const page = openPage({ tag: {} });
    page.run(OTHER);
    page.tracker.init({ trackingCode: CODE });
    await page.flush();
    expect([sentTo(page, CODE).length, sentTo(page, 'pm-other').length]).toEqual([1, 1]);
  });

  test('are both refused by optOut()', async () => {
    const page = openPage();
    page.run(OTHER);
    page.tracker.optOut();
    page.tracker.track('a');
    await page.pass(60_000);
    expect(page.requests).toEqual([]);
  });

  test('do not undo a refusal by what a stub has noted before', async () => {
    const page = openPage({ globals: { AnalyticsTracker: { q: [['optIn', []]] } } });
    page.tracker.optOut();
    page.run(OTHER);
    page.tracker.track('a');
    await page.pass(60_000);
    expect(page.requests).toEqual([]);
  });

  test('have what a stub has noted, both', async () => {
    const page = openPage({ globals: { AnalyticsTracker: { q: [['track', ['early']]] } } });
    page.run(OTHER);
    await page.flush();
    expect(sentTo(page, CODE)).toEqual(['stats.example early', 'stats.example pageview']);
    expect(sentTo(page, 'pm-other')).toEqual(['other.example early', 'other.example pageview']);
  });
});

describe('the global object', () => {
  test('has a version and functions', () => {
    const { tracker } = openPage();
    expect(tracker.version).toBe('1.0.0');
    expect(Object.keys(tracker).sort()).toEqual(
      ['version', 'codes', 'init', 'track', 'pageview', 'flush', 'optOut', 'optIn', 'consent'].sort(),
    );
  });

  test('takes the place of an element with this id', async () => {
    const page = openPage({ html: '<div id="AnalyticsTracker"></div>' });
    await page.flush();
    expect(typeof page.tracker.track).toBe('function');
    expect(page.events.length).toBe(1);
  });

  test('never throws, whatever it is called with', async () => {
    const page = openPage();
    // Calls that the types forbid.
    const { tracker } = page as unknown as { tracker: Record<string, (...parameters: unknown[]) => unknown> };
    for (const name of ['init', 'track', 'pageview', 'flush', 'optIn', 'optOut']) {
      for (const value of [undefined, null, 0, '', 'x', [], {}, () => {}, Symbol('x'), 1n]) {
        // `void`: what is awaited here, time that stands still would never bring.
        expect(() => void tracker[name]?.(value, value)).not.toThrow();
      }
    }
    await page.pass(1);
  });
});

describe('what breaks in a page', () => {
  test.each<[string, (page: ReturnType<typeof openPage>) => void]>([
    ['no fetch', (page) => Object.defineProperty(page.window, 'fetch', { value: undefined })],
    ['no random numbers', (page) => Object.defineProperty(page.window, 'crypto', { value: undefined })],
  ])('does not reach it: %s', async (_name, damage) => {
    const page = openPage();
    damage(page);
    expect(() => page.tracker.track('a')).not.toThrow();
    await page.flush();
  });
});
