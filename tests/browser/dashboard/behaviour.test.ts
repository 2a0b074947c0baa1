import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { DEMO_GOALS } from '../../../src/demo/website.ts';
import { BROWSER_TEST_TIMEOUT_MS, findAnyBrowser } from '../../support/browser.ts';
import { figure, openStage, type Stage, settled } from './stage.ts';

/** How the pages treat those who use them: focus, what is typed, addresses that cannot be, a network that is away. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const browserPath = findAnyBrowser();

describe.if(browserPath !== undefined)('the dashboard', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage({ events: 3_000, days: 40 }));
    await stage.call('POST', `/websites/${stage.website.id}/goals`, DEMO_GOALS[0]); // Signup
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  async function show(search = ''): Promise<void> {
    await page.goto(stage.dashboard + search);
    await settled(page);
  }
  const search = () => decodeURIComponent(new URL(page.url()).search);
  /** Accessible name of the focused element. */
  const focused = () =>
    page.evaluate<string>(
      `(({ activeElement: a }) => a.getAttribute('aria-label') || (a.labels ? a.labels[0]?.textContent : '') || a.textContent.trim() || a.tagName)(document)`,
    );
  async function closeDialog(): Promise<void> {
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }

  describe('the focus', () => {
    test('goes back to where it was when a dialog closes, and into the first field when one opens', async () => {
      await show('?f=is,browser,Chrome&f=is,deviceType,desktop');
      for (const [name, first] of [
        [/^Details of Pages/, 'Search Pages: Top pages'],
        [/^Keyboard and mouse/, /shortcuts/],
        [/^Filter/, ''],
      ] as const) {
        await page.getByRole('button', { name }).focus();
        const before = await focused();
        await page.keyboard.press('Enter');
        await page.locator('dialog[open]').waitFor();
        if (first) expect(await focused()).toMatch(first);
        await closeDialog();
        expect(await focused()).toBe(before);
      }
      await page.getByRole('button', { name: /^Period/ }).focus();
      const period = await focused();
      await page.keyboard.press('Enter');
      await page.locator('dialog[open]').waitFor();
      await closeDialog();
      expect(await focused()).toBe(period);
    });

    test('is back in the same moment in which the dialog goes, for those who type on', async () => {
      await show();
      await page.getByRole('button', { name: 'Keyboard and mouse' }).press('Enter');
      await page.locator('dialog[open]').waitFor();
      await page.evaluate(`new MutationObserver(() => {
        if (!document.querySelector('dialog')) window.focusedThen ??= document.activeElement.textContent;
      }).observe(document, { childList: true, subtree: true })`);
      await closeDialog();
      expect(await page.evaluate<string>('window.focusedThen')).toBe('Keyboard and mouse');
    });

    test('goes to the next chip when one is removed, and to the way to add one after the last', async () => {
      await show('?f=is,browser,Chrome&f=is,deviceType,desktop');
      await page.getByRole('button', { name: 'Remove the filter on Browser' }).press('Enter');
      await settled(page);
      expect(await focused()).toBe('Remove the filter on Device');
      await page.keyboard.press('Enter');
      await settled(page);
      expect(search()).toBe('');
      expect(await focused()).toBe('Filter');
    });
  });

  test('back after closing the details does not open them again', async () => {
    await show();
    await page.keyboard.press('w');
    await settled(page);
    await page.getByRole('button', { name: 'Details of Pages' }).click();
    await page.locator('dialog[open]').waitFor();
    await closeDialog();
    expect(search()).toBe('?period=7d');
    await page.goBack();
    await settled(page);
    expect(search()).toBe('');
    expect(await page.locator('dialog').count()).toBe(0);
  });

  test('settings: saving one form keeps what is typed in the others, says so, and asks before that is left', async () => {
    await page.goto(`${stage.dashboard}/settings`);
    const name = page.getByLabel('Name', { exact: true });
    const days = page.getByLabel('Days to keep events');
    await name.fill('A new name');
    await days.fill('400');
    const form = page.locator('form', { has: days });
    await form.getByRole('button', { name: 'Save' }).press('Enter');
    await form.getByText('Saved', { exact: true }).waitFor();
    expect(await name.inputValue()).toBe('A new name');
    expect(await focused()).toBe('Save');
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void (questions.length > 1 ? dialog.accept() : dialog.dismiss());
    });
    const away = page.getByRole('link', { name: 'Dashboard' });
    await away.click();
    expect(await name.inputValue()).toBe('A new name');
    await away.click();
    await settled(page);
    expect(questions).toEqual(Array(2).fill('Leave without saving your changes?'));
    page.removeAllListeners('dialog');
    await page.goto(`${stage.dashboard}/settings`);
    expect(await days.inputValue()).toBe('400');
  });

  test.each([
    ['?from=2026-13-45', /Start date “2026-13-45” is not a date/, 'Show the last 28 days'],
    [
      '?from=2026-11-20&to=2026-11-01',
      /End date “2026-11-01” is not after the start date/,
      'Show the last 28 days',
    ],
    ['?f=is,nonsense,1', /Filters: Unknown dimension "nonsense"(?!\.)/, 'Clear filters'],
    ['?f=is,page', /Filters: Unknown dimension "is,page"/, 'Clear filters'],
    ['?period=never', /Period “never”/, 'Show the last 28 days'],
    ['?interval=second', /Interval “second”/, 'Choose an interval automatically'],
    ['?interval=minute&period=90d', /Interval “minute”/, 'Choose an interval automatically'],
  ])('the dashboard at %s says what is wrong with it, and leads out', async (address, what, way) => {
    await page.goto(stage.dashboard + address);
    const problem = page.locator('.problem');
    await problem.filter({ hasText: what }).waitFor();
    expect(await problem.count()).toBe(1);
    await problem.getByRole('button', { name: way }).click();
    await settled(page);
    expect(await page.locator('.problem').count()).toBe(0);
    expect(Number((await figure(page, 'Visitors'))?.replace(/\D/g, ''))).toBeGreaterThan(0);
  });

  test.each([
    ['/sessions', '.people-main'],
    ['/visitors', '.people-main'],
    ['/realtime', '.realtime-now strong:text-matches("[0-9]")'],
    ['/goals', '.goals-card td:text-matches("%")'],
    ['/goals/retention', '.retention-cell'],
    ['/goals/attribution?tab.goal=Signup', '.goals-card td'],
    ['/goals/funnels?step=any,&step=page,/pricing', '.funnel-bar'],
    ['/journeys', '.journey-node'],
  ])('so does %s, whose address is a list of filters that cannot be', async (path, answer) => {
    await page.goto(`${stage.dashboard}${path}${path.includes('?') ? '&' : '?'}f=is,nonsense,1`);
    const problem = page.locator('.problem');
    await problem.filter({ hasText: /Filters: Unknown dimension "nonsense"/ }).waitFor();
    expect(await problem.getByRole('button').allTextContents()).toEqual(['Clear filters']);
    await problem.getByRole('button').click();
    await page.locator(answer).first().waitFor();
    expect(await problem.count()).toBe(0);
  });

  test('what a row of retention is of stays in view', async () => {
    const narrow = await stage.open(browser, `${stage.dashboard}/goals/retention`, {
      viewport: { width: 360, height: 740 },
    });
    await narrow.page.locator('.retention-cell').first().waitFor();
    const left = () =>
      narrow.page
        .locator('.retention tbody th')
        .first()
        .evaluate((it) => it.getBoundingClientRect().left);
    const before = await left();
    await narrow.page.locator('.table-scroll').evaluate((it) => it.scrollBy(200, 0));
    expect(await narrow.page.locator('.table-scroll').evaluate((it) => it.scrollLeft)).toBeGreaterThan(50);
    expect(await left()).toBe(before);
    await narrow.close();
  });

  test('what does not exist is not to be tried again', async () => {
    await page.goto(`${stage.dashboard}/sessions/none`);
    await page.getByText('Session not found').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  test('events that are all left out are not called missing', async () => {
    const website = await stage.addWebsite('Bots only', 'https://bots.example');
    await fetch(`${stage.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'Googlebot/2.1' },
      body: JSON.stringify({
        trackingCode: website.trackingCode,
        eventType: 'pageview',
        url: 'https://bots.example/',
        sessionId: 's',
        visitorId: 'v',
      }),
    });
    await page.goto(`/websites/${website.id}`);
    await page.getByText('Events arrived, but all of them are left out: 1 from bots').waitFor();
    expect(await page.getByText(/^No events from/).count()).toBe(0);
  });

  test('names and numbers are in the language of the page, dates in the order of the region', async () => {
    const german = await stage.open(browser, `${stage.dashboard}?f=is,country,DE|US&period=7d`, {
      locale: 'de-DE',
    });
    await settled(german.page);
    expect(await german.page.locator('.chip-text').textContent()).toBe('Country is Germany or United States');
    await german.page.goto(`${stage.dashboard}?from=2026-10-01&to=2026-11-05&metric=viewsPerVisit`);
    await settled(german.page);
    expect(await german.page.locator('.period-label').textContent()).toBe('1 Oct – 5 Nov 2026');
    expect(await figure(german.page, 'Views per visit')).toMatch(/^\d\.\d$/);
    await german.page.keyboard.press('c');
    await german.page.getByRole('button', { name: /^Thursday,? 5 November 2026$/ }).waitFor();
    await german.close();
  });

  test('offline, old figures are dimmed, and a page that cannot be loaded keeps its frame and comes back', async () => {
    const other = await stage.open(browser, stage.dashboard);
    await settled(other.page);
    await other.page.locator('.map-country').first().waitFor({ state: 'attached' });
    await other.context.setOffline(true);
    await other.page.keyboard.press('n');
    await other.page.locator('.problem').waitFor();
    await other.page.waitForFunction(
      () => Number(getComputedStyle(document.querySelector('.overview') as Element).opacity) < 0.7,
    );
    expect(await other.page.locator('.map-country').count()).toBeGreaterThan(0);
    await other.page.getByRole('link', { name: 'Visits', exact: true }).click();
    await other.page.locator('.problem', { hasText: 'could not be loaded' }).waitFor();
    expect(await other.page.getByRole('navigation', { name: 'Website' }).count()).toBe(1);
    await other.context.setOffline(false);
    await other.page.locator('.people-main').first().waitFor();
    await other.close();
  });

  test('after a log-out nothing of what was said is left', async () => {
    const other = await stage.open(browser, stage.dashboard);
    await settled(other.page);
    await other.page.locator('[aria-live]', { hasText: 'visitors' }).waitFor({ state: 'attached' });
    await other.page.getByRole('button', { name: 'Account menu' }).click();
    await other.page.getByRole('button', { name: 'Log out' }).click();
    await other.page.getByLabel('Password').waitFor();
    expect(await other.page.locator('[aria-live]').textContent()).toBe('');
    await other.close();
  });

  test('no page complained', () => {
    expect(complaints.filter((text) => !text.includes('INTERNET_DISCONNECTED'))).toEqual([]);
  });
});
