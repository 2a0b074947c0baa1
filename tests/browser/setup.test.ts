import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { faultsInEveryLook, faultsOf } from '../support/axe.ts';
import { findChromium, launchChromium } from '../support/browser.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';
import { settled } from './dashboard/stage.ts';

/** From an empty server to the first figure, as its owner walks it: by the pages alone. */

const PATIENCE_MS = 90_000;
setDefaultTimeout(PATIENCE_MS);

const EMAIL = 'ada@example.com';
const PASSWORD = 'Correct-horse-9';
const NEW_PASSWORD = 'Another-horse-9';
const chromium = findChromium();

describe.if(chromium !== undefined)('the owner of an empty server', () => {
  const dataDir = createDataDir();
  let service: ServiceProcess;
  let shop: ReturnType<typeof Bun.serve>;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** Tag in the head of the shop's pages. */
  let tag = '';

  beforeAll(async () => {
    service = await startProcess({ DATA_DIR: dataDir.path });
    shop = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        new Response(`<!doctype html><title>Shop</title><link rel="icon" href="data:,">${tag}<h1>Shop</h1>`, {
          headers: { 'Content-Type': 'text/html' },
        }),
    });
    browser = await launchChromium(chromium ?? '');
    // Automated browsers say so in their User-Agent, and would be left out as bots.
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
    context = await browser.newContext({ baseURL: service.url, timezoneId: 'Europe/Berlin', userAgent });
    context.setDefaultTimeout(PATIENCE_MS / 2);
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await shop?.stop(true);
    dataDir.remove();
  });

  const shopUrl = () => `http://127.0.0.1:${shop.port}`;

  test('makes an account and a website on the first page, and lands where the script is', async () => {
    await page.goto('/');
    await page.getByRole('heading', { name: 'Web analytics on your own server.' }).waitFor();
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin');
    expect(await faultsInEveryLook(page)).toEqual([]);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill('Summer2026!');
    await page.getByLabel('Website URL').fill(shopUrl());
    await page.getByLabel('Name').fill('Shop');
    await page.getByRole('button', { name: 'Create account and website' }).click();
    await page.getByText('Password is one of the most common ones').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account and website' }).click();
    await page.getByRole('heading', { name: 'Add the script to Shop' }).waitFor();
    expect(page.url()).toMatch(/\/websites\/[^/]+\/install$/);
  });

  test('sees every recipe without a fault', async () => {
    const tabs = page.getByRole('tablist', { name: 'How your website is built' }).getByRole('tab');
    await tabs.first().waitFor();
    const count = await tabs.count();
    expect(count).toBeGreaterThan(5);
    for (let index = 0; index < count; index += 1) {
      await tabs.nth(index).click();
      expect(await faultsOf(page)).toEqual([]);
    }
    await tabs.first().click();
    expect(await faultsInEveryLook(page)).toEqual([]);
  });

  /** Presses the button and waits for what was found. */
  async function check(): Promise<string[]> {
    const answered = page.waitForResponse((response) => response.url().endsWith('/check'));
    await page.getByRole('button', { name: 'Check now' }).click();
    await (await answered).finished();
    await page.locator('.install-check button:not([aria-busy="true"])').waitFor();
    return page.locator('.finding').evaluateAll((items) => items.map((item) => item.dataset.code ?? ''));
  }

  test('the setup check reports a missing script and a wrong code', async () => {
    expect(await check()).toEqual(['script-missing']);
    const shown = await page.locator('.install-card pre code').evaluate((code) => code.textContent ?? '');
    tag = shown.replace(/pm-\w+-\d+/, 'pm-0000000000000000-1700000000000');
    expect(tag).toStartWith('<script async src="');
    expect(await check()).toEqual(['script-wrong-code']);
    const tab = await context.newPage();
    const refused = tab.waitForResponse((response) => new URL(response.url()).pathname === '/m');
    await tab.goto(shopUrl());
    await refused;
    await tab.close();
    expect(await check()).toEqual(['unknown-code-arrived', 'script-wrong-code']);
    expect(await faultsInEveryLook(page)).toEqual([]);
    tag = shown;
  });

  test('opens a page with the script, and sees it arrive and counted', async () => {
    const tab = await context.newPage();
    await tab.goto(shopUrl());
    await page.getByText('It works: an event has arrived.').waitFor();
    await page.getByText('Headless browsers and tools such as curl are listed too').waitFor();
    await tab.close();
    await page.locator('[data-code="script-found"]').waitFor();
    await page.getByRole('link', { name: 'See your reports' }).click();
    const visitors = page.locator('.overview').getByText('1', { exact: true }).first();
    await visitors.waitFor();
    await page.goto('/');
    await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
    await page.locator('.website-figures', { hasText: /^1 visitor/ }).waitFor();
    expect(await faultsInEveryLook(page)).toEqual([]);
  });

  test('loads demo data, sees that it is invented, and deletes it', async () => {
    await page.getByRole('button', { name: 'Add website' }).click();
    await page.getByRole('button', { name: 'Load demo data' }).click();
    await page.getByRole('complementary', { name: 'Demo' }).waitFor();
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.goto('/');
    await page.getByRole('link', { name: 'Demo', exact: true }).click();
    await page.getByRole('button', { name: 'Delete demo data' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Demo', exact: true }).waitFor({ state: 'detached' });
  });

  test('sees settings and account without a fault, and ends another login', async () => {
    await page.getByRole('link', { name: 'Settings of Shop' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.settings-card').first().waitFor();
    expect(await faultsInEveryLook(page)).toEqual([]);
    const other = await fetch(`${service.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });
    const { tokens } = (await other.json()) as { tokens: { accessToken: string } };
    await page.goto('/account');
    await page.getByText('Chrome on Linux').waitFor();
    expect(await faultsInEveryLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Log out Firefox on Linux' }).click();
    await page.locator('.key-list', { hasText: 'Firefox on Linux' }).waitFor({ state: 'detached' });
    const me = await fetch(`${service.url}/api/v1/auth/me`, {
      headers: { Authorization: `Bearer ${tokens.accessToken}` },
    });
    expect(me.status).toBe(401);
  });

  test('shares the figures, less what the public is not to see', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Settings of Shop' }).click();
    await page.getByLabel('Names of custom events').check();
    await page.getByRole('button', { name: 'Make public' }).click();
    const address = page.locator('#public-address');
    await address.waitFor();
    expect(await page.getByLabel('Names of custom events').isChecked()).toBe(true);
    expect(await faultsInEveryLook(page)).toEqual([]);
    const stranger = await browser.newPage({ baseURL: service.url });
    const refusals: string[] = [];
    stranger.on('response', (response) => {
      if (response.status() >= 400) refusals.push(`${response.status()} ${response.url()}`);
    });
    await stranger.goto((await address.getAttribute('href')) ?? '');
    await stranger.getByRole('heading', { name: 'Devices' }).waitFor();
    await settled(stranger);
    expect(await stranger.locator('.panel h2').allInnerTexts()).toEqual([
      'Sources',
      'Pages',
      'Locations',
      'Devices',
    ]);
    await stranger.getByRole('button', { name: 'Filter' }).click();
    await stranger.getByRole('option').first().waitFor();
    const offered = await stranger.getByRole('option').allInnerTexts();
    expect(offered).toContain('Country…');
    expect(offered.filter((name) => /event/.test(name))).toEqual([]);
    await stranger.goto(`${await address.getAttribute('href')}/realtime`);
    await stranger.getByRole('heading', { name: 'Countries' }).waitFor();
    expect(await stranger.getByRole('heading', { name: 'Events' }).count()).toBe(0);
    expect(refusals).toEqual([]);
    await stranger.close();
    await page.getByRole('button', { name: 'Make private' }).click();
    await address.waitFor({ state: 'detached' });
    await page.goto('/account');
  });

  test('changes the password, and revokes the API keys with it', async () => {
    const keys = page.locator('.settings-card', { hasText: 'API keys' }).locator('.key-list li');
    await keys.first().waitFor();
    expect(await keys.allInnerTexts()).toEqual([expect.stringContaining('never used')]);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('Password1');
    await page.getByLabel('Also revoke all API keys').check();
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password is one of the most common ones').waitFor();
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('your API keys are revoked').waitFor();
    await keys.first().waitFor({ state: 'detached' });
    expect(await faultsInEveryLook(page)).toEqual([]);
  });

  test('erases events by a filter, after a look at how many', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Settings of Shop' }).click();
    const card = page.locator('.settings-card', { hasText: 'Erase events' });
    const count = card.getByRole('button', { name: 'Preview…' });
    await card.getByRole('button', { name: 'Filter' }).click();
    await page.locator('dialog input').fill('/nowhere');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await count.click();
    await page.getByRole('heading', { name: 'Nothing to erase' }).waitFor();
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: 'Remove the filter on Page' }).click();
    await count.click();
    await page.getByRole('heading', { name: /^Erase [1-9]\d* events?\?$/ }).waitFor();
    expect(await faultsInEveryLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Erase permanently' }).click();
    await page.getByRole('button', { name: 'Erase permanently' }).waitFor({ state: 'detached' });
    await count.click();
    await page.getByRole('heading', { name: 'Nothing to erase' }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto('/account');
  });

  test('logs in again after logging out everywhere', async () => {
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await faultsInEveryLook(page)).toEqual([]);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  });

  test('without a website is asked for the first one, or to look around', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Settings of Shop' }).waitFor();
    await page.evaluate(async () => {
      const { accessToken } = JSON.parse(localStorage.getItem('pagemeter.login') ?? '{}');
      const headers = { Authorization: `Bearer ${accessToken}` };
      const { websites } = await (await fetch('/api/v1/websites', { headers })).json();
      for (const { id } of websites) await fetch(`/api/v1/websites/${id}`, { method: 'DELETE', headers });
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Your first website' }).waitFor();
    await page.getByRole('button', { name: 'Load demo data' }).waitFor();
    expect(await faultsInEveryLook(page)).toEqual([]);
  });
});
