import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startCollector } from './collector.ts';
import { startSite, tag } from './site.ts';

type Options = {
  /** Head of every page; by default the tag of the documentation. */
  head?: (collector: { origin: string }) => string;
  attributes?: string;
  pages?: Parameters<typeof startSite>[1];
};

/**
 * A site, a collector and a browser context of its own for one test; all are gone when the test is over, so
 * that tests can run side by side.
 */
export async function trackedPage(browser: Browser, { head, attributes, pages }: Options = {}) {
  const collector = startCollector();
  const site = startSite(head?.(collector) ?? tag(collector, attributes), pages);
  const context: BrowserContext = await browser.newContext();
  const problems: string[] = [];

  const newPage = async () => {
    const page = await context.newPage();
    page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    return page;
  };
  const page = await newPage();

  return {
    collector,
    site,
    context,
    page,
    newPage,
    /** Whatever the console or an uncaught error said. */
    problems,
    /** Opens a page and waits until the tracker runs. */
    async open(path = '/', target: Page = page) {
      await target.goto(site.origin + path);
      await target.waitForFunction(() => window.AnalyticsTracker?.version);
    },
    flush: (target: Page = page) => target.evaluate(() => window.AnalyticsTracker.flush()),
    track: (name: string, count = 1, target: Page = page) =>
      target.evaluate(
        ([name, count]) => {
          for (let n = 0; n < count; n++) window.AnalyticsTracker.track(name, { n });
        },
        [name, count] as const,
      ),
    /** Stored events: the path of each view, the name or the type of everything else. */
    get story(): string[] {
      return collector.events.map(({ eventType, url, properties }) =>
        eventType === 'pageview' ? url.replace(site.origin, '') : `${properties?.name ?? eventType}`,
      );
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      site.stop();
      await collector.stop();
    },
  };
}
