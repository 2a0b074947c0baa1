import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { BROWSER_TEST_TIMEOUT_MS, findAnyBrowser } from '../../support/browser.ts';
import { idle, openStage, type Stage } from './stage.ts';

/** One session and one visitor with more events than a page shows, and more visits. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const browserPath = findAnyBrowser();
const HOUR_MS = 3_600_000;
const EVENTS = 250;

describe.if(browserPath !== undefined)('one who did much', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage({ events: 10 }));
    const startMs = Date.now() - (EVENTS + 1) * HOUR_MS;
    // One an hour: each is a visit of its own.
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      trackingCode: stage.website.trackingCode,
      eventType: 'pageview',
      url: `https://demo.example/step-${index}`,
      visitorId: 'many',
      sessionId: 'long',
      timestamp: startMs + index * HOUR_MS,
    }));
    await stage.sendAll(events);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  async function show(path: string): Promise<void> {
    await page.goto(stage.dashboard + path);
    await page.locator('.path li').first().waitFor();
  }
  const steps = () => page.locator('.path strong').allTextContents();
  const numbers = (from: number, to: number) => {
    const step = from < to ? 1 : -1;
    return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => `/step-${from + index * step}`);
  };
  const saying = (text: string) => page.locator('.pager [role=status]', { hasText: text }).waitFor();
  const turn = async (name: 'Next' | 'Previous', text: string) => {
    await page.getByRole('button', { name, exact: true }).click();
    await saying(text);
  };

  test('a session continues from page to page, and a reload shows the same one', async () => {
    await show('/sessions/long');
    expect(await steps()).toEqual(numbers(0, 99));
    await saying('1–100 of 250');
    await turn('Next', '101–200 of 250');
    expect(await steps()).toEqual(numbers(100, 199));
    expect(new URL(page.url()).search).toBe('?offset=100');
    expect(await page.evaluate('document.querySelector(".path").getBoundingClientRect().top')).toBeWithin(
      -1,
      900,
    );
    await turn('Next', '201–250 of 250');
    expect(await steps()).toEqual(numbers(200, 249));
    expect(await page.getByRole('button', { name: 'Next', exact: true }).isDisabled()).toBe(true);
    await page.reload();
    await page.locator('.path li').first().waitFor();
    expect(await steps()).toEqual(numbers(200, 249));
    await turn('Previous', '101–200 of 250');
    expect(await steps()).toEqual(numbers(100, 199));
  });

  test('a visitor’s events are paged newest first, and the page says which visits these are', async () => {
    await show('/visitors/many');
    expect(await steps()).toEqual(numbers(249, 150));
    await saying('1–100 of 250');
    expect(await page.getByRole('heading', { name: 'The latest 100 of 250 visits' }).count()).toBe(1);
    expect(await page.locator('.visits li').count()).toBe(100);
    await turn('Next', '101–200 of 250');
    expect(await steps()).toEqual(numbers(149, 50));
  });

  test('events of a visitor stand below their visit, and a day of the calendar filters both', async () => {
    await show('/visitors/many');
    expect(await page.locator('.path-visit').count()).toBe(100);
    const day = page.locator('.visit-calendar button').nth(1);
    const [, date = '', count = ''] =
      /^(.*): (\d+) visits$/.exec((await day.getAttribute('title')) ?? '') ?? [];
    expect(date).not.toBe('');
    await day.click();
    await page.getByRole('button', { name: 'Show all days' }).waitFor();
    await page.locator('.path-visit').nth(Number(count)).waitFor({ state: 'detached' });
    expect(await page.locator('.visits li').count()).toBe(Number(count));
    expect(await page.locator('.path-visit').count()).toBe(Number(count));
    const shown = await steps();
    expect(shown).toHaveLength(Number(count));
    await page.reload();
    await page.locator('.path-visit').first().waitFor();
    expect(await steps()).toEqual(shown);
    await page.locator('.visit-calendar [aria-pressed=true]').click();
    await page.locator('.path-visit').nth(99).waitFor();
  });

  test('the columns of visits stand below each other', async () => {
    await page.goto(`${stage.dashboard}/visits?period=all`);
    await page.locator('.people-main').first().waitFor();
    const starts = await page
      .locator('.people-time')
      .evaluateAll((all) => [...new Set(all.map((time) => time.getBoundingClientRect().right))]);
    expect(starts).toHaveLength(1);
  });

  test('on a phone no fact is squeezed away, and marks stand next to the words', async () => {
    await stage.call('POST', '/events', {
      trackingCode: stage.website.trackingCode,
      eventType: 'pageview',
      url: 'https://demo.example/?utm_source=newsletter&utm_campaign=a-campaign-with-a-very-long-name-that-takes-the-row',
      visitorId: 'phone',
      sessionId: 'phone',
      location: 'DE',
    });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${stage.dashboard}/visits`);
    const row = page.locator('.people li', { hasText: 'a-campaign' });
    await row.locator('.mark-flag').waitFor();
    const widths = await row
      .locator('.visit-client, .trail-source')
      .evaluateAll((all) => all.map(({ clientWidth }) => clientWidth));
    expect(widths.filter((width) => width < 60)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('with a filter, a row tells the whole visit, its goals and its revenue', async () => {
    const buyer = { trackingCode: stage.website.trackingCode, visitorId: 'buyer', sessionId: 'buyer' };
    const startMs = Date.now() - HOUR_MS;
    const pages = ['/', '/prices', '/cart'].map((page, index) => ({
      ...buyer,
      eventType: 'pageview',
      url: `https://demo.example${page}`,
      timestamp: startMs + index * 60_000,
    }));
    const purchase = {
      ...buyer,
      eventType: 'custom',
      url: 'https://demo.example/cart',
      timestamp: startMs + 180_000,
      properties: { name: 'Purchase', revenue: { amount: '79.00', currency: 'EUR' } },
    };
    await stage.sendAll([...pages, purchase]);
    const goal = { name: 'Paid', type: 'event', match: 'Purchase' };
    await stage.call('POST', `/websites/${stage.website.id}/goals`, goal);
    await page.goto(`${stage.dashboard}/visits?f=is,goal,Paid`);
    const row = page.locator('.people li', { has: page.locator('[title=buyer]') });
    await row.waitFor();
    expect(await row.locator('.trail').textContent()).toContain('/→1 more→/cart');
    expect(await row.locator('.visit-result').textContent()).toBe('Paid€79.00');
    expect(await row.locator('.visit-length').textContent()).toBe('3m');
    expect(await row.locator('.visit-length').getAttribute('title')).toBe('3 views');
    await page.goto(`${stage.dashboard}/visits?f=is,page,/prices&pages=5`);
    await page.getByText('No visits found.').waitFor();
    await page.getByLabel('Pages').selectOption('3');
    await page.locator('.people li [title=buyer]').waitFor();
    await page.getByRole('button', { name: 'With a goal' }).click();
    await page.getByRole('button', { name: 'Any goal' }).click();
    await page.locator('.chip', { hasText: 'Goal is Paid' }).waitFor();
    await idle(page);
    expect(await page.locator('.people-main').count()).toBe(1);
  });

  test('no page complained', () => {
    expect(complaints).toEqual([]);
  });
});
