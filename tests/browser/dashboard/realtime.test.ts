import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { BROWSER_TEST_TIMEOUT_MS, findChromium } from '../../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

/** Arrivals are shown while the page is open, and move only where motion is welcome. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const chromium = findChromium();

describe.if(chromium !== undefined)('realtime', () => {
  let stage: Stage;
  let browser: Browser;

  beforeAll(async () => {
    ({ stage, browser } = await openStage({ events: 500, days: 2 }));
    const goal = { name: 'Signup', type: 'event', match: 'signup' };
    await stage.call('POST', `/websites/${stage.website.id}/goals`, goal);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const send = (visitorId: string, eventType: string, properties?: object) =>
    stage.call('POST', '/events', {
      trackingCode: stage.website.trackingCode,
      ...{ visitorId, sessionId: visitorId, eventType, url: 'https://demo.example/arrived', properties },
    });
  const motionOf = (page: Page, selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((it) => getComputedStyle(it).animationName);

  /** Opens the page, sends a visit with a goal, and waits until it is seen. */
  async function watch(look: BrowserContextOptions, visitorId: string) {
    await send(`${visitorId}-before`, 'custom', { name: 'signup' });
    const opened = await stage.open(browser, `${stage.dashboard}/realtime`, look);
    const { page } = opened;
    await page.locator('.feed-list .visit-goal').first().waitFor();
    const before = await page.locator('.feed .new').count();
    await send(visitorId, 'pageview');
    await send(visitorId, 'custom', { name: 'signup' });
    await page.locator('.feed .visit-goal.new').first().waitFor();
    return { ...opened, before };
  }

  test('a visit, its steps and its goal are marked as new, and what was there is not', async () => {
    const { page, before, complaints, close } = await watch({ reducedMotion: 'no-preference' }, 'fast');
    expect(before).toBe(0);
    expect(await motionOf(page, '.feed-list > li.new')).toBe('feed-new');
    expect(await motionOf(page, '.feed .visit-goal.new')).toBe('goal-new');
    expect(await page.locator('.feed-list .visit-goal').count()).toBeGreaterThan(1);
    expect(await page.locator('.feed .visit-goal.new').count()).toBe(1);
    expect(complaints).toEqual([]);
    await close();
  });

  test('nothing moves when motion is to be reduced', async () => {
    const { page, close } = await watch({ reducedMotion: 'reduce' }, 'slow');
    expect(await motionOf(page, '.feed-list > li.new')).toBe('none');
    expect(await motionOf(page, '.feed .visit-goal.new')).toBe('none');
    await close();
  });

  test('the feed comes first, and a minute says its visitors when it is pointed at', async () => {
    const { page, close } = await stage.open(browser, `${stage.dashboard}/realtime`);
    await page.locator('.feed-list > li').first().waitFor();
    const left = (selector: string) =>
      page.locator(selector).evaluate((it) => it.getBoundingClientRect().left);
    expect(await left('.feed')).toBeLessThan(await left('.realtime-lists'));
    await page.locator('.minute').last().hover();
    const text = await page
      .locator('.minute')
      .last()
      .evaluate((it) => getComputedStyle(it, '::after').content);
    expect(text).toMatch(/^"This minute: \d+ visitors?"$/);
    await close();
  });
});
