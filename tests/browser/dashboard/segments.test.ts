import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import type { SegmentList } from '../../../src/contract/segment.ts';
import { BROWSER_TEST_TIMEOUT_MS, findChromium } from '../../support/browser.ts';
import { figure, openStage, type Stage, settled } from './stage.ts';

/** Filters are saved under a name, used, changed and deleted, with the keyboard alone. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const chromium = findChromium();

describe.if(chromium !== undefined)('segments', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage({ events: 3_000, days: 40 }));
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const stored = async () =>
    (await stage.call<typeof SegmentList.static>('GET', `/websites/${stage.website.id}/segments`)).segments;
  async function openMenu(): Promise<void> {
    await page.getByRole('button', { name: 'Segments' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.segment-menu .menu-list :is(button, p)').first().waitFor();
  }
  async function choose(name: string): Promise<void> {
    await openMenu();
    await page.locator('.menu-list button', { hasText: name }).waitFor();
    const reached = page.locator('.menu-list button:focus', { hasText: name });
    for (let steps = 0; (await reached.count()) === 0; steps += 1) {
      expect(steps).toBeLessThan(5);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
  }
  const chip = (text: string) => page.locator('.chip-text', { hasText: text });

  test('are what filters become, and select the same', async () => {
    await page.goto(stage.dashboard);
    await settled(page);
    await openMenu();
    expect(await page.locator('.menu-note').textContent()).toMatch(/Add filters, then save them/);
    await page.goto(`${stage.dashboard}?f=is,browser,Chrome&f=is,deviceType,desktop`);
    await settled(page);
    const visitors = await figure(page, 'Visitors');
    await choose('Save these filters');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.type('Desktop Chrome');
    await page.keyboard.press('Enter');
    await chip('Segment is Desktop Chrome').waitFor();
    await settled(page);
    expect(await figure(page, 'Visitors')).toBe(visitors);
    expect(await page.locator('.chip').count()).toBe(1);
    expect(await stored()).toMatchObject([
      {
        name: 'Desktop Chrome',
        filters: [
          ['is', 'browser', ['Chrome']],
          ['is', 'deviceType', ['desktop']],
        ],
        isOwn: false,
      },
    ]);
  });

  test('a name without a place to break it is shown to its end', async () => {
    const { id } = await stage.call<{ id: string }>('POST', `/websites/${stage.website.id}/segments`, {
      name: 'S'.repeat(100),
      filters: [['is', 'browser', ['Chrome']]],
    });
    await page.reload();
    await openMenu();
    const list = page.locator('.segment-menu .menu-list');
    await list.getByText('SSS').waitFor();
    expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await page.keyboard.press('Escape');
    await stage.call('DELETE', `/websites/${stage.website.id}/segments/${id}`);
  });

  test('a name that is taken is said at the field', async () => {
    await page.goto(`${stage.dashboard}?f=is,browser,Firefox`);
    await settled(page);
    await choose('Save these filters');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.type('Desktop Chrome');
    await page.keyboard.press('Enter');
    const field = page.locator('.field', { has: page.locator('[name=name][aria-invalid=true]') });
    await field.waitFor();
    expect(await field.locator('.fault').textContent()).toBe('Another segment of this website has this name');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  });

  test('are applied from the menu on every list, and taken away again', async () => {
    await page.goto(`${stage.dashboard}/sessions`);
    await page.locator('.people-main').first().waitFor();
    await choose('Desktop Chrome');
    await chip('Segment is Desktop Chrome').waitFor();
    await choose('Desktop Chrome');
    await chip('Segment').waitFor({ state: 'detached' });
  });

  test('segments are renamed and redefined from their chip, and the figures follow', async () => {
    const [segment] = await stored();
    await page.goto(`${stage.dashboard}?f=is,segment,${segment?.id}&f=is,browser,Nothing`);
    await settled(page);
    expect(await figure(page, 'Visitors')).toBe('0');
    await chip('Segment is').focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog[open] [name=name]').fill('Empty');
    await page.getByLabel('Replace its filters').check();
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await chip('Segment is Empty').waitFor();
    await settled(page);
    expect(await page.locator('.chip').count()).toBe(1);
    expect(await figure(page, 'Visitors')).toBe('0');
    expect(await stored()).toMatchObject([{ name: 'Empty', filters: [['is', 'browser', ['Nothing']]] }]);
  });

  test('a stranger sees those that the owner shows by their names, and cannot change them', async () => {
    const [segment] = await stored();
    const path = `/websites/${stage.website.id}`;
    await stage.call('PATCH', `${path}/settings`, { isPublic: true });
    const stranger = await stage.open(browser, stage.public, { isStranger: true });
    await settled(stranger.page);
    expect(await stranger.page.getByRole('button', { name: 'Segments' }).count()).toBe(0);
    await stage.call('PATCH', `${path}/segments/${segment?.id}`, { isPublic: true });
    await stranger.page.reload();
    await stranger.page.getByRole('button', { name: 'Segments' }).click();
    await stranger.page.locator('.menu-list button', { hasText: 'Empty' }).click();
    await stranger.page.locator('span.chip-text', { hasText: 'Segment is Empty' }).waitFor();
    expect(stranger.complaints).toEqual([]);
    await stranger.close();
  });

  test('are deleted, and a link that names one says what is wrong', async () => {
    const [segment] = await stored();
    const link = `${stage.dashboard}?f=is,segment,${segment?.id}`;
    await page.goto(link);
    await settled(page);
    await chip('Segment is Empty').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete…' }).press('Enter');
    await page.getByRole('button', { name: 'Delete segment' }).press('Enter');
    await chip('Segment').waitFor({ state: 'detached' });
    expect(await stored()).toEqual([]);
    await page.goto(link);
    await page.getByText('Filters: it uses a segment that was deleted').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await settled(page);
    expect(complaints).toEqual([]);
  });
});
