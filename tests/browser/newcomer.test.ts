import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { findChromium, launchChromium } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';

/** The newcomer's walk: a real process, a real file, a real browser, pages on another origin. */

setDefaultTimeout(60_000);

const chromium = findChromium();

type Listed = {
  eventType: string;
  url: string;
  referrer?: string;
  browser?: string;
  visitorId: string;
  sessionId: string;
};

describe.if(chromium !== undefined)('a newcomer', () => {
  const dataDir = createDataDir();
  const environment = { DATA_DIR: dataDir.path, PORT: String(freePort()) }; // one that it comes back on
  let service: ServiceProcess;
  let browser: Browser;
  /** One for all: closing a context would cut the requests that its last page leaves behind. */
  let context: BrowserContext;
  let shop: ReturnType<typeof Bun.serve>;
  let token: string;
  let trackingCode: string;

  beforeAll(async () => {
    service = await startProcess(environment);
    shop = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: page });
    browser = await launchChromium(chromium ?? '');
    context = await browser.newContext();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await shop?.stop(true);
    dataDir.remove();
  });

  /** Pages of the newcomer's website: each carries the script tag and nothing else of ours. */
  function page(request: Request): Response {
    const { pathname } = new URL(request.url);
    const tag = `<script async src="${service.url}/tracker.js" data-tracking-code="${trackingCode}"></script>`;
    const body = `<!doctype html><title>${pathname}</title>${tag}<a id="next" href="/pricing">Prices</a>
      <a id="out" href="mailto:shop@example.com">Write to us</a>`;
    return new Response(body, { headers: { 'Content-Type': 'text/html' } });
  }

  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  async function events(): Promise<Listed[]> {
    const { events } = (await call('GET', `/events?trackingCode=${trackingCode}`)) as { events: Listed[] };
    return events.toReversed();
  }

  /** Asks until as many events are stored; what comes later than it should fails at the comparison. */
  async function eventsOnceThereAre(count: number, patienceMs = 30_000): Promise<Listed[]> {
    const deadlineMs = performance.now() + patienceMs;
    for (;;) {
      const stored = await events();
      if (stored.length >= count || performance.now() > deadlineMs) return stored;
      await Bun.sleep(50);
    }
  }

  async function visit(path: string): Promise<Page> {
    const tab = await context.newPage();
    await tab.goto(`${shop.url}${path.slice(1)}`);
    await tab.waitForFunction('window.AnalyticsTracker?.version === "1.0.0"');
    return tab;
  }

  test('registers and adds a website', async () => {
    const account = (await call('POST', '/auth/register', {
      email: 'newcomer@example.com',
      password: 'Correct-horse-9',
    })) as { tokens: { accessToken: string } };
    token = account.tokens.accessToken;
    const website = (await call('POST', '/websites', { name: 'Shop', domain: shop.url.href })) as {
      trackingCode: string;
    };
    trackingCode = website.trackingCode;
    expect(trackingCode).toStartWith('pm-');
  });

  test('opens a page with the script, and reads the stored pageview back', async () => {
    const tab = await visit('/?utm_source=news');
    await tab.close(); // the last events leave with the page
    const [pageview, ...more] = await eventsOnceThereAre(1);
    expect(more).toEqual([]);
    expect(pageview).toMatchObject({
      eventType: 'pageview',
      url: `${shop.url}?utm_source=news`,
      deviceType: 'desktop',
      os: 'Linux',
      screen: expect.stringMatching(/^\d+x\d+$/),
      language: expect.stringMatching(/^en/),
    } as never);
  });

  test('sees navigation within a page, a click on a link, and an event of their own, in their order', async () => {
    const before = (await events()).length;
    const tab = await visit('/app');
    await tab.evaluate('history.pushState({}, "", "/app/settings")');
    await tab.evaluate('new Promise((resolve) => setTimeout(resolve, 50))'); // of the page's own time
    await tab.evaluate('AnalyticsTracker.track("signup", { plan: "pro" })');
    await tab.click('#next');
    await tab.waitForURL('**/pricing');
    await tab.waitForFunction('window.AnalyticsTracker?.version === "1.0.0"');
    await tab.close();
    const stored = (await eventsOnceThereAre(before + 5)).slice(before);
    expect(stored.map(({ eventType, url }) => [eventType, new URL(url).pathname])).toEqual([
      ['pageview', '/app'],
      ['pageview', '/app/settings'],
      ['custom', '/app/settings'],
      ['click', '/app/settings'],
      ['pageview', '/pricing'],
    ]);
    expect(new Set(stored.map(({ visitorId }) => visitorId)).size).toBe(1);
    expect(new Set(stored.map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  test('loses nothing while the service is restarted', async () => {
    const before = (await events()).length;
    const tab = await visit('/during-restart');
    await tab.evaluate('AnalyticsTracker.flush()');
    await eventsOnceThereAre(before + 1);
    await service.stop();
    await tab.evaluate('AnalyticsTracker.track("while-down"); AnalyticsTracker.flush()');
    service = await startProcess(environment);
    await tab.evaluate('AnalyticsTracker.flush()');
    const stored = (await eventsOnceThereAre(before + 2)).slice(before);
    expect(stored.map(({ eventType }) => eventType)).toEqual(['pageview', 'custom']);
    await tab.close();
  });

  test('counts nothing twice when the answer got lost', async () => {
    const before = (await events()).length;
    const tab = await context.newPage();
    let attempts = 0;
    await tab.route('**/api/v1/events**', async (route) => {
      attempts += 1;
      if (attempts > 1) return route.continue();
      await route.fetch(); // it reaches the service …
      await route.abort('connectionreset'); // … and the page never hears of it
    });
    await tab.goto(`${shop.url}lost`);
    await tab.waitForFunction('window.AnalyticsTracker?.version === "1.0.0"');
    await tab.evaluate('AnalyticsTracker.flush()');
    await tab.evaluate('AnalyticsTracker.flush()');
    await tab.close();
    expect(attempts).toBeGreaterThan(1);
    expect((await eventsOnceThereAre(before + 2, 500)).length).toBe(before + 1);
  });
});
