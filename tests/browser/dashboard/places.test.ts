import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { buildDatabase } from '../../places/build-database.ts';
import { BROWSER_TEST_TIMEOUT_MS, findAnyBrowser } from '../../support/browser.ts';
import { eventFor } from '../../support/event.ts';
import { createDataDir } from '../../support/process.ts';
import { openStage, type Stage, settled } from './stage.ts';

/** The lists of places, versions and screens, over events that arrived with addresses and User-Agents. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const DATABASE = {
  '8.0.0.0/8': {
    city: { geoname_id: 2867714, names: { en: 'Munich' } },
    country: { iso_code: 'DE' },
    subdivisions: [{ iso_code: 'BY' }],
  },
  '9.0.0.0/8': { city: 'Cambridge', country_code: 'GB', state1: 'England' },
  '11.0.0.0/8': { city: 'Cambridge', country_code: 'US', state1: 'Massachusetts' },
  '12.0.0.0/8': { city: 'Kowloon', country_code: 'HK', state1: 'Kowloon City' },
};

describe.if(findAnyBrowser() !== undefined)('the page of a website with places', () => {
  const folder = createDataDir();
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    const path = join(folder.path, 'places.mmdb');
    writeFileSync(path, buildDatabase(DATABASE));
    ({ stage, browser, page, complaints } = await openStage({
      events: 0,
      environment: { GEO_DATABASE: path, TRUST_PROXY: 'loopback' },
    }));
    const senders = ['8.1.1.1', '8.1.1.2', '8.1.1.3', '9.1.1.1', '9.1.1.2', '11.1.1.1', '12.1.1.1'];
    for (const [index, address] of senders.entries()) {
      const isPhone = index === 0;
      const response = await fetch(`${stage.url}/api/v1/events`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': isPhone ? SAFARI : CHROME,
          'X-Forwarded-For': address,
        },
        body: JSON.stringify(
          eventFor(stage.website.trackingCode, {
            visitorId: address,
            sessionId: address,
            screen: isPhone ? '390x844' : '1920x1080',
          }),
        ),
      });
      expect(response.status).toBe(201);
    }
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
    folder.remove();
  });

  const panel = (title: string) =>
    page.locator('.panel', { has: page.getByRole('heading', { name: title }) });

  async function rows(title: string): Promise<string[]> {
    await settled(page);
    return panel(title).locator('.panel-list .bar-row a').allTextContents();
  }

  async function choose(title: string, ...tabs: string[]): Promise<void> {
    for (const name of tabs) await panel(title).getByRole('tab', { name, exact: true }).click();
    await settled(page);
  }

  test.each([
    ['Locations', ['Regions'], ['Bavaria', 'England', 'Kowloon City', 'Massachusetts']],
    [
      'Locations',
      ['Cities'],
      ['Munich, Bavaria', 'Cambridge, England', 'Cambridge, Massachusetts', 'Kowloon, Hong Kong'],
    ],
    ['Devices', ['Versions', 'Browser'], ['141', '17']],
    ['Devices', ['Versions', 'System'], ['10', '17']],
    ['Devices', ['Screens', 'Size'], ['Extra large', 'Small']],
    ['Devices', ['Screens', 'Resolution'], ['1920x1080', '390x844']],
  ])('lists in %s, below the tabs %j, %j', async (title, tabs, names) => {
    await page.goto(stage.dashboard);
    await settled(page);
    await choose(title, ...tabs);
    await page
      .getByText(names[0] ?? '')
      .first()
      .waitFor();
    expect((await rows(title)).toSorted()).toEqual(names.toSorted());
  });

  test('a click on a city filters by it, and its chip has its name', async () => {
    await page.goto(`${stage.dashboard}?tab.locations=city`);
    await settled(page);
    await panel('Locations').getByRole('link', { name: 'Cambridge, Massachusetts' }).click();
    await settled(page);
    expect(decodeURIComponent(new URL(page.url()).search)).toContain('f=is,city,Cambridge');
    expect(await page.locator('.chip').first().textContent()).toContain('Cambridge, Massachusetts');
    expect(
      await page.locator('.metric', { hasText: 'Visitors' }).first().locator('.metric-value').textContent(),
    ).toBe('1');
  });

  test('the filter dialog finds a region and a city by their names', async () => {
    await page.goto(stage.dashboard);
    await settled(page);
    await page.getByRole('button', { name: 'Filter', exact: true }).first().click();
    const box = page.getByRole('dialog').getByRole('combobox').first();
    await box.fill('bavar');
    await page
      .getByRole('option', { name: /Bavaria/ })
      .first()
      .waitFor();
    await box.fill('munich');
    await page
      .getByRole('option', { name: /Munich, Bavaria/ })
      .first()
      .click();
    await page.keyboard.press('Escape');
  });

  test('a checkbox of the settings keeps to countries', async () => {
    await page.goto(`${stage.dashboard}/settings`);
    await page.getByRole('checkbox', { name: /countries only/ }).check();
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page
      .locator('form', { has: page.getByRole('checkbox', { name: /countries only/ }) })
      .getByRole('button', { name: 'Save' })
      .click();
    expect(await (await saved).json()).toMatchObject({ isCountryOnly: true });
  });

  test('no page logged a console error', () => {
    expect(complaints).toEqual([]);
  });
});
