import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { BROWSER_TEST_TIMEOUT_MS, findChromium } from '../../support/browser.ts';
import { openStage, type Stage } from './stage.ts';

/** The page of retention chooses enough time for cohorts, and leads to their visits. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const chromium = findChromium();

describe.if(chromium !== undefined)('retention', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage({ events: 3_000, days: 40 }));
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const rows = () => page.locator('.retention tbody tr');

  test('has at least five weeks also when the period of other pages is shorter', async () => {
    await page.goto(`${stage.dashboard}/goals/retention?period=7d`);
    await page.locator('.retention-cell').first().waitFor();
    expect(await rows().count()).toBeGreaterThan(5);
    await page.getByRole('button', { name: 'Last 91 days' }).waitFor();
    await page.getByRole('button', { name: 'Months', exact: true }).click();
    await page.getByRole('button', { name: 'Last 12 months' }).waitFor();
    await page.goBack();
    await page.getByRole('img', { name: /^Mean of all weeks: [\d.]+% came back in week 1/ }).waitFor();
  });

  test('has the mean in its first row, and a strong tone where most came back', async () => {
    expect(await rows().first().textContent()).toStartWith('Mean100%');
    expect(await page.locator('.retention .tone-5').count()).toBeGreaterThan(0);
  });

  test('a cohort leads to the visits of its visitors', async () => {
    const row = rows().nth(2);
    const visitors = Number((await row.locator('td').first().textContent())?.replace(',', ''));
    await row.getByRole('link').click();
    await page.locator('.people-main').first().waitFor();
    const filter = new URL(page.url()).searchParams.get('f') ?? '';
    expect(filter).toMatch(/^is,firstSeen,[\d-]{10}\|[\d-]{10}$/);
    const [first = '', last = ''] = filter.slice('is,firstSeen,'.length).split('|');
    expect(Date.parse(last) - Date.parse(first)).toBe(6 * 86_400_000);
    const conditions = encodeURIComponent(JSON.stringify([['first_seen', { from: first, to: last }]]));
    const { pagination } = await stage.call<{ pagination: { total: number } }>(
      'GET',
      `/websites/${stage.website.id}/visitors?from=${first}&to=${last}&filters=${conditions}`,
    );
    expect(pagination.total).toBe(visitors);
  });

  test('says that it is unavailable when all visitors are counted by day', async () => {
    const { id, trackingCode } = await stage.addWebsite('Without ids', 'https://anonymous.example');
    const event = { eventType: 'pageview', url: 'https://anonymous.example/', anonymous: true };
    await stage.call('POST', '/events', { trackingCode, ...event });
    await page.goto(`/websites/${id}/goals/retention`);
    await page.getByText('Unavailable: the visitors of this period are counted by day').waitFor();
    expect(await page.locator('.problem').count()).toBe(0);
  });

  test('no page logged a console error', () => {
    expect(complaints).toEqual([]);
  });
});
