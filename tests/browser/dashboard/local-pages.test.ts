import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { faultsInEveryLook } from '../../support/axe.ts';
import { BROWSER_TEST_TIMEOUT_MS, findAnyBrowser } from '../../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const browserPath = findAnyBrowser();

describe.if(browserPath !== undefined)('the install page', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage({ events: 100, days: 2 }));
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  test('says why the event of a local page is left out, and counts such pages with one click', async () => {
    const { id, trackingCode } = await stage.addWebsite('New', 'https://new.example');
    const visit = (path: string) =>
      stage.call('POST', '/events', {
        trackingCode,
        eventType: 'pageview',
        url: `http://localhost:5173${path}`,
        sessionId: 's',
        visitorId: 'v',
      });
    const count = async () =>
      (await stage.call<{ events: number }>('GET', `/websites/${id}/stats?period=today`)).events;
    await visit('/before');
    await page.goto(`/websites/${id}/install`);
    await page.getByText('It works: an event has arrived.').waitFor();
    await page.locator('.finding', { hasText: 'Events arrived from a page on a local host' }).waitFor();
    expect(await faultsInEveryLook(page)).toEqual([]);
    expect(await count()).toBe(0);
    await page.getByRole('button', { name: 'Count local pages' }).click();
    await page.locator('[data-code="left-out-local"]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Count local pages' }).waitFor({ state: 'detached' });
    await visit('/after');
    expect(await count()).toBe(1);
    await page.goto(`/websites/${id}/settings`);
    expect(await page.getByLabel('Leave out pages on localhost').isChecked()).toBe(false);
    expect(complaints).toEqual([]);
  });
});
