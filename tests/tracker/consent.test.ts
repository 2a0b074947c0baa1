import { describe, expect, test } from 'bun:test';
import { CODE, openPage } from '../support/tracker-page.ts';

describe('optOut()', () => {
  test('stops tracking, forgets the queued events and everything that was stored', async () => {
    const page = openPage();
    page.tracker.track('a');
    page.window.localStorage.setItem('theirs', '1');
    page.tracker.optOut();
    page.tracker.track('b');
    page.window.history.pushState({}, '', '/next');
    await page.pass(60_000);
    expect(page.requests).toEqual([]);
    expect(page.stored).toEqual({ theirs: '1', _at_off: '1' });
    expect({ ...page.window.sessionStorage } as object).toEqual({});
  });

  test('forgets events that wait for a tracking code, and none of the time without consent comes later', async () => {
    const page = openPage({ tag: {} });
    page.tracker.track('before');
    page.tracker.optOut();
    page.tracker.track('meanwhile');
    page.tracker.optIn();
    page.tracker.track('after');
    page.tracker.init({ trackingCode: CODE });
    await page.flush();
    expect(page.events.map(({ properties }) => properties?.name)).toEqual(['after']);
  });

  test('does not send again what fails on its way', async () => {
    const page = openPage({ answer: () => 'hang' });
    page.tracker.flush();
    page.tracker.optOut();
    await page.pass(600_000);
    expect(page.sizes).toEqual([1]);
    expect(page.stored).toEqual({ _at_off: '1' });
  });

  test('holds on the next page and in other tabs', async () => {
    const page = openPage();
    const { localStorage } = page.window;
    const tab = openPage({ localStorage });
    await tab.flush();
    page.tracker.optOut();
    const next = openPage({ localStorage });
    tab.tracker.track('a');
    await tab.flush();
    await next.flush();
    expect([tab.sizes, next.sizes]).toEqual([[1], []]);
  });

  test('drops what waits in other tabs, whose next events carry new ids', async () => {
    const page = openPage();
    const { localStorage } = page.window;
    const tab = openPage({ localStorage });
    tab.tracker.track('before');
    const [, visitor] = Object.values({ ...localStorage } as Record<string, string>);
    page.tracker.optOut();
    const isRefused = { key: '_at_off', newValue: '1', storageArea: localStorage };
    tab.window.dispatchEvent(new tab.window.StorageEvent('storage', isRefused));
    page.tracker.optIn();
    tab.tracker.track('after');
    await tab.pass(60_000);
    expect(tab.events.map(({ properties }) => properties?.name)).toEqual(['after']);
    expect(tab.events[0]?.visitorId).not.toBe(visitor as string);
    expect({ ...tab.window.sessionStorage } as Record<string, string>).toEqual({
      _at_session: tab.events[0]?.sessionId as string,
    });
  });

  test('drops nothing when it ends in another tab', async () => {
    const page = openPage();
    const { localStorage } = page.window;
    const tab = openPage({ localStorage });
    tab.tracker.track('before');
    page.tracker.optIn();
    const isAllowed = { key: '_at_off', newValue: '', storageArea: localStorage };
    tab.window.dispatchEvent(new tab.window.StorageEvent('storage', isAllowed));
    await tab.flush();
    expect(tab.events.map(({ properties }) => properties?.name)).toEqual([undefined, 'before']);
  });

  test('is undone by optIn() in another tab', async () => {
    const page = openPage();
    const tab = openPage({ localStorage: page.window.localStorage });
    await tab.flush();
    tab.tracker.optOut();
    page.tracker.optIn();
    tab.tracker.track('again');
    await tab.flush();
    expect(tab.events.map(({ properties }) => properties?.name)).toEqual([undefined, 'again']);
  });

  test('holds for the page when storage is blocked', async () => {
    const page = openPage({ localStorage: 'blocked' });
    page.tracker.optOut();
    page.tracker.track('a');
    await page.flush();
    expect(page.requests).toEqual([]);
  });

  test('is undone by optIn(): the page is counted if it was not, with new ids', async () => {
    const page = openPage();
    await page.flush();
    page.tracker.optOut();
    page.tracker.optIn();
    page.tracker.track('a');
    await page.flush();
    const next = openPage({ localStorage: page.window.localStorage });
    await next.flush();
    expect(page.events.map(({ eventType }) => eventType)).toEqual(['pageview', 'custom']);
    expect(page.events[1]?.visitorId).not.toBe(page.events[0]?.visitorId as string);
    expect(next.events[0]?.visitorId).toBe(page.events[1]?.visitorId as string);

    const refused = openPage({ localStorage: next.window.localStorage });
    refused.tracker.optOut();
    const later = openPage({ localStorage: next.window.localStorage });
    later.tracker.optIn();
    await later.flush();
    expect(later.events.map(({ eventType }) => eventType)).toEqual(['pageview']);
  });
});

describe("the browser's signals", () => {
  test.each([
    ['Do Not Track', { doNotTrack: '1' }, { 'data-respect-dnt': '' }, 0],
    ['Global Privacy Control', { globalPrivacyControl: true }, { 'data-respect-dnt': '' }, 0],
    [
      'Do Not Track, by the address',
      { doNotTrack: '1' },
      { src: 'https://stats.example/t.js?respectDnt=1' },
      0,
    ],
    ['none', { doNotTrack: null, globalPrivacyControl: false }, { 'data-respect-dnt': '' }, 1],
    ['Do Not Track that is unspecified', { doNotTrack: 'unspecified' }, { 'data-respect-dnt': '' }, 1],
    ['both, on a site that does not ask for them', { doNotTrack: '1', globalPrivacyControl: true }, {}, 1],
    ['automation, which is not excluded here', { webdriver: true }, { 'data-respect-dnt': '' }, 1],
  ])('%s', async (_name, navigator, attributes, count) => {
    const page = openPage({ navigator, tag: { 'data-tracking-code': CODE, ...attributes } });
    await page.flush();
    expect(page.events.length).toBe(count);
    if (!count) expect(page.stored).toEqual({});
  });

  test.each([
    ['Do Not Track', { doNotTrack: '1' }, {}, 0],
    ['Global Privacy Control', { globalPrivacyControl: true }, {}, 0],
    ['Do Not Track, by a tag that is excepted', { doNotTrack: '1' }, { 'data-respect-dnt': 'false' }, 1],
    ['none', {}, {}, 1],
  ])('%s, when the service respects them', async (_name, navigator, attributes, count) => {
    const page = openPage({
      respectDnt: true,
      navigator,
      tag: { 'data-tracking-code': CODE, ...attributes },
    });
    await page.flush();
    expect(page.events.length).toBe(count);
  });

  test('are not overruled by optIn()', async () => {
    const page = openPage({
      navigator: { doNotTrack: '1' },
      tag: { 'data-tracking-code': CODE, 'data-respect-dnt': '' },
    });
    page.tracker.optIn();
    await page.flush();
    expect(page.requests).toEqual([]);
  });
});
