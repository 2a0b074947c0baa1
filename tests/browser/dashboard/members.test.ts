import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { faultsInEveryLook } from '../../support/axe.ts';
import { BROWSER_TEST_TIMEOUT_MS, findAnyBrowser, launchAnyBrowser } from '../../support/browser.ts';
import { createStage, PASSWORD, type Stage } from './stage.ts';

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const browserPath = findAnyBrowser();
const look = process.env.LOOK; // a folder for pictures
const GRACE = 'grace@example.com';

describe.if(browserPath !== undefined)('the people of an account in a browser', () => {
  let stage: Stage;
  let browser: Browser;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([
      createStage({ events: 200, days: 3 }),
      launchAnyBrowser(browserPath ?? ''),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  test('are invited by a link that is shown once, changed and removed, which the audit log records', async () => {
    await stage.addWebsite('Second', 'https://second.example');
    const { page, complaints, close } = await stage.open(browser, '/account');
    const people = page.locator('#people');
    await people.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('Our agency');
    await dialog.getByLabel('Websites').selectOption('Only these');
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    await dialog.getByText('Must have at least one website').waitFor();
    await dialog.getByLabel('Second').check();
    await dialog.getByLabel('Revenue').check();
    expect(await faultsInEveryLook(page)).toEqual([]);
    if (look) await page.screenshot({ path: `${look}/invite.png` });
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    const address = (await page.locator('#invitation-address').textContent()) ?? '';
    expect(address).toStartWith(`${stage.url}/join#`);
    if (look) await page.screenshot({ path: `${look}/invited.png` });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await people.getByText('Viewer of 1 website · without revenue · invited').waitFor();

    const invitation = new URL(address).hash.slice(1);
    await stage.call('POST', '/auth/register', { email: GRACE, password: PASSWORD, invitation });
    await page.reload();
    await people.locator('strong', { hasText: GRACE }).waitFor();
    if (look) await people.screenshot({ path: `${look}/people.png` });
    await people.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Role').selectOption('Editor');
    await dialog.getByLabel('Websites').first().selectOption('All, also those added later');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await people.getByText('Editor of all websites').waitFor();
    expect(await faultsInEveryLook(page)).toEqual([]);
    await people.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await people.locator('strong', { hasText: GRACE }).waitFor({ state: 'detached' });

    await people.getByRole('link', { name: 'Audit log' }).click();
    const entries = page.locator('.audit-log li');
    await page.getByText('role: viewer → editor').waitFor();
    expect(await entries.count()).toBeGreaterThanOrEqual(4);
    expect(await faultsInEveryLook(page)).toEqual([]);
    if (look) await page.screenshot({ path: `${look}/audit.png` });
    await page.getByLabel('Action').selectOption('Removed');
    await entries.filter({ hasText: 'Joined' }).waitFor({ state: 'detached' });
    expect(await entries.count()).toBe(1);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(await Bun.file(await file.path()).text()).toMatch(/^at,actor,action,.*\r\n.*member\.removed/);
    expect(complaints).toEqual([]);
    await close();
  });
});
