import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { DEMO_GOALS } from '../../../src/demo/website.ts';
import { faultsInEveryLook, faultsOf } from '../../support/axe.ts';
import { findChromium, launchChromium } from '../../support/browser.ts';
import { createStage, type Stage, settled } from './stage.ts';

/** Every page of a website, with its dialogs and menus open, as axe-core sees it: WCAG 2.2 AA and good practice. */

setDefaultTimeout(180_000);

const chromium = findChromium();

describe.if(chromium !== undefined)('the pages of a website', () => {
  let stage: Stage;
  let browser: Browser;
  let emptyId: string;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([
      createStage({ events: 3_000, days: 20 }),
      launchChromium(chromium ?? ''),
    ]);
    ({ id: emptyId } = await stage.addWebsite(
      'A name that is longer than any header',
      'https://none.example',
    ));
    await stage.call('PATCH', `/websites/${stage.website.id}/settings`, { isPublic: true });
    for (const goal of DEMO_GOALS) await stage.call('POST', `/websites/${stage.website.id}/goals`, goal);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  /** What there is to look at: an address, and what is done there before. */
  const states = (): [name: string, path: string, before?: (page: Page) => Promise<unknown>][] => {
    const { dashboard, public: shared } = stage;
    const press = (key: string) => async (page: Page) => {
      await settled(page);
      await page.keyboard.press(key);
      await page.locator('dialog[open]').waitFor();
    };
    const menu = (name: string | RegExp) => async (page: Page) => {
      await settled(page);
      await page.getByRole('button', { name }).first().click();
      await page.locator('.menu-list :is(a, button)').first().waitFor();
    };
    const list = (page: Page) => page.locator('.people-main').first().waitFor();
    const says = (text: string | RegExp) => (page: Page) => page.getByText(text).waitFor();
    return [
      [
        'figures',
        `${dashboard}?compare=previous`,
        async (page) => {
          await settled(page);
          await page.locator('.map-country').first().waitFor({ state: 'attached' });
        },
      ],
      [
        'other tabs and filters',
        `${dashboard}?chart=bar&f=is,country,US|DE&f=contains,page,/&tab.sources=utmCampaign&tab.locations=country&tab.events=property%3A`,
        settled,
      ],
      ['the table', `${dashboard}?chart=table&compare=previous&tab.events=clicks`, settled],
      ['nothing that matches', `${dashboard}?f=is,page,/nowhere`, settled],
      [
        'before the first event',
        `/websites/${emptyId}`,
        async (page) => {
          await settled(page);
          await says(/^No events from/)(page);
        },
      ],
      [
        'a point of the chart',
        dashboard,
        async (page) => {
          await settled(page);
          await page.getByRole('slider').focus();
          await page.keyboard.press('ArrowLeft');
          await page.locator('.chart-tooltip').waitFor();
        },
      ],
      [
        'details',
        `${dashboard}?details=pages&compare=previous`,
        async (page) => {
          await page.locator('dialog[open] tbody tr').first().waitFor();
        },
      ],
      [
        'filter dialog',
        `${dashboard}?f=is,country,US|DE`,
        async (page) => {
          await settled(page);
          await page.locator('.chip-text').first().click();
          await page.locator('dialog[open] .chip').first().waitFor();
        },
      ],
      [
        'dates',
        dashboard,
        async (page) => {
          await press('c')(page);
          await page.locator('.calendar-day:not(:disabled)').first().click(); // half a range
        },
      ],
      ['help dialog', dashboard, press('?')],
      [
        'period menu of a list',
        `${dashboard}/sessions`,
        async (page) => {
          await page.locator('.people-main').first().waitFor();
          await page.getByRole('button', { name: 'Last 28 days' }).click();
          await page.locator('.menu-list button').first().waitFor();
        },
      ],
      [
        'columns of the details',
        `${dashboard}?details=pages`,
        async (page) => {
          await page.locator('dialog[open] tfoot td').first().waitFor();
          await page.getByRole('button', { name: 'Columns' }).click();
          await page.locator('.menu-list input').first().waitFor();
        },
      ],
      [
        'menu of a row',
        dashboard,
        async (page) => {
          await settled(page);
          await page.locator('.bar-row a').first().focus();
          await page.keyboard.press('ArrowRight');
          await page.locator('.menu-list button').first().waitFor();
        },
      ],
      [
        'menu of websites',
        dashboard,
        async (page) => {
          await menu('Demo shop')(page);
          await page.locator('.menu-list [aria-current]').waitFor();
        },
      ],
      ['account menu', dashboard, menu('Account menu')],
      [
        'realtime',
        `${dashboard}/realtime`,
        (page) => page.locator('.realtime-now strong', { hasText: /\d/ }).waitFor(),
      ],
      [
        'goals',
        `${dashboard}/goals`,
        (page) => page.locator('.goals-card tbody td', { hasText: '%' }).first().waitFor(),
      ],
      [
        'changing a goal',
        `${dashboard}/goals`,
        async (page) => {
          await page.getByRole('button', { name: 'Change Paid signup' }).click();
          await page.locator('dialog[open]').waitFor();
        },
      ],
      [
        'a funnel',
        `${dashboard}/goals/funnels?step=any,&step=goal,Signup&step=page,/pricing`,
        async (page) => {
          await page.locator('.funnel li').first().waitFor();
          await page.locator('.funnel-table summary').click();
        },
      ],
      [
        'retention',
        `${dashboard}/goals/retention`,
        (page) => page.locator('.retention-cell').first().waitFor(),
      ],
      ['no goals', `/websites/${emptyId}/goals`, says('No goals yet.')],
      ['sessions', `${dashboard}/sessions`, list],
      [
        'a session',
        `${dashboard}/sessions`,
        async (page) => {
          await list(page);
          await page.locator('.people-main').first().click();
          await page.locator('.path li').first().waitFor();
        },
      ],
      ['visitors', `${dashboard}/visitors`, list],
      [
        'erasing a visitor',
        `${dashboard}/visitors`,
        async (page) => {
          await list(page);
          await page.locator('.people-main').first().click();
          await page.getByRole('button', { name: 'Erase…' }).click();
          await page.locator('dialog[open]').waitFor();
        },
      ],
      ['no session', `${dashboard}/sessions?f=is,page,/nowhere`, says('No sessions found.')],
      ['the public figures', shared, settled],
      ['no website', '/websites/none', says('Website not found')],
    ];
  };

  test('nothing to complain of, and nothing wider than the window, in any look', async () => {
    const { page, complaints, close } = await stage.open(browser, '/');
    const opened = () => page.locator('dialog[open], .menu-list, .chart-tooltip').count();
    for (const [name, path, before] of states()) {
      await page.goto(path);
      await before?.(page);
      const openedBefore = await opened();
      expect([name, ...(await faultsInEveryLook(page))]).toEqual([name]);
      expect([name, await opened()]).toEqual([name, openedBefore]); // nothing was closed by another size
    }
    expect(complaints).toEqual([]);
    await close();
  });

  test('there is nothing to complain of while its name is still on its way', async () => {
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
