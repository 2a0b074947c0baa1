import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { faultsInEveryLook, faultsOf } from '../../support/axe.ts';
import { findAnyBrowser, findFirefox, launchAnyBrowser, launchFirefox } from '../../support/browser.ts';
import { createFullStage, type FullStage, pageStates } from './page-states.ts';
import { settled } from './stage.ts';

/** Every page of a website, with its dialogs and menus open, as axe-core sees it: WCAG 2.2 AA and good practice. */

setDefaultTimeout(180_000);

const browserPath = findAnyBrowser();
const firefoxPath = findFirefox();
/** every-look.ts looks at all of them there. */
const SAMPLE = ['figures', 'details', 'dates', 'menu of a row', 'a session', 'settings'];

describe.if(browserPath !== undefined)('the pages of a website', () => {
  let stage: FullStage;
  let browser: Browser;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([createFullStage(), launchAnyBrowser(browserPath ?? '')]);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  test('have no accessibility fault and fit the window, in any look', async () => {
    const { page, complaints, close } = await stage.open(browser, '/');
    const opened = () => page.locator('dialog[open], .menu-list, .chart-tooltip').count();
    for (const [name, path, before] of pageStates(stage)) {
      await page.goto(path);
      await before?.(page);
      const openedBefore = await opened();
      expect([name, ...(await faultsInEveryLook(page))]).toEqual([name]);
      expect([name, await opened()]).toEqual([name, openedBefore]); // nothing was closed by another size
    }
    expect(complaints).toEqual([]);
    await close();
  });

  test.if(firefoxPath !== undefined)(
    'have no accessibility fault in Firefox, in a sample of them',
    async () => {
      const firefox = await launchFirefox(firefoxPath ?? '');
      const { page, complaints, close } = await stage.open(firefox, '/');
      for (const [name, path, before] of pageStates(stage).filter(([name]) => SAMPLE.includes(name))) {
        await page.goto(path);
        await before?.(page);
        expect([name, ...(await faultsInEveryLook(page))]).toEqual([name]);
      }
      expect(complaints).toEqual([]);
      await close();
      await firefox.close();
    },
  );

  test('have no accessibility fault while the name of the website is loading', async () => {
    const { page, close } = await stage.open(browser, '/');
    await page.route(/\/profile/, () => {}); // never comes
    await page.goto(stage.dashboard);
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    await close();
  });

  test('with less motion asked for nothing moves', async () => {
    const { page, close } = await stage.open(browser, `${stage.dashboard}/realtime`, {
      reducedMotion: 'reduce',
    });
    await page.locator('.realtime-now strong', { hasText: /\d/ }).waitFor();
    const moving = await page.evaluate<string[]>(
      'document.getAnimations().map(({ effect }) => effect.target.className)',
    );
    expect(moving).toEqual([]);
    await close();
  });

  test('with colours of the system the chosen card, tab and section can still be told from the others', async () => {
    const { page, close } = await stage.open(browser, stage.dashboard, { forcedColors: 'active' });
    await settled(page);
    const colours = await page.evaluate<string[][]>(`[
      ['.metric[aria-pressed=true]', '.metric[aria-pressed=false]', 'borderTopColor'],
      ['[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]', 'borderBottomColor'],
      ['.sections a[aria-current]', '.sections a:not([aria-current])', 'borderBottomColor'],
    ].map(([one, other, property]) => [one, other].map((name) => getComputedStyle(document.querySelector(name))[property]))`);
    for (const [chosen, other] of colours) expect(chosen).not.toBe(other);
    await close();
  });
});
