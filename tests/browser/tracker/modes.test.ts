import { expect, test } from 'bun:test';
import { BROWSER_TEST_TIMEOUT_MS, describeInBrowser } from '../../support/browser.ts';
import { trackedPage } from '../../support/tracked-page.ts';

describeInBrowser('modes', (browser) => {
  test.concurrent(
    'anonymous leaves the storage and the cookies of the browser empty, over several pages and events',
    async () => {
      await using tracked = await trackedPage(browser(), { attributes: 'data-mode="anonymous"' });
      for (const path of ['/', '/second']) {
        await tracked.open(path);
        await tracked.track('a', 3);
        await tracked.page.evaluate(() => window.AnalyticsTracker.consent(true));
        await tracked.flush();
      }
      const kept = await tracked.page.evaluate(() => [
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
      ]);
      expect<unknown>(kept).toEqual([{}, {}, '']);
      expect(tracked.collector.events.length).toBe(8);
      for (const event of tracked.collector.events) {
        expect(event).toMatchObject({ anonymous: true });
        expect(event).not.toHaveProperty('visitorId');
      }
    },
    BROWSER_TEST_TIMEOUT_MS,
  );
});
