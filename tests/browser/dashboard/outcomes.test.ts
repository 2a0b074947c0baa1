import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { BROWSER_TEST_TIMEOUT_MS, findAnyBrowser } from '../../support/browser.ts';
import { figure, openStage, type Stage, settled } from './stage.ts';

/** Rates of goals on the dashboard: cards, lists and details. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const browserPath = findAnyBrowser();
const DAY_MS = 86_400_000;

describe.if(browserPath !== undefined)('outcomes', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage({ events: 10 }));
    await stage.call('POST', `/websites/${stage.website.id}/goals`, {
      name: 'Paid',
      type: 'event',
      match: 'order',
    });
    const at = (visitor: number, ageDays: number) => ({
      trackingCode: stage.website.trackingCode,
      visitorId: `o${ageDays}-${visitor}`,
      sessionId: `o${ageDays}-${visitor}`,
      timestamp: Date.now() - ageDays * DAY_MS,
    });
    const view = (visitor: number, ageDays: number, path: string) => ({
      ...at(visitor, ageDays),
      eventType: 'pageview',
      url: `https://demo.example${path}`,
    });
    const order = (visitor: number) => ({
      ...view(visitor, 2, '/cart'),
      eventType: 'custom',
      properties: { name: 'order', revenue: { amount: '10.00', currency: 'EUR' } },
    });
    const visitors = Array.from({ length: 40 }, (_, index) => index);
    await stage.sendAll([
      ...visitors.flatMap((visitor) => [
        view(visitor, 2, visitor < 20 ? '/landing?utm_source=mail' : '/landing?utm_source=search'),
        ...(visitor < 10 ? [order(visitor)] : []),
      ]),
      ...visitors.slice(0, 15).map((visitor) => view(visitor, 32, '/gone')),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const rowOf = (text: string) => page.locator('.bar-row', { hasText: text }).first();

  test('a goal chosen on the page gives a card, and a column of each list', async () => {
    await page.goto(stage.dashboard);
    await settled(page);
    await page.getByRole('button', { name: 'Show a rate' }).click();
    await page.getByRole('button', { name: 'Paid', exact: true }).click();
    await page.locator('.metric', { hasText: 'Paid rate' }).waitFor();
    await rowOf('mail').locator('.bar-rate').waitFor();
    expect(await rowOf('mail').locator('.bar-rate').textContent()).toStartWith('50%');
    expect(await rowOf('/landing').locator('.bar-rate').textContent()).toStartWith('25%');
  });

  test('the total of a property is of the events that have it', async () => {
    await page.goto(`${stage.dashboard}?details=events&tab.events=property%3Arevenue`);
    const dialog = page.getByRole('dialog');
    await dialog.locator('tfoot td', { hasText: /\d/ }).first().waitFor();
    expect(await dialog.locator('tfoot td').first().textContent()).toStartWith('10');
    await page.goto(stage.dashboard);
  });

  test('a goal as filter shows its converters, their rate and what they brought', async () => {
    await page.goto(`${stage.dashboard}?f=is,goal,Paid`);
    await settled(page);
    const names = await page.locator('.metrics .metric-name').allTextContents();
    expect(names).toEqual(['Converters', 'Conversions', 'Conversion rate', 'Revenue', 'Average value']);
    await page.locator('.metric-value .amount').first().waitFor();
    expect(await figure(page, 'Converters')).toBe('10');
    expect(await figure(page, 'Revenue')).toBe('€100.00');
    expect(await figure(page, 'Average value')).toBe('€10.00');
    expect(await rowOf('mail').textContent()).toContain('10');
    expect(await rowOf('/landing').count()).toBe(1); // a page that they saw, not only the one where it happened
  });

  test('details sort by the change, and show what is gone', async () => {
    await page.goto(`${stage.dashboard}?details=pages`);
    await page.getByRole('button', { name: 'Sort by the change of Visitors' }).click();
    const first = page.locator('.details-table tbody tr').first();
    await first.filter({ hasText: '/gone' }).waitFor();
    expect(await first.textContent()).toContain('−100%');
  });

  test('the page says what changed, and a click filters by it', async () => {
    await page.goto(stage.dashboard);
    const changes = page.getByRole('region', { name: 'What changed' });
    const found = changes.getByRole('link', { name: '/landing' });
    expect(await found.textContent()).toBe('Page /landing: new, 40 visitors');
    await found.click();
    await settled(page);
    expect(new URL(page.url()).search).toBe('?f=is,page,/landing');
  });

  test('a website that is younger than the earlier period is compared with nothing', async () => {
    await page.goto(`${stage.dashboard}?period=90d`);
    await settled(page);
    expect(await page.locator('.chart-legend').textContent()).toContain('Nothing to compare with before');
    expect(await page.locator('.change').count()).toBe(0);
  });

  test('a country on the map has the rate of the goal', async () => {
    await stage.sendAll([
      {
        trackingCode: stage.website.trackingCode,
        ...{ visitorId: 'german', sessionId: 'german', location: 'DE' },
        ...{ eventType: 'custom', url: 'https://demo.example/cart', properties: { name: 'order' } },
      },
    ]);
    await page.goto(stage.dashboard);
    await page.locator('[data-code=DE][aria-label*="rate"]').waitFor({ state: 'attached' });
    const label = await page.locator('[data-code=DE]').getAttribute('aria-label');
    expect(label).toMatch(/^Germany: \d+ visitors?, [\d.]+%, rate [\d.]+%$/);
  });

  test('no page logged a console error', () => {
    expect(complaints).toEqual([]);
  });
});
