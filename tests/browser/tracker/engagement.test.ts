import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { TrackerEvent } from '../../../tracker/index.d.ts';
import { BROWSER_TEST_TIMEOUT_MS, describeInBrowser } from '../../support/browser.ts';
import { trackedPage } from '../../support/tracked-page.ts';

type Report = TrackerEvent & { engagedSeconds: number; scrollDepth: number };
type Tracked = Awaited<ReturnType<typeof trackedPage>>;

const LONG = '<div style="height: 400vh">long</div><a href="/next" style="position: fixed; top: 0">next</a>';
/** On a quiet machine 1: a busy one takes its time between the load of a page and the first look at its clock. */
const SLACK_S = 2;
const PAGES = { '/long': LONG, '/short': 'short' };

describeInBrowser('engagement', (browser) => {
  const inPage = (name: string, body: (t: Tracked) => Promise<void>) =>
    test.concurrent(
      name,
      async () => {
        await using t = await trackedPage(browser(), { pages: PAGES });
        await body(t);
        expect(t.problems).toEqual([]);
      },
      BROWSER_TEST_TIMEOUT_MS,
    );

  /** Waits in the page, and returns how long it took by the page's own clock, in seconds. */
  const stay = (page: Page, ms: number) =>
    page.evaluate(async (pauseMs) => {
      const fromMs = performance.now();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return (performance.now() - fromMs) / 1_000;
    }, ms);

  const reportOf = async (t: Tracked, path: string): Promise<Report> => {
    const find = () => t.collector.events.find(({ url }) => url === t.site.origin + path) as Report;
    await t.collector.until(() => find()?.engagedSeconds !== undefined);
    return find();
  };

  inPage('a page that is left for another one reports its seconds and how much was seen', async (t) => {
    await t.open('/long');
    const seconds = await stay(t.page, 2_000);
    await t.open('/next');
    const { engagedSeconds, scrollDepth } = await reportOf(t, '/long');
    expect(Math.abs(engagedSeconds - seconds)).toBeLessThanOrEqual(SLACK_S);
    expect(scrollDepth).toBeGreaterThan(20);
    expect(scrollDepth).toBeLessThan(30);
  });

  inPage('a page that was scrolled down and up again reports its deepest point', async (t) => {
    await t.open('/long');
    await t.page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      scrollTo(0, document.documentElement.scrollHeight / 2);
      await frame();
      scrollTo(0, 0);
      await frame();
    });
    await stay(t.page, 1_000);
    await t.open('/next');
    const { scrollDepth } = await reportOf(t, '/long');
    expect(scrollDepth).toBeGreaterThan(70);
    expect(scrollDepth).toBeLessThan(80);
  });

  inPage('a page that fits into its window was seen as a whole', async (t) => {
    await t.open('/short');
    await stay(t.page, 1_000);
    await t.open('/next');
    expect((await reportOf(t, '/short')).scrollDepth).toBe(100);
  });

  inPage('each view of an application reports its own seconds', async (t) => {
    await t.open('/long');
    const first = await stay(t.page, 1_000);
    await t.page.evaluate(() => history.pushState({}, '', '/second'));
    const second = await stay(t.page, 3_000);
    await t.open('/next');
    expect(Math.abs((await reportOf(t, '/long')).engagedSeconds - first)).toBeLessThanOrEqual(SLACK_S);
    expect(Math.abs((await reportOf(t, '/second')).engagedSeconds - second)).toBeLessThanOrEqual(SLACK_S);
  });

  inPage('a page in the back-forward cache does not count until it is shown again', async (t) => {
    await t.open('/long');
    await stay(t.page, 1_000);
    await t.open('/next');
    await stay(t.page, 8_000);
    await t.page.evaluate(() => history.back()).catch(() => {});
    await t.page.waitForFunction(() => location.pathname === '/long');
    await stay(t.page, 1_000);
    await t.open('/last');
    await t.flush();
    const views = t.collector.events.filter(({ url }) => url.endsWith('/long')) as Report[];
    expect(views.length).toBe(2);
    for (const { engagedSeconds } of views) expect(engagedSeconds).toBeLessThan(8);
  });

  inPage('a tab that is closed reports', async (t) => {
    const tab = await t.newPage();
    await t.open('/short', tab);
    const seconds = await stay(tab, 2_000);
    await tab.close({ runBeforeUnload: true });
    expect(Math.abs((await reportOf(t, '/short')).engagedSeconds - seconds)).toBeLessThanOrEqual(SLACK_S);
  });
});
