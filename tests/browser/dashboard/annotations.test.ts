import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import type { Annotation } from '../../../src/contract/annotation.ts';
import { BROWSER_TEST_TIMEOUT_MS, findChromium } from '../../support/browser.ts';
import { openStage, type Stage, settled } from './stage.ts';

/** Remarks on the chart are made, read, changed and deleted with the keyboard alone. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const chromium = findChromium();

describe.if(chromium !== undefined)('annotations', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage({ events: 2_000, days: 30 }));
    await page.goto(stage.dashboard);
    await settled(page);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const mark = (name: RegExp) => page.getByRole('button', { name });
  const path = () => `/websites/${stage.website.id}/annotations`;
  const stored = async () =>
    (await stage.call<{ annotations: Annotation[] }>('GET', path())).annotations.map(({ text }) => text);
  const today = () => new Date().toISOString().slice(0, 10);

  test('one is made from the menu of the chart, and stands at its point at once', async () => {
    await mark(/^Annotate or download/).press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('dialog[open] [name=text]').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Enter a note').waitFor();
    await page.keyboard.type('Sale <b>begins</b>');
    await page.keyboard.press('Enter');
    await mark(/^Annotation, .*: Sale <b>begins<\/b>$/).waitFor();
    expect(await stored()).toEqual(['Sale <b>begins</b>']);
  });

  test('an annotation is shown with its point, next to the pointer and in the table', async () => {
    await page.getByRole('slider').focus();
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toContain('Sale <b>begins</b>');
    expect(await page.locator('.chart-tooltip-remark').textContent()).toBe('Sale <b>begins</b>');
    await page.goto(`${stage.dashboard}?chart=table`);
    await settled(page);
    expect(await page.locator('.chart-remark').allTextContents()).toEqual(['Sale <b>begins</b>']);
    await page.goto(stage.dashboard);
    await settled(page);
  });

  test('it is opened from its mark and changed', async () => {
    await mark(/^Annotation, /).press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('dialog[open] [name=text]').fill('Sale');
    await page.locator('dialog[open] [name=time]').fill('00:05');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await mark(/^Annotation, .*00:05: Sale$/).waitFor();
    const { annotations } = await stage.call<{ annotations: Annotation[] }>('GET', path());
    expect(annotations).toMatchObject([{ at: `${today()}T00:05:00.000Z`, text: 'Sale' }]);
  });

  test('those of one place are one mark', async () => {
    await stage.call('POST', path(), { at: today(), text: 'deploy 1.4', isPublic: true });
    await page.reload();
    await mark(/^2 annotations\. .*deploy 1\.4\. .*: Sale$/).press('Enter');
    expect(await page.locator('.chart-note .menu-list bdi').allTextContents()).toEqual([
      'deploy 1.4',
      'Sale',
    ]);
    await page.keyboard.press('Escape');
  });

  test('however many there are of one day, each can be read and reached', async () => {
    const many = Array.from({ length: 12 }, (_, index) => `deploy 2.${index}`);
    const made: Annotation[] = [];
    for (const text of many) made.push(await stage.call('POST', path(), { at: today(), text }));
    await page.reload();
    await mark(/^14 annotations/).press('Enter');
    const last = page.locator('.chart-note .menu-list button').last();
    await last.scrollIntoViewIfNeeded();
    expect(
      await last.evaluate((entry) => {
        const { left, right, bottom } = entry.getBoundingClientRect();
        return entry.contains(document.elementFromPoint((left + right) / 2, bottom - 4));
      }),
    ).toBe(true);
    await page.keyboard.press('Escape');
    for (const { id } of made) await stage.call('DELETE', `${path()}/${id}`);
    await page.reload();
  });

  test('a stranger reads those that are for the public, and changes nothing', async () => {
    await stage.call('PATCH', `/websites/${stage.website.id}/settings`, { isPublic: true });
    const stranger = await stage.open(browser, stage.public, { isStranger: true });
    await stranger.page.getByRole('button', { name: /^Annotation, .*: deploy 1\.4$/ }).click();
    expect(await stranger.page.locator('.chart-note .menu-list').textContent()).toContain('deploy 1.4');
    expect(await stranger.page.locator('.chart-note .menu-list button').count()).toBe(0);
    await stranger.page.getByRole('button', { name: 'Download the chart' }).click();
    expect(await stranger.page.getByText('Annotate…').count()).toBe(0);
    expect(stranger.complaints).toEqual([]);
    await stranger.close();
  });

  test('they are deleted', async () => {
    await mark(/^2 annotations/).press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete…' }).press('Enter');
    await page.getByRole('button', { name: 'Delete annotation' }).press('Enter');
    await mark(/^Annotation, .*: deploy 1\.4$/).waitFor();
    expect(await stored()).toEqual(['deploy 1.4']);
    expect(complaints).toEqual([]);
  });
});
