import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import type { Totals } from '../../../src/contract/metrics/stats.ts';
import { formatMoney } from '../../../src/dashboard/state/format.ts';
import { BROWSER_TEST_TIMEOUT_MS, findAnyBrowser, testInChromium } from '../../support/browser.ts';
import { figure, idle, openStage, type Stage, settled } from './stage.ts';

/** The figures of a website, looked into by mouse and by keyboard. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const browserPath = findAnyBrowser();

describe.if(browserPath !== undefined)('the page of a website', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage());
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  async function show(search = ''): Promise<void> {
    await page.goto(stage.dashboard + search);
    await settled(page);
  }
  const panel = (title: string) =>
    page.locator('.panel', { has: page.getByRole('heading', { name: title }) });
  const row = (title: string, index: number) =>
    panel(title).locator('.bar-row').nth(index).locator('a').first();
  const search = () => decodeURIComponent(new URL(page.url()).search);
  const visitors = () => figure(page, 'Visitors');
  /** While one is open, no key means anything else. */
  async function closeDialog(): Promise<void> {
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  const chips = () => page.locator('.chip').allTextContents();

  test('a click on a row filters; the address shows the same figures to any viewer', async () => {
    await show();
    const all = await visitors();
    const name = await row('Devices', 0).textContent();
    await row('Devices', 0).click();
    await settled(page);
    expect(search()).toBe(`?f=is,browser,${name}`);
    const some = await visitors();
    expect(some).not.toBe(all);
    const other = await stage.open(browser, page.url());
    await settled(other.page);
    expect(await figure(other.page, 'Visitors')).toBe(some);
    expect(await other.page.locator('.chip').allTextContents()).toEqual(await chips());
    await other.close();

    await page.goBack();
    await settled(page);
    expect([search(), await visitors()]).toEqual(['', all]);
    await page.goForward();
    await settled(page);
    expect([await chips(), await visitors()]).toEqual([[`Browser is ${name}`], some]);
    await page.reload();
    await settled(page);
    expect(await visitors()).toBe(some);
  });

  test('with Alt a click excludes, with Shift it adds', async () => {
    await show('?tab.locations=country');
    const [first, second] = await panel('Locations').locator('.bar-row a').allTextContents();
    await row('Locations', 0).click({ modifiers: ['Alt'] });
    await settled(page);
    expect(await chips()).toEqual([`Country is not ${first}`]);
    expect(await row('Locations', 0).textContent()).toBe(second ?? '');
    await show('?tab.locations=country');
    await row('Locations', 0).click();
    await settled(page);
    // Of one country's visitors no other is in the list: the second one is chosen where all are.
    await show(`?tab.locations=country`);
    await row('Locations', 0).click({ modifiers: ['Shift'] });
    await settled(page);
    expect(await chips()).toEqual([`Country is ${first}`]);
  });

  testInChromium(
    'a row has a menu: by the mouse on it, by the arrow on its link; the keys go back to where they were',
    async () => {
      await show();
      const first = row('Devices', 0);
      const name = (await first.textContent()) ?? '';
      await first.focus();
      await page.keyboard.press('ArrowRight');
      const entries = panel('Devices').locator('.menu-list :is(a, button)');
      await entries.first().waitFor();
      await page.waitForFunction('document.activeElement.textContent.startsWith("Filter by this")');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await settled(page);
      expect(await chips()).toEqual([`Browser is not ${name}`]);
      await show();
      const dots = panel('Pages').getByRole('button', { name: /^More for/ });
      await panel('Pages').locator('.bar-row').first().hover();
      await dots.first().click();
      const open = panel('Pages').locator('.menu-list a');
      expect(await open.getAttribute('href')).toStartWith('https://demo.example/');
      expect(await open.getAttribute('rel')).toBe('noopener noreferrer');
      await page.keyboard.press('Escape');
      expect(await page.locator('.menu-list').count()).toBe(0);
    },
  );

  test('chips are edited and taken away', async () => {
    await show('?f=is,country,US&f=is,browser,Chrome');
    const both = await visitors();
    await page.getByRole('button', { name: 'Country is United States' }).click();
    await page.getByLabel('Operator').selectOption('is_not');
    await page.getByRole('button', { name: 'Save' }).click();
    await settled(page);
    expect((await chips()).toSorted()).toEqual(['Browser is Chrome', 'Country is not United States']);
    expect(await visitors()).not.toBe(both);
    await page.getByRole('button', { name: 'Remove the filter on Country' }).click();
    await settled(page);
    expect(search()).toBe('?f=is,browser,Chrome');
  });

  test('a comparison shows the change of every figure and row, and a second line', async () => {
    await show();
    expect(await page.locator('.metric .change').count()).toBe(6);
    await page.getByRole('button', { name: /^Period/ }).click();
    await page.getByRole('button', { name: 'No comparison' }).click();
    await settled(page);
    expect(search()).toBe('?compare=none');
    expect(await page.locator('.metric .change').count()).toBe(0);
    await show(); // as it was chosen last
    expect(await page.locator('.metric .change').count()).toBe(0);
    await page.getByRole('button', { name: /^Period/ }).click();
    await page.getByRole('button', { name: 'Previous period', exact: true }).click();
    await settled(page);
    expect(search()).toBe('?compare=previous');
    expect(await page.locator('.metric .change').count()).toBe(6);
    expect(await page.locator('.chart-line.chart-earlier').getAttribute('d')).toMatch(/C/);
    expect(await panel('Pages').locator('.bar-change').first().textContent()).toMatch(/^([+−]\d+%|0%|New)$/);
    expect(await page.locator('.chart-compared').textContent()).toMatch(
      /^Compared with \d.* \d{4} until\s\d\d:\d\d, in part$/,
    );
    await page.getByRole('button', { name: /^Period/ }).click();
    await page.getByRole('button', { name: /^Custom range/ }).click();
    await page.getByLabel('Start date').fill('2026-11-01');
    await page.getByLabel('End date').fill('2026-11-03');
    await page.getByRole('button', { name: 'Show' }).click();
    await settled(page);
    expect(search()).toBe('?compare=custom&compareFrom=2026-11-01&compareTo=2026-11-03');
    expect(await page.locator('.chart-compared').textContent()).toBe('Compared with 1 – 3 Nov 2026');
    await show('?compare=year');
    expect(await page.locator('.metric .change').count()).toBe(0); // the website was not there a year ago
  });

  test('a card explains its metric to the pointer and to the keyboard', async () => {
    await show();
    const meaning = page.getByRole('tooltip');
    await page.locator('.metric', { hasText: 'Bounce rate' }).hover();
    expect(await meaning.textContent()).toBe(
      'Bounce rate The share of visits with one pageview and nothing else.',
    );
    await page.mouse.move(0, 0);
    await meaning.waitFor({ state: 'detached' });
    await page.locator('.metric', { hasText: 'Pageviews' }).focus();
    await page.keyboard.press('Tab');
    expect(await meaning.textContent()).toBe('Views per visit Pageviews divided by visits.');
    await page.keyboard.press('Escape');
    await meaning.waitFor({ state: 'detached' });
  });

  test('a calendar takes two clicks for a range, in any order, or arrows and Enter', async () => {
    await show('?from=2026-11-02&to=2026-11-05');
    const dialog = page.getByRole('dialog');
    const day = (name: RegExp) => dialog.getByRole('button', { name });
    await page.getByRole('button', { name: /^Period/ }).click();
    await dialog.locator('.calendar-day').first().waitFor();
    expect(await dialog.locator('.calendar-day[aria-pressed=true]').count()).toBe(4);
    await day(/^Thursday,? 12 November 2026$/).click();
    await dialog.getByText('choose the last day').waitFor();
    await day(/^Monday,? 9 November 2026$/).click();
    await settled(page);
    expect(search()).toBe('?from=2026-11-09&to=2026-11-12');
    await page.getByRole('button', { name: /^Period/ }).click();
    await day(/^Thursday,? 12 November 2026$/).focus();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await settled(page);
    expect(search()).toBe('?from=2026-10-11&to=2026-10-18');
    await page.getByRole('button', { name: /^Period/ }).click();
    await dialog.getByRole('button', { name: 'Next month' }).click();
    expect(await dialog.getByRole('button', { name: 'Next month' }).isDisabled()).toBe(true);
    await closeDialog();
  });

  test('a range that is over is compared whole, and all of time with nothing', async () => {
    const compared = page.locator('.chart-compared');
    await show('?period=yesterday&compare=previous');
    expect(await compared.textContent()).toMatch(/^Compared with \d\d? \w+ \d{4}$/);
    await show('?period=all&compare=previous');
    expect(await compared.count()).toBe(0);
    expect(await page.locator('.metric .change').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Period: All time$/ }).count()).toBe(1);
    await page.goto('/');
    await page.locator('.website-card .change').first().waitFor();
    expect(await page.locator('.website-figures').first().innerHTML()).toMatch(
      /title="Compared with .* until&nbsp;\d\d:\d\d"/,
    );
  });

  describe('the keyboard alone', () => {
    test('letters choose the period; x compares, and the full stop shows the table', async () => {
      await show();
      const steps: [key: string, search: string][] = [
        ['d', '?period=today'],
        ['e', '?period=yesterday'],
        ['h', '?period=24h'],
        ['w', '?period=7d'],
        ['n', '?period=91d'],
        ['m', '?period=month'],
        ['p', '?period=lastmonth'],
        ['y', '?period=year'],
        ['l', '?period=12mo'],
        ['a', '?period=all'],
        ['s', '?period=6mo'],
        ['f', ''],
        ['x', '?compare=none'],
        ['.', '?compare=none&chart=table'],
        ['.', '?compare=none'],
        ['X', '?compare=previous'], // with the shift key held, or Caps Lock
      ];
      for (const [key, expected] of steps) {
        await page.keyboard.press(key);
        await settled(page);
        expect([key, search()]).toEqual([key, expected]);
      }
    });

    test('keys that are pressed before the page is repainted still count', async () => {
      await show();
      await page.evaluate(`(async () => {
        for (const key of ['.', '.', 'x', 'x', '.']) {
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
          await null; // it is drawn, and not painted yet
        }
      })()`);
      await settled(page);
      expect(search()).toBe('?compare=previous&chart=table');
    });

    test('i goes through the intervals, arrows through the periods, Escape clears the filters', async () => {
      await show('?period=7d');
      await page.keyboard.press('i');
      await settled(page);
      expect(search()).toBe('?period=7d&interval=hour');
      await show('?period=yesterday');
      const range = () => page.locator('.period-label').textContent();
      await page.keyboard.press('ArrowLeft');
      await settled(page);
      const earlier = await range();
      expect(search()).toMatch(/^\?from=(\d{4}-\d\d-\d\d)&to=\1$/);
      await page.keyboard.press('ArrowRight');
      await settled(page);
      expect(await range()).not.toBe(earlier);
      await show('?f=is,browser,Chrome&period=24h');
      await page.keyboard.press('ArrowLeft'); // a day earlier, by the hour
      await settled(page);
      const { searchParams } = new URL(page.url());
      const from = searchParams.get('from') ?? '';
      const to = searchParams.get('to') ?? '';
      // In the last hour of a day it is exactly a day, which is named by its date.
      const isDay = /^\d{4}-\d\d-\d\d$/.test(from) && from === to;
      const hours = isDay ? 24 : (Date.parse(to) - Date.parse(from)) / 3_600_000;
      expect(hours).toBeCloseTo(24, 0);
      await page.keyboard.press('Escape');
      await settled(page);
      expect(await chips()).toEqual([]);
    });

    test('Escape in a menu or a dialog closes that and leaves the filters alone', async () => {
      await show('?f=is,browser,Chrome');
      for (const open of ['/', '?', 'c']) {
        await page.keyboard.press(open);
        await page.locator('dialog[open]').waitFor();
        await closeDialog();
      }
      await page.getByRole('button', { name: /^Period/ }).click();
      await page.locator('dialog[open]').waitFor();
      expect(await page.evaluate('document.activeElement.textContent')).toStartWith('Last 28 days');
      await closeDialog();
      await page.waitForFunction('document.activeElement.textContent.startsWith("Period: Last 28 days")');
      expect(search()).toBe('?f=is,browser,Chrome');
    });

    test('what is typed while the code of a dialog is on its way is not a shortcut; Escape gives it up', async () => {
      const { page: on, close } = await stage.open(browser, 'about:blank');
      let isHeld = false;
      await on.route('**/assets/*.js', (route) => (isHeld ? undefined : route.continue()));
      await on.goto(`${stage.dashboard}?f=is,browser,Chrome`);
      await settled(on);
      isHeld = true;
      const before = on.url();
      for (const key of ['/', 'r', 'n', 'Escape']) {
        await on.keyboard.press(key);
        await on.evaluate('new Promise(requestAnimationFrame)');
      }
      expect(on.url()).toBe(before);
      await on.keyboard.press('n');
      await on.waitForURL(/period=91d/);
      await close();
    });

    test('everything is in the order of the Tab key, from the skip link to the last panel', async () => {
      await show();
      const reached: string[] = [];
      for (let presses = 0; presses < 120; presses += 1) {
        await page.keyboard.press('Tab');
        const [name, isSeen] = await page.evaluate<[string, boolean]>(`(() => {
          const { activeElement: a } = document;
          const { width, height } = a.getBoundingClientRect();
          return [a.getAttribute('aria-label') || a.textContent.trim(), width > 0 && height > 0];
        })()`);
        expect(isSeen, name).toBe(true);
        reached.push(name);
        if (name === 'Keyboard and mouse') break;
      }
      expect(reached[0]).toBe('Skip to content');
      for (const name of ['Pagemeter', 'Realtime', 'Filter', 'Previous', 'Bounce rate', 'Days', 'Top pages'])
        expect(
          reached.some((other) => other.startsWith(name)),
          name,
        ).toBe(true);
      expect(reached.filter((name) => name.startsWith('Details')).length).toBe(5);
    });

    test('the arrows go through the tabs of a panel and the points of the chart', async () => {
      await show();
      await panel('Pages').getByRole('tab', { name: 'Top pages' }).focus();
      await page.keyboard.press('ArrowRight');
      await settled(page);
      expect(search()).toBe('?tab.pages=entryPage');
      expect(await panel('Pages').getByRole('tab', { name: 'Entry' }).getAttribute('aria-selected')).toBe(
        'true',
      );
      await page.keyboard.press('w'); // letters mean the same there
      await settled(page);
      expect(search()).toBe('?period=7d&tab.pages=entryPage');
      await page.getByRole('slider').focus();
      const before = await page.getByRole('slider').getAttribute('aria-valuetext');
      await page.keyboard.press('ArrowLeft');
      expect(await page.getByRole('slider').getAttribute('aria-valuetext')).not.toBe(before);
      expect(search()).toBe('?period=7d&tab.pages=entryPage');
    });

    test('the keys can be switched off, and nothing happens while the user types', async () => {
      await show();
      await page.keyboard.press('/');
      await page.getByRole('combobox').pressSequentially('dwx');
      await closeDialog();
      expect(search()).toBe('');
      await page.keyboard.press('?');
      await page.getByLabel('Keyboard shortcuts').uncheck();
      await closeDialog();
      await page.keyboard.press('d');
      await page.keyboard.press('x');
      await settled(page);
      expect(search()).toBe('');
      await page.getByRole('button', { name: 'Keyboard and mouse' }).click();
      await page.getByLabel('Keyboard shortcuts').check();
      await closeDialog();
      await page.keyboard.press('x');
      await settled(page);
      expect(search()).toBe('?compare=none');
      await page.keyboard.press('x'); // as the next test finds it
    });
  });

  testInChromium(
    'the chart is taken away as a table and as a picture; on paper it has a name and dates',
    async () => {
      await show();
      const take = async (name: string) => {
        await page.getByRole('button', { name: 'Annotate or download the chart' }).click();
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.locator('.menu-list').getByRole('button', { name }).click(),
        ]);
        return { name: download.suggestedFilename(), path: await download.path() };
      };
      const table = await take('Table');
      expect(table.name).toMatch(/^Demo shop Visitors \d.* 2026\.csv$/);
      expect((await Bun.file(table.path).text()).trim().split('\n')).toHaveLength(1 + 2 * 28); // those of before as well
      const picture = await take('Picture');
      expect(picture.name).toEndWith('.png');
      const bytes = await Bun.file(picture.path).bytes();
      expect(String.fromCharCode(...bytes.slice(1, 4))).toBe('PNG');
      expect(bytes.length).toBeGreaterThan(10_000); // something is drawn
      const whole = await take('Whole page');
      expect(whole.name).toMatch(/^Demo shop \d.* 2026\.png$/);
      const { width, height, isDrawn } = await page.evaluate(judgePicture, [
        ...(await Bun.file(whole.path).bytes()),
      ]);
      const shown = await page.locator('.page').evaluate((it) => it.getBoundingClientRect().height);
      expect(width).toBe(2 * 1280);
      expect(Math.abs(height / 2 - shown)).toBeLessThan(150); // without its controls, but with a title
      expect(isDrawn).toEqual([true, true, true, true]);
      const head = page.locator('.print-head');
      expect(await head.isVisible()).toBe(false);
      await page.emulateMedia({ media: 'print' });
      expect(await head.textContent()).toMatch(/^\d\d? \w+ – \d\d? \w+ 2026$/);
      expect(await page.getByRole('heading', { name: 'Demo shop' }).isVisible()).toBe(true);
      expect(await page.getByRole('button', { name: /^Period/ }).isVisible()).toBe(false);
      await page.emulateMedia({ media: null });
    },
  );

  test('a drag over the chart zooms in; the table shows the same points', async () => {
    await show();
    const box = await page.locator('.chart-surface').boundingBox();
    if (!box) throw new Error('there is no chart');
    const at = (part: number) => [box.x + box.width * part, box.y + box.height / 2] as const;
    await page.mouse.move(...at(0.5));
    await page.mouse.down();
    await page.mouse.move(...at(0.6));
    await page.mouse.move(...at(0.7));
    await page.mouse.up();
    await settled(page);
    const { searchParams } = new URL(page.url());
    const days =
      (Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')) / 86_400_000;
    expect(days).toBeWithin(4, 9);
    const summary = await page.locator('.chart-picture').getAttribute('aria-label');
    const height = async () => (await page.locator('.overview').boundingBox())?.height;
    const asChart = await height();
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await settled(page);
    expect(await height()).toBe(asChart); // nothing below moves
    expect(await page.locator('.chart-table tbody tr').count()).toBe(days + 1);
    expect(summary).toContain(`${days + 1} points by day`);
  });

  testInChromium('details are searched, sorted, paged through and taken away as a file', async () => {
    await show();
    await panel('Pages').getByRole('button', { name: 'Details' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pages: Top pages' });
    await dialog.locator('tbody tr').first().waitFor();
    expect(search()).toBe('?details=pages');
    const cells = async (column: number) =>
      (await dialog.locator(`tbody tr td:nth-of-type(${column})`).allTextContents()).map(
        (text) => Number(text.split(' ')[0]?.replace(/\D/g, '')), // without the change behind it
      );
    const loaded = () => idle(page);
    await dialog.getByRole('button', { name: 'Pageviews', exact: true }).click();
    await loaded();
    const down = await cells(3);
    expect(down).toEqual(down.toSorted((a, b) => b - a));
    await dialog.getByRole('button', { name: 'Pageviews', exact: true }).click();
    await loaded();
    const up = await cells(3);
    expect(up).toEqual(up.toSorted((a, b) => a - b));
    const first = await dialog.locator('tbody th').first().textContent();
    await dialog.getByRole('button', { name: 'Next' }).click();
    await loaded();
    expect(await dialog.locator('tbody th').first().textContent()).not.toBe(first);
    await dialog.getByRole('searchbox').fill('blog');
    await loaded();
    const found = await dialog.locator('tbody th').allTextContents();
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((name) => !name.includes('blog'))).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^demo\.example-page-[\d-]+\.csv$/);
    const lines = (await Bun.file(await download.path()).text()).trim().split('\n');
    expect(lines[0]).toStartWith('value,visitors,');
    expect(lines.length).toBeGreaterThan(found.length);
    await page.keyboard.press('Escape');
    await settled(page);
    expect(search()).toBe('');
  });

  test('details are as high however much there is, have totals, and the chosen columns', async () => {
    await show('?details=pages');
    const dialog = page.getByRole('dialog');
    await dialog.locator('tfoot td', { hasText: /\d/ }).first().waitFor();
    await page.waitForFunction('document.activeElement.type === "search"');
    expect(await dialog.locator('tfoot td').first().textContent()).toStartWith((await visitors()) ?? '-');
    const height = async () => Math.round((await dialog.boundingBox())?.height ?? 0);
    const columns = () =>
      dialog.locator('thead th').evaluateAll((all) => all.map((head) => head.getBoundingClientRect().left));
    const before = [await height(), await columns()];
    await dialog.getByRole('searchbox').fill('pricing');
    await dialog.locator('tbody tr').nth(5).waitFor({ state: 'detached' });
    await idle(page);
    expect([await height(), await columns()]).toEqual(before);
    await dialog.getByRole('searchbox').fill('nothing at all');
    await dialog.getByText('Nothing contains').waitFor();
    expect([await height(), await columns()]).toEqual(before);
    await dialog.getByRole('searchbox').fill('');
    await page.setViewportSize({ width: 700, height: 900 });
    await dialog.locator('tbody tr').nth(5).waitFor();
    expect(await dialog.locator('.table-scroll').evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
    const heads = () => dialog.locator('thead button:not(.details-change)').allTextContents();
    expect(await heads()).toHaveLength(5);
    await dialog.getByRole('button', { name: 'Columns' }).click();
    await dialog.getByRole('checkbox', { name: 'Views per visit' }).check();
    await dialog.getByRole('checkbox', { name: 'Bounce rate' }).uncheck();
    await page.keyboard.press('Escape'); // the menu alone
    expect(await dialog.locator('.menu-list').count()).toBe(0);
    const chosen = ['Visitors ↓', 'Visits', 'Pageviews', 'Views per visit', 'Visit duration'];
    expect(await heads()).toEqual(chosen);
    await show('?details=sources');
    await dialog.locator('tbody tr').first().waitFor();
    expect(await heads()).toEqual(chosen);
    await page.evaluate('localStorage.removeItem("pagemeter.columns")');
  });

  test('countries are searched by their names; properties and clicks have details of their own', async () => {
    await show('?tab.locations=country&details=locations');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill('germ');
    await idle(page);
    expect(await dialog.locator('tbody th').allTextContents()).toEqual(['Germany']);
    await show('?tab.events=property%3A');
    // What has a tab of its own, custom events and clicks, is not what properties begin with.
    expect(await panel('Events').getByRole('combobox').inputValue()).not.toMatch(
      /^(name|href|text|type|id)$/,
    );
    await panel('Events').getByRole('combobox').selectOption('href');
    await settled(page);
    expect(await panel('Events').getByRole('tab', { selected: true }).textContent()).toBe('Properties');
    await panel('Events').getByRole('button', { name: 'Details' }).click();
    await page.getByRole('dialog', { name: 'Events: href (property)' }).locator('tbody tr').first().waitFor();
    await show('?tab.events=clicks&details=events');
    await page.getByRole('dialog', { name: 'Events: Link clicks' }).locator('tbody tr').first().waitFor();
  });

  test('a visit to another section keeps period and filters; every page begins at its top', async () => {
    await show('?period=7d&f=is,browser,Chrome&chart=bar');
    await page.evaluate('scrollTo(0, 900)');
    await page.getByRole('link', { name: 'Visits' }).click();
    await page.locator('.people-main').first().waitFor();
    expect(search()).toBe('?period=7d&f=is,browser,Chrome');
    expect(await page.evaluate('scrollY')).toBe(0);
    expect(await page.title()).toBe('Visits · Pagemeter');
  });

  test('from right to left nothing is wider than the screen', async () => {
    await show();
    await page.evaluate('document.documentElement.dir = "rtl"');
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  });

  testInChromium('on a phone nothing is wider than the screen and everything is within reach', async () => {
    const phone = await stage.open(browser, stage.dashboard, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    await settled(phone.page);
    expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    const places = () =>
      phone.page.locator('.sections a').evaluateAll((links) =>
        links.map((link) => {
          const { top, left, right } = link.getBoundingClientRect();
          return { top, isSeen: left >= 0 && right <= 360, isCurrent: link.ariaCurrent === 'page' };
        }),
      );
    expect(new Set((await places()).map(({ top }) => top)).size).toBe(1);
    await phone.page.getByRole('link', { name: 'Settings', exact: true }).tap();
    await phone.page.getByLabel('Days to keep events').waitFor();
    expect((await places()).filter(({ isCurrent }) => isCurrent)).toMatchObject([{ isSeen: true }]);
    await phone.page.goto(stage.dashboard);
    await settled(phone.page);
    await phone.page.getByRole('button', { name: /^Period/ }).tap();
    const menu = await phone.page.locator('dialog[open]').boundingBox();
    expect([(menu?.x ?? -1) >= 0, (menu?.x ?? 0) + (menu?.width ?? 999) <= 360]).toEqual([true, true]);
    await phone.page.getByRole('button', { name: 'Last 7 days' }).tap();
    await settled(phone.page);
    await phone.page.locator('.panel .bar-row a').first().tap();
    await settled(phone.page);
    expect(await phone.page.locator('.chip').count()).toBe(1);
    await phone.page.getByRole('link', { name: 'Visits', exact: true }).tap();
    await phone.page.locator('.people-main').first().waitFor();
    expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await phone.close();
  });

  test('one question is asked once: the panels take their rows from that of the figures', async () => {
    const asked: string[] = [];
    const note = (request: { url: () => string }) => {
      const { pathname } = new URL(request.url());
      if (pathname.includes('/stats/')) asked.push(pathname.slice(pathname.indexOf('/stats/')));
    };
    page.on('request', note);
    await show('?compare=previous');
    await page.locator('.map-country').first().waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    page.off('request', note);
    const once = asked.filter((path) => path !== '/stats/realtime'); // asked again and again
    // The map asks by itself, and so do goals and what follows a short list.
    expect(once.filter((path) => path !== '/stats/goals').toSorted()).toEqual([
      '/stats/breakdown',
      '/stats/breakdown',
      '/stats/changes',
      '/stats/dashboard',
    ]);
  });

  test('revenue is a card for each currency, as the API answers it, of what is filtered', async () => {
    for (const [search, filters] of [
      ['?period=30d', '[]'],
      ['?period=30d&f=is,deviceType,desktop', '[["is","deviceType",["desktop"]]]'],
    ]) {
      await show(search);
      await page.locator('.goals-panel:not(.old) .revenue').waitFor();
      const { revenue } = await stage.call<Totals>(
        'GET',
        `/websites/${stage.website.id}/stats?period=30d&revenue=true&filters=${encodeURIComponent(filters ?? '')}`,
      );
      const totals = (revenue ?? []).toSorted((a, b) => b.events - a.events);
      expect(totals).toHaveLength(2);
      expect(await page.locator('.revenue .metric-value').allTextContents()).toEqual(
        totals.map(({ currency, total }) => formatMoney({ amount: total, currency })),
      );
    }
  });

  test('no page complained', () => {
    expect(complaints).toEqual([]);
  });
});

/** Size of a picture, and whether each quarter of its height has more than a ground. */
async function judgePicture(bytes: number[]) {
  const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context?.drawImage(picture, 0, 0);
  const quarter = Math.floor(height / 4);
  const isDrawn = [0, 1, 2, 3].map((index) => {
    const pixels = context?.getImageData(0, index * quarter, width, quarter).data ?? [];
    const colours = new Set<number>();
    for (let at = 0; at < pixels.length; at += 400)
      colours.add(((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0));
    return colours.size > 10;
  });
  return { width, height, isDrawn };
}
