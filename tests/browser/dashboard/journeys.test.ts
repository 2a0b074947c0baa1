import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { BROWSER_TEST_TIMEOUT_MS, findChromium } from '../../support/browser.ts';
import { idle, openStage, type Stage } from './stage.ts';

/** A path of journeys is pinned, and opened as a funnel and as visits. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const chromium = findChromium();

describe.if(chromium !== undefined)('journeys', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage({ events: 3_000, days: 20 }));
    await page.goto(`${stage.dashboard}/journeys`);
    await page.locator('.journey-node').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const pinned = () => page.getByRole('region', { name: 'Pinned path' });
  const boxes = () => page.locator('a.journey-node:not(.dim)');

  /** Pins the first box after the anchor and the first step after it. */
  async function pinTwo(): Promise<void> {
    await page.goto(`${stage.dashboard}/journeys`);
    await boxes().nth(0).click();
    await pinned().waitFor();
    await boxes().nth(1).press('Enter');
    await page.waitForURL((url) => url.searchParams.getAll('pin').length === 2);
    await page.locator('.journey-node[aria-current]').nth(1).waitFor();
  }

  test('a selected box pins the path to it, and the others are not followed', async () => {
    await pinTwo();
    const names = (await pinned().locator('bdi').allTextContents()).slice(1);
    const pins = new URL(page.url()).searchParams.getAll('pin');
    expect(pins.map((pin) => pin.split(',')[1])).toEqual(names);
    expect(await page.locator('.journey-node[aria-current]').count()).toBe(2);
    expect(await page.locator('.journey-node.dim').count()).toBeGreaterThan(2);
    await page.goBack();
    await page.locator('.journey-node[aria-current]').nth(1).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Unpin' }).click();
    await pinned().waitFor({ state: 'detached' });
  });

  test('others are opened after their box', async () => {
    const others = page.locator('button.journey-node').first();
    const count = Number.parseInt((await others.textContent()) ?? '', 10);
    const before = await page.locator('.journey-node').count();
    await others.click();
    await page
      .locator('.journey-node')
      .nth(before + count - 2)
      .waitFor();
  });

  test('a pinned path is a funnel with the visits that took it', async () => {
    await pinTwo();
    const visits = Number.parseInt((await pinned().locator('.number').textContent()) ?? '', 10);
    await page.getByRole('link', { name: 'Turn into a funnel' }).click();
    await page.locator('.funnel > li').nth(1).waitFor();
    expect(page.url()).toContain('by=visit');
    await idle(page);
    const reached = await page.locator('.funnel-head .number').last().textContent();
    expect(Number.parseInt(reached ?? '', 10)).toBeGreaterThanOrEqual(visits);
  });

  test('a pinned path is a list of the visits that have its steps', async () => {
    await pinTwo();
    const visits = Number.parseInt((await pinned().locator('.number').textContent()) ?? '', 10);
    await page.getByRole('link', { name: 'Show visits with these steps' }).click();
    await page.locator('.people-main').first().waitFor();
    expect(new URL(page.url()).searchParams.getAll('f').length).toBe(2);
    await idle(page);
    expect(await page.locator('.people-main').count()).toBeGreaterThanOrEqual(Math.min(visits, 50));
  });

  test('no page logged a console error', () => {
    expect(complaints).toEqual([]);
  });
});
