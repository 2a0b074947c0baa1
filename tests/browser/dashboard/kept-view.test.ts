import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { BROWSER_TEST_TIMEOUT_MS, findAnyBrowser } from '../../support/browser.ts';
import { openStage, type Stage, settled } from './stage.ts';

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const browserPath = findAnyBrowser();

describe.if(browserPath !== undefined)('period and filters', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    ({ stage, browser, page } = await openStage({ events: 2_000, days: 20 }));
    await stage.addWebsite('Another shop', 'https://another.example');
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const search = () => decodeURIComponent(new URL(page.url()).search);
  const follow = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.locator('h1').first().waitFor();
  };

  test('go along from a visit to its visitor, by the breadcrumb and by the tabs', async () => {
    const kept = '?period=7d&compare=year&f=is,deviceType,desktop';
    await page.goto(`${stage.dashboard}/visits${kept}`);
    await page.locator('.people-main').first().click();
    await page.locator('h1', { hasText: 'Visitor' }).waitFor();
    expect(search()).toBe(kept);
    await page.locator('.crumb a').click();
    await page.locator('.people-main').first().waitFor();
    expect(search()).toBe(kept);
    await follow('Goals');
    await follow('Funnels');
    expect(search()).toBe(kept);
    await follow('Dashboard');
    await settled(page);
    expect(search()).toBe(kept);
  });

  test('of one website: the period goes along to another one by menu and key, filters stay', async () => {
    for (const choose of [
      async () => {
        await page.getByRole('button', { name: 'Demo shop' }).click();
        await page.getByRole('link', { name: 'Another shop' }).click();
      },
      () => page.keyboard.press('2'),
    ]) {
      await page.goto(`${stage.dashboard}?period=today&compare=year&f=is,browser,Chrome`);
      await settled(page);
      await choose();
      await page.getByRole('button', { name: 'Another shop' }).waitFor();
      expect(search()).toBe('?period=today&compare=year');
    }
  });
});
