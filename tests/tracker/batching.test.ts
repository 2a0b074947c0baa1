import { describe, expect, test } from 'bun:test';
import { EVENTS_URL, openPage, START_MS } from '../support/tracker-page.ts';

describe('when events are sent', () => {
  test('the first one of a page at once, with what is recorded in the same task', async () => {
    const page = openPage();
    page.tracker.track('a');
    await page.pass(0);
    expect(page.sizes).toEqual([2]);
  });

  test('later ones 5 seconds after the first of them was queued, not before', async () => {
    const page = openPage();
    await page.pass(0);
    page.tracker.track('a');
    await page.pass(4_999);
    expect(page.sizes).toEqual([1]);
    await page.pass(1);
    expect(page.sizes).toEqual([1, 1]);
  });

  test('events that follow do not put it off', async () => {
    const page = openPage();
    await page.pass(0);
    page.tracker.track('a');
    await page.pass(3_000);
    page.tracker.track('b');
    await page.pass(2_000);
    expect(page.sizes).toEqual([1, 2]);
  });

  test('the next event starts 5 seconds of its own', async () => {
    const page = openPage();
    await page.pass(7_000);
    page.tracker.track('a');
    await page.pass(4_999);
    expect(page.sizes).toEqual([1]);
    await page.pass(1);
    expect(page.sizes).toEqual([1, 1]);
  });

  test('at once when 10 are queued', async () => {
    const page = openPage();
    await page.pass(0);
    for (let count = 0; count < 9; count++) page.tracker.track('a');
    await page.pass(0);
    expect(page.sizes).toEqual([1]);
    page.tracker.track('a');
    await page.pass(0);
    expect(page.sizes).toEqual([1, 10]);
  });

  test('at once by flush(), which resolves when they are sent', async () => {
    const page = openPage();
    await page.tracker.flush();
    expect(page.sizes).toEqual([1]);
  });

  test('flush() waits for the request that is on its way', async () => {
    const page = openPage({ answer: () => 'hang' });
    page.tracker.flush();
    page.answerWith(201);
    page.tracker.track('a');
    let isDone = false;
    const flushed = page.tracker.flush().then(() => {
      isDone = true;
    });
    await page.pass(0);
    expect({ isDone, sizes: page.sizes }).toEqual({ isDone: false, sizes: [1] });
    await page.release();
    await flushed;
    expect(page.sizes).toEqual([1, 1]);
  });

  test('when the page becomes hidden', async () => {
    const page = openPage();
    page.hide();
    await page.pass(0);
    expect(page.sizes).toEqual([1]);
  });

  test('when the page is left, while it still calls itself visible', async () => {
    const page = openPage();
    page.window.dispatchEvent(new page.window.Event('pagehide'));
    await page.pass(0);
    expect(page.sizes).toEqual([1]);
  });

  test('when the page is left, once', async () => {
    const page = openPage();
    page.leave();
    await page.pass(10_000);
    expect(page.sizes).toEqual([1]);
  });

  test('when the browser comes back online, without waiting', async () => {
    const page = openPage();
    page.setOnline(false);
    for (let count = 0; count < 24; count++) page.tracker.track('a', { count });
    await page.pass(60_000);
    await page.flush();
    expect(page.sizes).toEqual([]);
    page.setOnline(true);
    await page.pass(0);
    expect(page.sizes).toEqual([10, 10, 5]);
  });
});

describe('how events are sent', () => {
  test('one alone as itself, to the address of events', async () => {
    const page = openPage();
    await page.flush();
    const { url, body, init } = page.requests[0] ?? { url: '', body: '', init: {} };
    const { method, headers, credentials, keepalive } = init;
    expect({ url, method, headers, credentials, keepalive }).toEqual({
      url: EVENTS_URL,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      credentials: 'omit',
      keepalive: true,
    });
    expect(JSON.parse(body).eventType).toBe('pageview');
  });

  test('two as { events }, to the address of batches', async () => {
    const page = openPage();
    page.tracker.track('a');
    await page.flush();
    const { url, body } = page.requests[0] ?? { url: '', body: '' };
    expect(url).toBe(`${EVENTS_URL}/batch`);
    expect(Object.keys(JSON.parse(body))).toEqual(['sentAt', 'events']);
    expect(page.sizes).toEqual([2]);
  });

  test('with what the clock says as they are sent, so that the server can tell a wrong one', async () => {
    const page = openPage({ answer: (_request, index) => (index ? 201 : 503) });
    await page.pass(3_000);
    page.tracker.track('a');
    await page.pass(2_000);
    expect(
      page.requests.map(({ sentAt, events }) => [sentAt, ...events.map((one) => one.timestamp)]),
    ).toEqual([
      [START_MS, START_MS],
      [START_MS + 5_000, START_MS, START_MS + 3_000],
    ]);
  });

  test('25 as 10, 10 and 5, one request after the other, in their order', async () => {
    const page = openPage({ answer: () => 'hang' });
    for (let count = 0; count < 24; count++) page.tracker.track('a', { count });
    const sizes: number[][] = [];
    for (let turn = 0; turn < 3; turn++) {
      await page.pass(0);
      sizes.push(page.sizes);
      await page.release();
    }
    expect(sizes).toEqual([[10], [10, 10], [10, 10, 5]]);
    expect(page.events.slice(1).map(({ properties }) => properties?.count)).toEqual([
      ...Array.from({ length: 24 }).keys(),
    ]);
  });

  test('in chunks of at most 60,000 bytes of UTF-8', async () => {
    const page = openPage();
    // 3 bytes a character: 5 of them are 75,000 bytes, but only 25,000 characters.
    for (let count = 0; count < 5; count++) page.tracker.track('a', { text: '€'.repeat(5_000) });
    await page.flush();
    const bytes = page.requests.map(({ body }) => Buffer.byteLength(body));
    expect(page.sizes).toEqual([4, 2]);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(60_000);
  });

  test('a giant event alone, and without keepalive after the browser has refused it', async () => {
    const page = openPage({
      answer: ({ body, keepalive }) => (body.length > 65_536 && keepalive ? 'cut' : 201),
    });
    page.tracker.track('giant', { text: 'x'.repeat(70_000) });
    page.tracker.track('after');
    await page.pass(20_000);
    expect(page.requests.map(({ events, keepalive }) => [events.length, keepalive])).toEqual([
      [1, true],
      [1, true],
      [1, false],
      [1, true],
    ]);
    expect(new Set(page.events.map(({ id }) => id)).size).toBe(3);
  });
});
