import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { faultsInEveryLook } from '../../support/axe.ts';
import { BROWSER_TEST_TIMEOUT_MS, findAnyBrowser, launchAnyBrowser } from '../../support/browser.ts';
import { createStage, idle, PASSWORD, type Stage, settled } from './stage.ts';

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

  test('with the role viewer see no control that is refused, nor what is hidden from them', async () => {
    const { accounts } = await stage.call<{ accounts: { id: string }[] }>('GET', '/accounts');
    const { token } = await stage.call<{ token: string }>('POST', `/accounts/${accounts[0]?.id}/members`, {
      role: 'viewer',
      hides: ['visitors', 'properties', 'revenue'],
    });
    await stage.call('POST', `/websites/${stage.website.id}/goals/ready-made`);
    const { page, complaints, close } = await stage.open(browser, `/join#${token}`, { isStranger: true });
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.getByLabel('E-mail').fill('vera@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account and accept' }).click();
    await page.getByText('shared with you, as viewer').first().waitFor();
    expect(await page.getByRole('link', { name: 'Settings of Demo shop' }).count()).toBe(0);
    if (look) await page.screenshot({ path: `${look}/shared-list.png` });
    await page.getByRole('link', { name: 'Demo shop', exact: true }).click();
    await settled(page);
    const sections = page.getByRole('navigation', { name: 'Website' });
    await sections.getByText('Settings').waitFor({ state: 'detached' });
    expect(await sections.getByRole('link').allTextContents()).toEqual([
      'Dashboard',
      'Realtime',
      'Goals',
      'Journeys',
    ]);
    if (look) await page.screenshot({ path: `${look}/viewer.png`, fullPage: true });
    for (const name of ['Goals', 'Funnels', 'Retention', 'Attribution', 'Journeys', 'Realtime']) {
      await page.getByRole('link', { name, exact: true }).first().click();
      await page.waitForLoadState('networkidle').catch(() => {}); // a live stream stays open
      await idle(page);
      expect([name, refused, await page.locator('.problem').allTextContents()]).toEqual([name, [], []]);
      expect(
        await page
          .getByRole('button', { name: /^(Add a goal|Add suggested|Save funnel|Edit|Erase)/ })
          .count(),
      ).toBe(0);
    }
    expect(refused).toEqual([]);
    await page.goto('/account');
    await page.locator('#shared-with-you').getByRole('button', { name: 'Leave' }).click();
    if (look) await page.screenshot({ path: `${look}/leave.png` });
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.locator('#shared-with-you').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await close();
  });

  test('hand a website over by a link, which the new owner confirms', async () => {
    const { id } = await stage.addWebsite('Given away', 'https://given.example');
    const carol = { email: 'carol@example.com', password: PASSWORD };
    await stage.call('POST', '/auth/register', carol);
    const { page, close } = await stage.open(browser, `/websites/${id}/settings`);
    await page.getByRole('button', { name: 'Hand over' }).last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
    const address = (await page.locator('#hand-over-address').textContent()) ?? '';
    if (look) await page.locator('#hand-over').screenshot({ path: `${look}/hand-over.png` });
    await close();
    const { pathname, hash } = new URL(address);
    const taken = await stage.open(browser, pathname + hash, {
      isStranger: true,
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    await taken.page.getByText('hands a website over to you').waitFor();
    await taken.page.getByRole('button', { name: 'I have an account' }).click();
    await taken.page.getByLabel('E-mail').fill(carol.email);
    await taken.page.getByLabel('Password').fill(carol.password);
    if (look) await taken.page.screenshot({ path: `${look}/take-over.png`, fullPage: true });
    await taken.page.getByRole('button', { name: 'Log in and accept' }).click();
    await taken.page.getByRole('link', { name: 'Given away', exact: true }).waitFor();
    expect(await taken.page.getByText('shared with you').count()).toBe(0);
    await taken.close();
  });
});
