import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { faultsInEveryLook } from '../../support/axe.ts';
import { BROWSER_TEST_TIMEOUT_MS, findAnyBrowser, launchAnyBrowser } from '../../support/browser.ts';
import { createStage, EMAIL, PASSWORD, type Stage } from './stage.ts';

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const browserPath = findAnyBrowser();
const look = process.env.LOOK; // a folder for pictures
const PHONE = { isStranger: true, viewport: { width: 360, height: 740 } };

describe.if(browserPath !== undefined)('an invitation in a browser', () => {
  let stage: Stage;
  let browser: Browser;
  let accountId: string;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([
      createStage({ events: 200, days: 3, environment: { REGISTRATION: 'closed' } }),
      launchAnyBrowser(browserPath ?? ''),
    ]);
    const { accounts } = await stage.call<{ accounts: { id: string }[] }>('GET', '/accounts');
    accountId = accounts[0]?.id ?? '';
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const invite = (input: object = { role: 'viewer' }) =>
    stage.call<{ token: string; member: { id: string } }>('POST', `/accounts/${accountId}/members`, input);

  test('admits a new person on a phone, although registration is closed', async () => {
    const { token } = await invite({ role: 'viewer', hides: ['revenue'], email: 'grace@example.com' });
    const { page, complaints, close } = await stage.open(browser, `/join#${token}`, PHONE);
    await page.getByRole('heading', { name: `${EMAIL} invites you` }).waitFor();
    await page.getByText('Hidden from you: Revenue.').waitFor();
    expect(await faultsInEveryLook(page)).toEqual([]);
    if (look) await page.screenshot({ path: `${look}/join.png`, fullPage: true });
    await page.getByLabel('E-mail').fill('eve@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account and accept' }).click();
    await page.getByText('This invitation is for another e-mail address').waitFor();
    await page.getByLabel('E-mail').fill('grace@example.com');
    await page.getByRole('button', { name: 'Create account and accept' }).click();
    await page.getByRole('link', { name: 'Demo shop', exact: true }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/');
    await page.goto(`/join#${token}`);
    await page.getByRole('heading', { name: 'This invitation cannot be used' }).waitFor();
    if (look) await page.screenshot({ path: `${look}/join-used.png`, fullPage: true });
    expect(complaints).toEqual([]);
    await close();
  });

  test('is accepted by a person who logs in, and says so when they are a member already', async () => {
    const first = await invite();
    await stage.call('POST', '/auth/register', {
      email: 'joan@example.com',
      password: PASSWORD,
      invitation: first.token,
    });
    const { token } = await invite();
    const { page, close } = await stage.open(browser, `/join#${token}`, PHONE);
    await page.getByRole('button', { name: 'I have an account' }).click();
    await page.getByLabel('E-mail').fill('joan@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in and accept' }).click();
    await page.getByText('You are a member of this account already').waitFor();
    if (look) await page.screenshot({ path: `${look}/join-member.png`, fullPage: true });
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByRole('button', { name: 'Create account and accept' }).waitFor();
    await close();
  });

  test('shows its sender that the link is for another person', async () => {
    const { token } = await invite();
    const { page, close } = await stage.open(browser, `/join#${token}`);
    await page.getByText('This is your own invitation').waitFor();
    if (look) await page.screenshot({ path: `${look}/join-own.png`, fullPage: true });
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
    await close();
  });
});
