import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Locator, Page } from 'playwright-core';
import {
  BROWSER_TEST_TIMEOUT_MS,
  findAnyBrowser,
  launchAnyBrowser,
  testInChromium,
} from '../../support/browser.ts';
import { createStage, idle, type Stage, settled } from './stage.ts';

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const browserPath = findAnyBrowser();

describe.if(browserPath !== undefined)('menus', () => {
  let stage: Stage;
  let browser: Browser;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([
      createStage({ events: 3_000, days: 20 }),
      launchAnyBrowser(browserPath ?? ''),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  async function isInside(page: Page, list: Locator): Promise<boolean> {
    const box = await list.boundingBox();
    const size = page.viewportSize();
    return Boolean(
      box &&
        size &&
        box.x >= 0 &&
        box.y >= 0 &&
        box.x + box.width <= size.width &&
        box.y + box.height <= size.height,
    );
  }

  test.each([
    [1440, 900],
    [720, 700],
    [360, 640],
  ])('the menu of each row stays inside a window of %i × %i pixels', async (width, height) => {
    const { page, close } = await stage.open(browser, stage.dashboard, { viewport: { width, height } });
    await settled(page);
    await idle(page);
    const rows = page.locator('.panel').first().locator('.bar-row a');
    for (let index = 0; index < (await rows.count()); index += 1) {
      // As low as a row can be and still be seen.
      await rows.nth(index).evaluate('(row) => row.scrollIntoView({ block: "end" })');
      await rows.nth(index).focus();
      await page.keyboard.press('ArrowRight');
      const list = page.locator('.menu-list');
      await list.waitFor();
      expect(await isInside(page, list)).toBe(true);
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'detached' });
    }
    await close();
  });

  testInChromium('a long press opens the menu of a row, and its release filters nothing', async () => {
    const { page, close } = await stage.open(browser, stage.dashboard, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    await settled(page);
    const row = page.locator('.panel').first().locator('.bar-row a').first();
    await row.scrollIntoViewIfNeeded();
    const box = await row.boundingBox();
    const touchPoints = [{ x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 10 }];
    const session = await page.context().newCDPSession(page);
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await page.locator('.menu-list').waitFor();
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.locator('.menu-list').getByRole('button', { name: 'Exclude' }).tap();
    await page.locator('.chip em', { hasText: 'is not' }).waitFor();
    expect(await page.locator('.chip').count()).toBe(1);
    await close();
  });
});
