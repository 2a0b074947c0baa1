import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import {
  BROWSER_TEST_TIMEOUT_MS,
  CHROMIUM_ARGUMENTS,
  findChromium,
  launchChromium,
} from '../../support/browser.ts';
import { createStage, figure, type Stage, settled } from './stage.ts';

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const browserPath = findChromium();
type Link = { id: string; token: string };

describe.if(browserPath !== undefined)('sharing', () => {
  let stage: Stage;
  let browser: Browser;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([
      createStage({ events: 3_000, days: 20 }),
      launchChromium(browserPath ?? ''),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const addLink = (input: object = {}) =>
    stage.call<Link>('POST', `/websites/${stage.website.id}/links`, { name: 'Client', ...input });
  const look = process.env.LOOK; // a folder for pictures

  test('two clicks turn the period and filters on the screen into a link that shows them alone', async () => {
    const { page, complaints, close } = await stage.open(
      browser,
      `${stage.dashboard}?period=7d&f=is,country,DE`,
    );
    await settled(page);
    const visitors = await figure(page, 'Visitors');
    await page.getByRole('button', { name: 'Share' }).click();
    if (look) await page.screenshot({ path: `${look}/share.png` });
    await page.getByRole('button', { name: 'Create and copy link' }).click();
    const address = (await page.locator('#share-address').textContent()) ?? '';
    expect(address).toStartWith(`${stage.url}/share/ps_`);
    if (look) await page.screenshot({ path: `${look}/shared.png` });
    await close();

    const shared = await stage.open(browser, `${new URL(address).pathname}?period=7d`, { isStranger: true });
    await settled(shared.page);
    expect(await figure(shared.page, 'Visitors')).toBe(visitors);
    expect(await shared.page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    expect(await shared.page.getByRole('button', { name: 'Share' }).count()).toBe(0);
    if (look) await shared.page.screenshot({ path: `${look}/reader.png`, fullPage: true });
    await shared.page.getByRole('link', { name: 'Realtime' }).click();
    await shared.page.getByText('Visitors').first().waitFor();
    expect([...complaints, ...shared.complaints]).toEqual([]);
    await shared.close();
  });

  test('a password opens the link, and a revoked link says so', async () => {
    const { id, token } = await addLink({ password: 'open sesame' });
    const { page, close } = await stage.open(browser, `/share/${token}`, {
      isStranger: true,
      viewport: { width: 360, height: 740 },
    });
    await page.getByLabel('Password').fill('wrong one');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The password is wrong').waitFor();
    if (look) await page.screenshot({ path: `${look}/password.png` });
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    await settled(page);
    if (look) await page.screenshot({ path: `${look}/phone.png` });
    await stage.call('PATCH', `/websites/${stage.website.id}/links/${id}`, { isRevoked: true });
    await page.reload();
    await page.getByRole('heading', { name: 'This link is closed' }).waitFor();
    await page.getByText('This link was revoked by its owner').waitFor();
    await close();
  });

  test('the live view of a link asks for its password as well', async () => {
    const { token } = await addLink({ password: 'open sesame' });
    const { page, complaints, close } = await stage.open(browser, `/share/${token}/realtime`, {
      isStranger: true,
    });
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('.realtime-now strong', { hasText: /\d/ }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('a link of one period shows it, whatever the address says', async () => {
    const { token } = await addLink({ range: { period: '7d' } });
    const { page, complaints, close } = await stage.open(browser, `/share/${token}?period=all&compare=year`, {
      isStranger: true,
      colorScheme: 'dark',
    });
    await settled(page);
    expect(await page.locator('.problem').count()).toBe(0);
    expect(complaints).toEqual([]);
    if (look) await page.screenshot({ path: `${look}/fixed-dark.png` });
    await close();
  });

  test('the settings list links with their use, and revoke them', async () => {
    const { token } = await addLink({ name: 'Old client' });
    await fetch(`${stage.url}/api/v1/websites/shared/profile`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const { page, complaints, close } = await stage.open(browser, `${stage.dashboard}/settings`);
    const row = page.locator('#share-links li', { hasText: 'Old client' });
    await row.getByText('opened 1 time').waitFor();
    if (look) await page.locator('#share-links').screenshot({ path: `${look}/settings.png` });
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Websites that may embed it').fill('https://*');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Must be origins such as').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('all websites are one dashboard, which says that visitors are added', async () => {
    await stage.addWebsite('Second', 'https://second.example');
    const { page, complaints, close } = await stage.open(browser, '/websites/all?period=28d');
    await settled(page);
    await page.getByText('2 websites, added up').waitFor();
    await page.locator('.panel', { hasText: 'Websites' }).getByText('Demo shop').waitFor();
    if (look) await page.screenshot({ path: `${look}/all.png`, fullPage: true });
    expect(complaints).toEqual([]);
    await close();
  });

  test('is embedded by a named origin alone, with third-party storage blocked and in a strict page', async () => {
    const host = Bun.serve({
      port: 0,
      fetch: (request) => {
        if (new URL(request.url).pathname === '/host.js')
          return new Response(
            `addEventListener('message', ({ origin, data }) => {
              if (origin !== ${JSON.stringify(new URL(stage.url).origin)} || data.type !== 'pagemeter:height') return;
              document.querySelector('iframe').style.height = data.height + 'px';
              document.title = String(data.height);
            });`,
            { headers: { 'Content-Type': 'text/javascript' } },
          );
        const token = new URL(request.url).searchParams.get('token');
        return new Response(
          `<!doctype html><script src="/host.js"></script><iframe width="900" height="300" src="${stage.url}/share/${token}?theme=dark&width=600"></iframe>`,
          {
            headers: {
              'Content-Type': 'text/html',
              'Content-Security-Policy': `default-src 'none'; script-src 'self'; frame-src ${new URL(stage.url).origin}`,
            },
          },
        );
      },
    });
    // Another site than the service's, for which an address with another port is not enough.
    const origin = `http://localhost:${host.port}`;
    expect(new URL(stage.url).hostname).not.toBe('localhost');
    const profile = join(tmpdir(), `pagemeter-blocked-${crypto.randomUUID()}`);
    mkdirSync(join(profile, 'Default'), { recursive: true });
    const blocked = { profile: { block_third_party_cookies: true, cookie_controls_mode: 1 } };
    writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(blocked));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: browserPath ?? '',
      args: CHROMIUM_ARGUMENTS,
      viewport: { width: 1000, height: 800 },
    });
    try {
      const { token } = await addLink({ origins: [origin] });
      const page = await context.newPage();
      await page.goto(`${origin}/?token=${token}`);
      const frame = page.frameLocator('iframe');
      await frame.locator('.metric-value', { hasText: /\d/ }).first().waitFor();
      const inside = page.frames()[1];
      const state = await inside?.evaluate(() => {
        const isBlocked = (() => {
          try {
            return localStorage === undefined;
          } catch {
            return true;
          }
        })();
        const { maxWidth } = document.documentElement.style;
        return { isBlocked, maxWidth, theme: document.documentElement.dataset.theme };
      });
      expect(state).toEqual({ isBlocked: true, maxWidth: '600px', theme: 'dark' });
      await page.waitForFunction(() => Number(document.title) > 500);
      if (look) await page.screenshot({ path: `${look}/embedded.png`, fullPage: true });

      const { token: closed } = await addLink({ origins: ['https://client.example'] });
      await page.goto(`${origin}/?token=${closed}`);
      await Bun.sleep(500);
      expect(await page.frameLocator('iframe').locator('.metric-value').count()).toBe(0);
    } finally {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
      await host.stop(true);
    }
  });
});
