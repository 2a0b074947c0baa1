import { describe, expect, test } from 'bun:test';
import { EVENTS_URL, openPage, type Page, settled } from '../support/tracker-page.ts';

const leftovers = (page: Page): string[] =>
  Object.entries(page.stored).flatMap(([name, value]) =>
    name.startsWith(`_at_${EVENTS_URL} `) ? (JSON.parse(value) as string[]) : [],
  );
const names = (texts: string[]) => texts.map((text) => JSON.parse(text).properties?.name ?? 'pageview');

/** Another page of the same site. */
const nextPage = (page: Page, options: Parameters<typeof openPage>[0] = {}) =>
  openPage({ localStorage: page.window.localStorage, ...options });

describe('a page that is left', () => {
  test('sends what fits into 60,000 bytes of keepalive at once, and keeps the rest for the next page', async () => {
    const page = openPage({ answer: () => 'hang' });
    for (const name of 'abcdefgh') page.tracker.track(name, { text: '€'.repeat(3_700) });
    page.leave();
    await settled();
    const bytes = page.requests.map(({ body }) => Buffer.byteLength(body));
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60_000);
    expect(page.requests.every(({ keepalive }) => keepalive)).toBe(true);
    expect(names(page.events.map((event) => JSON.stringify(event)))).toEqual(['pageview', ...'abcde']);
    expect(names(leftovers(page))).toEqual([...'fgh']);

    const next = nextPage(page);
    await next.pass(5_000);
    expect(names(next.events.map((event) => JSON.stringify(event)))).toEqual([...'fgh', 'pageview']);
    expect(leftovers(page)).toEqual([]);
    const all = [...page.events, ...next.events];
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  test('sends several chunks side by side', async () => {
    const page = openPage({ answer: () => 'hang' });
    page.setOnline(false);
    for (let count = 0; count < 24; count++) page.tracker.track('a');
    Object.defineProperty(page.window.navigator, 'onLine', { value: true });
    page.leave();
    await settled();
    expect(page.sizes).toEqual([10, 10, 5]);
  });

  test('counts what is already on its way', async () => {
    const page = openPage({ answer: () => 'hang' });
    page.tracker.track('big', { text: 'x'.repeat(40_000) });
    page.tracker.flush();
    await settled();
    page.tracker.track('more', { text: 'x'.repeat(30_000) });
    page.leave();
    await settled();
    expect(page.sizes).toEqual([2]);
    expect(names(leftovers(page))).toEqual(['more']);
  });

  test('sends nothing and keeps everything while offline', async () => {
    const page = openPage();
    page.setOnline(false);
    page.tracker.track('a');
    page.leave();
    await page.pass(60_000);
    expect(page.requests).toEqual([]);
    expect(names(leftovers(page))).toEqual(['pageview', 'a']);
  });

  test('makes one try while the server fails, and keeps everything, that try included', async () => {
    const page = openPage({ answer: (_request, index) => (index ? 'hang' : 503) });
    await page.pass(0);
    for (let count = 0; count < 24; count++) page.tracker.track('a');
    page.leave();
    await settled();
    expect(page.sizes.length).toBeLessThanOrEqual(3);
    expect(page.requests.every(({ keepalive }) => keepalive)).toBe(true);
    expect(leftovers(page).length).toBe(25);
  });

  test('keeps at most 500 events', () => {
    const page = openPage();
    page.setOnline(false);
    for (let count = 0; count < 600; count++) page.tracker.track('a');
    page.leave();
    expect(leftovers(page).length).toBe(500);
  });

  test('keeps at most about a megabyte of the quota that belongs to the site', () => {
    const page = openPage();
    page.setOnline(false);
    for (let count = 0; count < 60; count++) page.tracker.track('a', { text: 'x'.repeat(16_000) });
    page.leave();
    expect(leftovers(page).length).toBeGreaterThan(0);
    expect(leftovers(page).join('').length).toBeLessThanOrEqual(500_000);
  });

  test('counts a look that is due', async () => {
    const page = openPage();
    page.window.history.pushState({}, '', '/last');
    page.leave();
    await settled();
    expect(page.events.map(({ url }) => new URL(url).pathname)).toEqual(['/start', '/last']);
  });
});

describe('a tab that is hidden and stays', () => {
  test('continues sending the remaining events as answers arrive', async () => {
    const page = openPage({ answer: () => 'hang' });
    for (const name of 'abcdefgh') page.tracker.track(name, { text: '€'.repeat(3_700) });
    page.hide();
    await settled();
    expect(names(leftovers(page))).toEqual([...'fgh']);
    page.answerWith(201);
    await page.release();
    expect(page.events.length).toBe(9);
    expect(leftovers(page)).toEqual([]);
  });

  test('repeats by itself what failed, and keeps it meanwhile', async () => {
    const page = openPage({ answer: (_request, index) => (index ? 201 : 503) });
    page.hide();
    await settled();
    expect(names(leftovers(page))).toEqual(['pageview']);
    await page.pass(5_000);
    expect(page.sizes).toEqual([1, 1]);
    expect(leftovers(page)).toEqual([]);
    page.show();
    await page.pass(600_000);
    expect(page.sizes).toEqual([1, 1]);
  });

  test('keeps what it sends afterwards until that is answered: it may be closed meanwhile', async () => {
    const page = openPage({ answer: () => 'hang' });
    page.setOnline(false);
    page.leave();
    page.setOnline(true);
    await settled();
    expect(page.sizes).toEqual([1]);
    const next = nextPage(page);
    await next.pass(5_000);
    expect(next.events.map(({ id }) => id)).toContain(page.events[0]?.id as string);

    const alive = openPage({ answer: () => 'hang' });
    alive.setOnline(false);
    alive.hide();
    alive.setOnline(true);
    await settled();
    expect(leftovers(alive).length).toBe(1);
    await alive.release();
    expect(leftovers(alive)).toEqual([]);
    await alive.pass(600_000);
    expect(alive.sizes).toEqual([1]);
  });

  test('does not send again what another page has taken over', async () => {
    const page = openPage();
    page.setOnline(false);
    page.hide();
    const other = nextPage(page);
    await other.pass(5_000);
    expect(other.sizes).toEqual([2]);
    page.setOnline(true);
    page.show();
    await page.pass(60_000);
    expect(page.requests).toEqual([]);
  });
});

describe('what a page left behind', () => {
  const offlinePage = () => {
    const page = openPage();
    page.setOnline(false);
    page.leave();
    return page;
  };

  test('is taken over by one page only', async () => {
    const page = offlinePage();
    const [one, two] = [nextPage(page), nextPage(page)];
    await one.pass(5_000);
    await two.pass(5_000);
    expect([one.sizes, two.sizes]).toEqual([[2], [1]]);
  });

  test('does not overwrite what another page leaves behind at the same time', async () => {
    const page = openPage();
    const other = nextPage(page);
    for (const each of [page, other]) each.setOnline(false);
    page.tracker.track('one');
    other.tracker.track('two');
    for (const each of [page, other]) each.leave();
    expect(names(leftovers(page)).sort()).toEqual(['one', 'pageview', 'pageview', 'two']);
  });

  test('stays where it is for a page that reports to another service', async () => {
    const page = offlinePage();
    const next = nextPage(page, { tag: { 'data-tracking-code': 'pm-b', 'data-api-url': '/other' } });
    await next.pass(5_000);
    expect(next.sizes).toEqual([1]);
    expect(leftovers(page).length).toBe(1);
  });

  test.each(['', 'x', '[', '5', 'null', '{"a":1}'])('is ignored when it is broken: %p', async (text) => {
    const page = openPage();
    page.window.localStorage.setItem(`_at_${EVENTS_URL} x`, text);
    await page.pass(5_000);
    expect(page.sizes).toEqual([1]);
  });

  test('stays in memory when the quota is used up', async () => {
    const page = openPage();
    page.window.localStorage.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    page.setOnline(false);
    page.hide();
    page.show();
    page.setOnline(true);
    await settled();
    expect(page.sizes).toEqual([1]);
  });
});

describe('a page that comes back from the back-forward cache', () => {
  test('counts a view and sends, although a request of before never settles', async () => {
    const page = openPage({ answer: (_request, index) => (index ? 201 : 'hang') });
    page.leave();
    await settled();
    page.restore();
    await page.pass(5_000);
    expect(page.sizes).toEqual([1, 1]);
    expect(page.events.map(({ eventType }) => eventType)).toEqual(['pageview', 'pageview']);
    expect(new Set(page.events.map(({ id }) => id)).size).toBe(2);
  });

  test.each<[string, (page: Page) => void]>([
    ['success', () => {}],
    ['failure', (page) => page.clock.advance(30_000)],
  ])('does not send again what settles late with a %s', async (_name, settle) => {
    const page = openPage({ answer: (_request, index) => (index ? 201 : 'hang') });
    page.leave();
    await settled();
    page.restore();
    settle(page);
    await page.release();
    await page.pass(120_000);
    expect(page.sizes).toEqual([1, 1]);
  });

  test('has a flush() that does not wait for a request of before', async () => {
    const page = openPage({
      tag: { 'data-tracking-code': 'pm-a', 'data-auto': 'false' },
      answer: () => 'hang',
    });
    page.tracker.track('a');
    page.tracker.flush();
    await settled();
    page.leave();
    page.restore();
    await page.flush();
    expect(page.sizes).toEqual([1]);
  });

  test('sends what it had kept', async () => {
    const page = openPage();
    page.setOnline(false);
    page.leave();
    Object.defineProperty(page.window.navigator, 'onLine', { value: true });
    page.restore();
    await page.pass(5_000);
    expect(page.events.length).toBe(2);
    expect(leftovers(page)).toEqual([]);
  });
});
