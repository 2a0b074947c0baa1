import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { BROWSER_TEST_TIMEOUT_MS, findAnyBrowser, testInChromium } from '../../support/browser.ts';
import { figure, openStage, type Stage, settled } from './stage.ts';

/** Typing into fields, and the requests it causes. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const browserPath = findAnyBrowser();
/** Between two letters. */
const TYPING_MS = 100;
/** Longer than a pause at which typing has ended. */
const PAUSE_MS = 300;

describe.if(browserPath !== undefined)('what is typed', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage());
    await stage.sendAll(
      ['/日本語/料金', '/مقالات'].map((path, index) => ({
        trackingCode: stage.website.trackingCode,
        eventType: 'pageview',
        url: new URL(`https://demo.example${path}`).href,
        referrer: 'https://bücher.example/',
        visitorId: `reader-${index}`,
        sessionId: `reader-${index}`,
      })),
    );
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  async function show(search = '', on = page): Promise<void> {
    await on.goto(stage.dashboard + search);
    await settled(on);
  }
  const search = () => decodeURIComponent(new URL(page.url()).search);
  const count = async (card: string) => Number((await figure(page, card))?.replace(/\D/g, ''));

  test('Enter takes the first hit of all dimensions, by the names that people read', async () => {
    for (const [typed, expected] of [
      ['/pri', '?f=is,page,/pricing'],
      ['german', '?f=is,country,DE'],
      ['firefox', '?f=is,browser,Firefox'],
      ['料金', '?f=is,page,/日本語/料金'],
    ] as const) {
      await show();
      await page.keyboard.press('/');
      await page.getByRole('combobox').waitFor();
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await settled(page);
      expect(search()).toBe(expected);
      expect(await count('Visitors')).toBeGreaterThan(0);
    }
  });

  test('addresses are read in their own script, and found by it', async () => {
    await show('?f=contains,page,مقالات&tab.sources=referrer');
    expect(await count('Visitors')).toBe(1);
    const row = (title: string) =>
      page.locator('.panel', { has: page.getByRole('heading', { name: title }) }).locator('.bar-name');
    expect(await row('Pages').allTextContents()).toEqual(['/مقالات']);
    expect(await row('Sources').first().textContent()).toBe('bücher.example');
    await page.goto(`${stage.dashboard}/visits?f=is,page,/日本語/料金`);
    expect(await page.locator('.trail-page').first().textContent()).toBe('/日本語/料金');
  });

  test('a dimension leads to its values: several, by another operator, or what contains a text', async () => {
    await show();
    const box = page.locator('.combobox input');
    const option = (name: RegExp) => page.getByRole('option', { name });
    await page.getByRole('button', { name: 'Filter' }).click();
    await option(/^Country/).click();
    const chosen = page.locator('dialog .chip-text');
    await box.fill('germ');
    await page.keyboard.press('Enter');
    await chosen.getByText('Germany').waitFor();
    await box.fill('united s');
    await page.keyboard.press('Enter');
    await chosen.getByText('United States').waitFor();
    await page.getByLabel('Operator').selectOption('is_not');
    expect(await page.getByLabel('Operator').locator('option').allTextContents()).toEqual(['is', 'is not']);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await settled(page);
    expect(search()).toBe('?f=is_not,country,DE|US');
    await show();
    await page.getByRole('button', { name: 'Filter' }).click();
    await box.fill('blo');
    await option(/contains “blo”/).click();
    await settled(page);
    expect(search()).toBe('?f=contains,page,blo');
    await page.getByRole('button', { name: 'Page contains blo' }).click();
    await box.fill('pri');
    await page.keyboard.press('Enter'); // as it is typed: it is a part
    await chosen.getByText('pri').waitFor();
    await page.keyboard.press('Enter');
    await settled(page);
    expect(search()).toBe('?f=contains,page,blo|pri');
  });

  test('goals are found as well, by the public those that it is shown', async () => {
    const path = `/websites/${stage.website.id}`;
    await show();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('option', { name: 'First seen…' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('option', { name: 'Goal…' }).count()).toBe(0); // there are none
    await stage.call('POST', `${path}/goals`, { name: 'Has signed up', type: 'event', match: 'signup' });
    const shown = { name: 'Has seen prices', type: 'page', match: '/pricing', isPublic: true };
    await stage.call('POST', `${path}/goals`, shown);
    await stage.call('PATCH', `${path}/settings`, { isPublic: true });

    await show();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.locator('.combobox input').fill('signed');
    await page.keyboard.press('Enter');
    await page.locator('.chip-text', { hasText: 'Goal is Has signed up' }).waitFor();
    await settled(page);
    expect(search()).toBe('?f=is,goal,Has+signed+up');
    expect(await count('Converters')).toBeGreaterThan(0);

    const stranger = await stage.open(browser, stage.public, { isStranger: true });
    await settled(stranger.page);
    await stranger.page.getByRole('button', { name: 'Filter' }).click();
    await stranger.page.getByRole('option', { name: 'Goal…' }).click();
    const options = stranger.page.locator('.combobox [role=option]');
    await options.first().waitFor();
    expect(await options.locator('.combobox-label').allTextContents()).toEqual(['Has seen prices']);
    await options.first().click();
    await stranger.page.getByRole('button', { name: 'Add filter' }).click();
    await stranger.page.locator('.chip-text', { hasText: 'Goal is Has seen prices' }).waitFor();
    expect(stranger.complaints).toEqual([]);
    await stranger.close();
  });

  describe('asks the service', () => {
    /** A page whose time stands still, with a field ready, and what it asks of the service. */
    async function open(search: string, prepare: (on: Page) => Promise<unknown>) {
      const { page: on, close } = await stage.open(browser, stage.dashboard + search);
      await settled(on);
      await prepare(on);
      await on.clock.install();
      await on.clock.pauseAt(Date.now() + 1_000);
      const asked: string[] = [];
      on.on('request', (request) => {
        const text = new URL(request.url()).searchParams.get('search');
        if (text !== null) asked.push(text);
      });
      return { on, asked, close };
    }
    const isFor = (text: string) => (about: { url: () => string }) =>
      new URL(about.url()).searchParams.get('search') === text;
    /** Letter by letter, faster than a pause, and a pause at the end. */
    async function type({ keyboard, clock }: Page, text: string): Promise<void> {
      for (const letter of text) {
        await keyboard.press(letter);
        await clock.runFor(TYPING_MS);
      }
      await clock.runFor(PAUSE_MS);
    }
    const inDetails = async (on: Page) => {
      await on.locator('dialog tbody tr').first().waitFor();
      await on.getByRole('searchbox').focus();
    };
    const inFilters = async (on: Page) => {
      await on.keyboard.press('/');
      await on.getByRole('combobox').focus();
    };

    const inValues = async (on: Page) => {
      await on.locator('.chip-text').first().click();
      await on.getByRole('combobox', { name: 'Value of Page' }).focus();
    };

    test.each([
      ['the search of details', '?details=pages', inDetails],
      ['the combobox of filters', '', inFilters],
      ['the values of one dimension', '?f=is,page,/', inValues],
    ])('once in %s for eight letters, when typing pauses', async (_, search, prepare) => {
      const { on, asked, close } = await open(search, prepare);
      const answered = on.waitForResponse(isFor('/pricing'));
      await type(on, '/pricing');
      await answered;
      expect(asked).toEqual(['/pricing']);
      await close();
    });

    testInChromium('and lets go of a question whose place a newer one takes', async () => {
      const { on, asked, close } = await open('?details=pages', inDetails);
      await on.route(
        (url) => url.searchParams.get('search') === '/pri',
        () => {},
      ); // is never answered
      const first = on.waitForRequest(isFor('/pri'));
      await type(on, '/pri');
      await first;
      const gone = on.waitForEvent('requestfailed', isFor('/pri'));
      const answered = on.waitForResponse(isFor('/pric'));
      await type(on, 'c');
      await gone;
      await answered;
      expect(asked).toEqual(['/pri', '/pric']);
      await close();
    });
  });

  test('no page complained', () => {
    expect(complaints).toEqual([]);
  });
});
