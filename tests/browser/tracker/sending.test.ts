import { expect, test } from 'bun:test';
import { BROWSER_TEST_TIMEOUT_MS, describeInBrowser } from '../../support/browser.ts';
import type { Reaction } from '../../support/collector.ts';
import { ENDLESS_PAUSES, tag } from '../../support/site.ts';
import { trackedPage } from '../../support/tracked-page.ts';

type TrackedPage = Awaited<ReturnType<typeof trackedPage>>;

describeInBrowser('sending', (browser) => {
  const inPage = (name: string, body: () => Promise<void>, retry = 0) =>
    test.concurrent(name, body, { timeout: BROWSER_TEST_TIMEOUT_MS, retry });

  /** Besides reports of engagement, which repeat their pageview. */
  const everySentOnce = (t: TrackedPage) =>
    expect(
      t.collector.requests.flatMap(({ events }) => events).filter((event) => !('engagedSeconds' in event))
        .length,
    ).toBe(t.collector.events.length);

  inPage('ten events go at once, in one batch, without credentials', async () => {
    await using t = await trackedPage(browser());
    await t.context.addCookies([{ name: 'secret', value: '1', url: t.collector.origin }]);
    await t.open();
    await t.flush();
    await t.track('a', 10);
    await t.collector.until(() => t.collector.requests.length > 1);
    const [, request] = t.collector.requests;
    expect(request?.path).toBe('/api/v1/events/batch');
    expect(request?.cookie).toBe(null);
    expect(t.collector.sizes).toEqual([1, 10]);
  });

  inPage('events of a time offline are sent when the browser is online again', async () => {
    await using t = await trackedPage(browser());
    await t.open();
    await t.flush();
    await t.context.setOffline(true);
    await t.track('a', 25);
    await t.flush();
    expect(t.collector.sizes).toEqual([1]);
    await t.context.setOffline(false);
    await t.collector.until(() => t.collector.events.length === 26);
    expect(t.collector.sizes).toEqual([1, 10, 10, 5]);
    expect(t.collector.events.slice(1).map(({ properties }) => properties?.n)).toEqual([
      ...Array.from({ length: 25 }).keys(),
    ]);
  });

  inPage('events of a page that was closed offline are sent by the next page', async () => {
    await using t = await trackedPage(browser());
    const next = await t.newPage();
    await t.open('/one');
    await t.flush();
    await t.context.setOffline(true);
    await t.track('kept', 3);
    await Promise.all([t.page.waitForEvent('close'), t.page.close({ runBeforeUnload: true })]);
    await t.context.setOffline(false);
    await t.open('/two', next);
    // What is stored comes from another process, which may take a moment to pass it on. And driven Chromium sometimes
    // tells a page that is being closed that it is online: then that page sends, and the next one only what it must.
    while (t.collector.events.length < 5) {
      await t.flush(next);
      await Bun.sleep(50);
    }
    expect(t.story.sort()).toEqual(['/one', '/two', 'kept', 'kept', 'kept']);
  });

  inPage('events wait for a server that is down, and come when it is up again', async () => {
    await using t = await trackedPage(browser());
    await t.open();
    await t.flush();
    await t.collector.goDown();
    await t.track('a', 12);
    await t.flush();
    t.collector.comeBack();
    // No call: the pause ends by itself.
    await t.collector.until(() => t.collector.events.length === 13);
    everySentOnce(t);
  });

  inPage('a page that is left while the server is down loses nothing that it knew of', async () => {
    await using t = await trackedPage(browser());
    await t.open('/one');
    await t.collector.until(() => t.story.length === 1);
    await t.collector.goDown();
    await t.track('first');
    await t.flush();
    await t.track('last');
    // The script comes from the server that is down: on the next page it is there again.
    await t.page.goto(`${t.site.origin}/two`);
    t.collector.comeBack();
    await t.open('/three');
    // What is stored comes from another process, as above.
    while (t.collector.events.length < 4) {
      await t.flush();
      await Bun.sleep(50);
    }
    expect(t.story.sort()).toEqual(['/one', '/three', 'first', 'last']);
  });

  const answers: [name: string, reaction: Reaction, sizes: number[]][] = [
    ['fails (500)', 500, [1, 10, 5, 5, 5]],
    ['limits the rate (429)', 429, [1, 10, 10, 5]],
    [
      'says when to come again (503)',
      new Response('{}', { status: 503, headers: { 'Retry-After': '1' } }),
      [1, 10, 10, 5],
    ],
    ['stores them, but the answer is lost', 'cut', [1, 10, 10, 5]],
  ];
  for (const [name, reaction, sizes] of answers) {
    inPage(`every event counts once when the server ${name}`, async () => {
      await using t = await trackedPage(browser());
      t.collector.reactWith((_request, index) => (index === 1 ? reaction : 201));
      await t.open();
      await t.flush();
      await t.track('a', 15);
      await t.flush();
      await t.flush();
      await t.collector.until(() => t.collector.events.length === 16);
      expect(t.collector.sizes).toEqual(sizes);
      const [, first, second] = t.collector.requests;
      expect<unknown>(second?.events).toEqual(first?.events.slice(0, second?.events.length));
    });
  }

  inPage('Retry-After is read although the server is of another origin', async () => {
    await using t = await trackedPage(browser());
    const wait = () => new Response('{}', { status: 429, headers: { 'Retry-After': '6' } });
    t.collector.reactWith((_request, index) => (index < 1 ? wait() : 201));
    await t.open();
    await t.track('a', 9); // a full batch goes by itself; `flush` would override the pause
    await t.collector.until(() => t.collector.events.length === 10);
    const [first, second] = t.collector.requests;
    expect((second?.receivedAtMs ?? 0) - (first?.receivedAtMs ?? 0)).toBeGreaterThan(5_900);
  });

  inPage('what the server refuses is not repeated, and only the bad event is lost', async () => {
    await using t = await trackedPage(browser());
    t.collector.reactWith(({ events }) => (events.some(({ properties }) => properties?.n === 4) ? 400 : 201));
    await t.open();
    await t.track('a', 9);
    await t.flush();
    await t.track('b');
    await t.flush();
    expect(t.collector.events.map(({ properties }) => properties?.n)).toEqual([
      undefined,
      ...[0, 1, 2, 3, 5, 6, 7, 8],
      0,
    ]);
  });

  inPage('of a batch that was stored in part only what failed inside comes again', async () => {
    await using t = await trackedPage(browser());
    const errors = [{ index: 2, error: 'INTERNAL_ERROR', message: 'failed' }];
    t.collector.reactWith((_request, index) =>
      index === 1 ? Response.json({ success: false, errors }, { status: 207 }) : 201,
    );
    await t.open();
    await t.flush();
    await t.track('a', 4);
    await t.flush();
    await t.flush();
    const [, first, second] = t.collector.requests;
    expect(t.collector.sizes).toEqual([1, 4, 1]);
    expect(second?.events[0]?.id).toBe(first?.events[2]?.id as string);
  });

  for (const delayMs of [0, 400]) {
    inPage(
      `the events of a tab that is closed arrive, with a preflight of ${delayMs} ms before`,
      async () => {
        // Not by the five seconds that may be over meanwhile.
        await using t = await trackedPage(browser(), {
          head: (collector) => ENDLESS_PAUSES + tag(collector),
        });
        t.collector.delayPreflights(delayMs);
        await t.open('/closed');
        await t.track('last');
        await t.page.close({ runBeforeUnload: true });
        await t.collector.until(() => t.collector.events.length === 2);
        expect(t.story).toEqual(['/closed', 'last']);
        expect(t.collector.preflights).toBeLessThanOrEqual(2); // with a report of engagement the second request is a batch
        everySentOnce(t);
      },
      // Chromium ends a tab that is closed after half a second, whether or not it has done its last work: one that is
      // stopped for 400 ms sends everything, for 600 ms nothing. A preflight, even of 3 s, changes nothing.
      2,
    );
  }

  inPage('more than a leaving page may send arrives all the same, each event once', async () => {
    await using t = await trackedPage(browser());
    await t.open('/one');
    await t.page.evaluate(() => {
      // 2 bytes a character: 8 events of some 11 KB.
      for (let n = 0; n < 8; n++) window.AnalyticsTracker.track('big', { text: 'é'.repeat(5_500) });
    });
    await t.open('/two');
    await t.collector.until(() => t.collector.events.length === 10);
    // Once each by their ids: what a page sends while it is hidden it keeps until the answer comes.
    expect(t.story.sort()).toEqual(['/one', '/two', ...Array(8).fill('big')]);
    expect(Math.max(...t.collector.requests.map(({ sizeBytes }) => sizeBytes))).toBeLessThanOrEqual(65_536);
  });

  inPage('events are sent when the tab is hidden', async () => {
    await using t = await trackedPage(browser(), { head: (collector) => ENDLESS_PAUSES + tag(collector) });
    await t.open();
    await t.flush();
    await t.track('seen');
    // A driven browser never shows a page as hidden: this one pretends to be. See undriven.test.ts for a real one.
    await t.page.evaluate(() => {
      Object.defineProperty(Document.prototype, 'hidden', { get: () => true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
    await t.collector.until(() => t.collector.events.length === 2);
    expect(t.story).toEqual(['/', 'seen']);
  });
});
