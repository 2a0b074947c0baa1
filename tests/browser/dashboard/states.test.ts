import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Route } from 'playwright-core';
import {
  BROWSER_TEST_TIMEOUT_MS,
  findAnyBrowser,
  launchAnyBrowser,
  testInChromium,
} from '../../support/browser.ts';
import { createStage, EMAIL, figure, PASSWORD, type Stage, settled } from './stage.ts';

/** Strangers, people, and what happens while a page is open: events arrive, logins end, the server is away. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const browserPath = findAnyBrowser();

describe.if(browserPath !== undefined)('the pages of a website', () => {
  let stage: Stage;
  let browser: Browser;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([
      createStage({ events: 3_000, days: 20 }),
      launchAnyBrowser(browserPath ?? ''),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const pageview = (visitorId: string, path: string, { trackingCode } = stage.website) => ({
    trackingCode,
    eventType: 'pageview',
    url: `https://demo.example${path}`,
    sessionId: `${visitorId}-session`,
    visitorId,
  });

  test('a website that is younger than a day opens on today, and may show other periods', async () => {
    const website = await stage.addWebsite('Young', 'https://young.example');
    await stage.call('POST', '/events', pageview('first', '/', website));
    const { page, complaints, close } = await stage.open(browser, `/websites/${website.id}`);
    await page.waitForURL(/\?period=today$/);
    await page.getByRole('button', { name: /^Period: Today/ }).click();
    await page.getByRole('button', { name: 'Last 28 days' }).click();
    await page.getByRole('button', { name: /^Period: Last 28 days/ }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.goto(`/websites/${website.id}?period=7d`);
    await page.getByRole('button', { name: /^Period: Last 7 days/ }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('realtime shows an event that is sent while it is open', async () => {
    // A website without visits: visitors of the others may leave during the test.
    const website = await stage.addWebsite('Quiet', 'https://quiet.example');
    const { page, complaints, close } = await stage.open(browser, `/websites/${website.id}/realtime`);
    const now = page.locator('.realtime-now strong');
    await now.filter({ hasText: /^0$/ }).waitFor();
    await stage.call('POST', '/events', pageview('new-visitor', '/live', website));
    await now.filter({ hasText: /^1$/ }).waitFor();
    await page.locator('.bar-row', { hasText: '/live' }).waitFor();
    await page.waitForFunction(() => document.title === '1 now · Pagemeter');
    // What happened last, with a name where there is one; a row filters all of it, a card leads to its visitor.
    await page.locator('.feed-steps li', { hasText: 'Viewed /live' }).waitFor();
    await stage.call('POST', '/events', {
      ...pageview('another', '/other', website),
      eventType: 'custom',
      properties: { name: 'signup' },
    });
    await page.locator('.feed-steps li', { hasText: 'Event signup' }).waitFor();
    await page.locator('.bar-row', { hasText: '/live' }).getByRole('link').click();
    await now.filter({ hasText: /^1$/ }).waitFor();
    await page.locator('.feed-steps li', { hasText: 'signup' }).waitFor({ state: 'detached' });
    await page.locator('.feed-list > li', { hasText: 'Viewed /live' }).getByRole('link').click();
    await page.locator('.path li', { hasText: '/live' }).waitFor();
    await page.goto(`/websites/${website.id}/realtime?f=is,page,/nowhere`);
    await page.locator('.feed', { hasText: 'None of the latest visits matches the filters.' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('websites are summed, sorted and searched', async () => {
    const names = ['Alpha', 'Beta 10', 'Beta 9', 'Gamma', 'Delta'];
    for (const name of names)
      await stage.addWebsite(name, `https://${name.toLowerCase().replace(' ', '-')}.example`);
    const { page, complaints, close } = await stage.open(browser, '/');
    const shown = () => page.locator('.website-card h2').allTextContents();
    await page.locator('.websites-total', { hasText: /^\d+ websites · [\d,.k]+ visits/ }).waitFor();
    expect((await shown())[0]).toBe('Demo shop');
    await page.getByRole('button', { name: /^Sort by/ }).click();
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page.getByRole('button', { name: 'Sort by: Name' }).waitFor();
    expect(new URL(page.url()).search).toBe('?sort=name');
    const sorted = await shown();
    expect(sorted.slice(0, 3)).toEqual(['Alpha', 'Beta 9', 'Beta 10']);
    await page.getByRole('searchbox').fill('beta');
    await page.locator('.website-card', { hasText: 'Alpha' }).waitFor({ state: 'detached' });
    expect(await shown()).toEqual(['Beta 9', 'Beta 10']);
    await page.getByRole('searchbox').fill('nothing of the kind');
    await page.getByText('No website matches').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  testInChromium(
    'from a visit to its visitor: what they did, all of it as a file, and erased for good',
    async () => {
      await stage.call('POST', '/events', pageview('erase-me', '/secret-path'));
      const { page, complaints, close } = await stage.open(
        browser,
        `${stage.dashboard}/visits?f=is,page,/secret-path`,
      );
      await page.locator('.people-main').click();
      await page.locator('.path li', { hasText: '/secret-path' }).waitFor();
      await page.getByRole('heading', { name: 'Visitor erase-me' }).waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('visitor-erase-me.json');
      expect(await Bun.file(await download.path()).text()).toContain('/secret-path');
      await page.getByRole('button', { name: 'Erase…' }).click();
      await page.getByRole('button', { name: 'Erase permanently' }).click();
      await page.getByRole('heading', { name: 'Visits' }).waitFor();
      await page.getByText('No visits found.').waitFor();
      await page.goto(`${stage.dashboard}/sessions?f=is,page,/secret-path`);
      await page.getByText('No visits found.').waitFor();
      expect(complaints).toEqual([]);
      await close();
    },
  );

  testInChromium('lists of people are paged through by the address, and taken away as files', async () => {
    const { page, close } = await stage.open(browser, `${stage.dashboard}/visitors`);
    const first = () => page.locator('.people-main').first().textContent();
    await page.locator('.people-main').first().waitFor();
    const top = await first();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.locator('.pager', { hasText: '51–100' }).waitFor();
    const second = await first();
    expect(second).not.toBe(top);
    await page.reload();
    await page.locator('.people-main').first().waitFor();
    expect(await first()).toBe(second);
    await page.goBack();
    await page.locator('.pager', { hasText: '1–50' }).waitFor();
    expect(await first()).toBe(top);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const bytes = await Bun.file(await download.path()).bytes();
    expect([...bytes.slice(0, 3)], 'Excel reads UTF-8 after a byte order mark').toEqual([0xef, 0xbb, 0xbf]);
    const lines = new TextDecoder().decode(bytes).trim().split('\n');
    expect(lines.length).toBeGreaterThan(100);
    await close();
  });

  describe('a public website', () => {
    beforeAll(async () => {
      await stage.call('PATCH', `/websites/${stage.website.id}/settings`, { isPublic: true });
    });
    afterAll(async () => {
      await stage.call('PATCH', `/websites/${stage.website.id}/settings`, { isPublic: false });
    });

    test.each([
      ['a stranger', true],
      ['its owner', false],
    ])('shows figures to %s, nothing of a visitor, and asks without the login', async (_, isStranger) => {
      const { page, complaints, close } = await stage.open(browser, 'about:blank', { isStranger });
      const withLogin: string[] = [];
      const asked: string[] = [];
      page.on('request', (request) => {
        if (!request.url().includes('/api/')) return;
        asked.push(request.url());
        if (request.headers().authorization) withLogin.push(request.url());
      });
      await page.goto(stage.url.replace(/\/$/, '') + stage.public);
      await settled(page);
      expect(Number((await figure(page, 'Visitors'))?.replace(/\D/g, ''))).toBeGreaterThan(100);
      expect(await page.locator('.sections a').allTextContents()).toEqual(['Dashboard', 'Realtime']);
      const links = await page
        .locator('a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
      expect(links.filter((href) => /sessions|visitors|settings/.test(href))).toEqual([]);
      await page.getByRole('link', { name: 'Realtime' }).click();
      await page.locator('.realtime-now strong', { hasText: /\d/ }).waitFor();
      expect(asked.length).toBeGreaterThan(3);
      expect({ withLogin, complaints }).toEqual({ withLogin: [], complaints: [] });
      await close();
    });
  });

  test.each([
    ['a website that is not public', () => stage.public, true, 'These reports are not public'],
    ['a website that is not there', () => '/websites/none', false, 'Website not found'],
  ])('%s says so once', async (_, path, isStranger, heading) => {
    const { page, close } = await stage.open(browser, path(), { isStranger });
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await page.locator('.problem').count()).toBe(0);
    await close();
  });

  test('a login that has ended is asked for in place, and the page continues where it was', async () => {
    const address = `${stage.dashboard}?period=7d&f=is,browser,Chrome`;
    const { page, close } = await stage.open(browser, address);
    await settled(page);
    const before = await figure(page, 'Visits');
    // It ends while the question is on its way: sooner, what the page asks by itself might notice it before the key.
    const endFirst = async (route: Route) => {
      const { authorization = '' } = route.request().headers();
      await fetch(`${stage.url}/api/v1/auth/logout`, {
        method: 'POST',
        headers: { Authorization: authorization },
      });
      await route.continue();
    };
    await page.route(/compare=year/, endFirst, { times: 1 });
    await page.getByRole('button', { name: /^Period/ }).click();
    await page.getByRole('button', { name: 'Same period last year' }).click(); // asks something
    await page.getByLabel('Password').waitFor();
    expect(new URL(page.url()).search).toBe('?period=7d&compare=year&f=is,browser,Chrome');
    await page.getByLabel(/E-?mail/).fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await settled(page);
    expect(await figure(page, 'Visits')).toBe(before);
    expect(await page.locator('.metric .change').count()).toBe(0); // nothing a year ago
    await close();
  });

  test('while the server is away the page says what to do, and recovers by itself when it is back', async () => {
    const { page, close } = await stage.open(browser, stage.dashboard);
    await settled(page);
    const before = await figure(page, 'Visitors');
    // What is asked every ten seconds would find out that the server is back before the button is pressed.
    await page.route(/\/stats\/realtime/, (route) => route.abort());
    await stage.stopService();
    await page.keyboard.press('w');
    const problem = page.locator('.problem').first();
    await problem.waitFor();
    expect(await problem.textContent()).toContain(
      'The server does not answer. Is it running, and are you online?',
    );
    await problem.getByRole('button', { name: 'Try again' }).click();
    await problem.waitFor();
    await stage.startService();
    await problem.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.problem').first().waitFor({ state: 'detached' });
    await settled(page);
    expect(await page.locator('.problem').count()).toBe(0);
    await page.keyboard.press('f');
    await settled(page);
    expect(await figure(page, 'Visitors')).toBe(before);
    await close();
  });

  test('a page that is first opened while the server is away cannot be there; one that was loaded says so', async () => {
    const { page, close } = await stage.open(browser, stage.dashboard);
    await settled(page);
    await stage.stopService();
    await page.getByRole('link', { name: 'Visits', exact: true }).click();
    await page.locator('.problem', { hasText: 'This page could not be loaded.' }).waitFor();
    await stage.startService();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.people-main').first().waitFor();
    await close();
  });
});
