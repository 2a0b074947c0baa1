import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import type { SavedFunnel } from '../../../src/contract/saved-funnel.ts';
import { BROWSER_TEST_TIMEOUT_MS, findChromium } from '../../support/browser.ts';
import { idle, openStage, type Stage } from './stage.ts';

/** Funnels are looked at, saved, opened, renamed and deleted with the keyboard alone. */

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const chromium = findChromium();

describe.if(chromium !== undefined)('saved funnels', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let goalId: string;

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage({ events: 2_000, days: 30 }));
    const goal = { name: 'Signup', type: 'event', match: 'signup' };
    ({ id: goalId } = await stage.call<{ id: string }>('POST', `/websites/${stage.website.id}/goals`, goal));
    await page.goto(`${funnels()}?step=any,&step=goal,Signup&by=visit`);
    await page.locator('.funnel > li').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const funnels = () => `${stage.dashboard}/goals/funnels`;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const stored = async () =>
    (await stage.call<{ funnels: SavedFunnel[] }>('GET', `/websites/${stage.website.id}/funnels`)).funnels;

  test('its points and groups add up to all that entered', async () => {
    const entered = await page.locator('.funnel-head .number').first().textContent();
    await page.getByLabel('Group by').selectOption('visitorType');
    const groups = page.getByRole('region', { name: 'Groups' });
    await groups.getByText('New', { exact: true }).waitFor();
    await button('Weeks').press('Enter');
    await page.waitForURL(/interval=week/);
    await page.getByRole('img', { name: /^Entered over time: [45] points/ }).waitFor();
    await page.locator('.funnel-table summary').nth(1).press('Enter');
    const points = page.getByRole('region', { name: 'Points' }).locator('table');
    for (const rows of [groups.locator('tbody tr'), points.locator('tbody tr')]) {
      const counts = await rows.locator('td:nth-child(3)').allTextContents();
      const sum = counts.reduce((total, text) => total + Number(text.replace(',', '')), 0);
      expect(entered).toStartWith(`${sum.toLocaleString('en')} visits`);
    }
  });

  test('groups are sorted by completion, and filter the page', async () => {
    const groups = page.getByRole('region', { name: 'Groups' });
    await page.getByLabel('Group by').selectOption('source');
    await groups.getByText('Google', { exact: true }).waitFor();
    await groups.getByRole('button', { name: 'Completed' }).press('Enter');
    await groups.locator('[aria-sort=descending]').waitFor();
    const rates = (await groups.locator('.shaded').allTextContents()).map((text) => Number.parseFloat(text));
    expect(rates).toEqual(rates.toSorted((a, b) => b - a));
    await groups.getByRole('link', { name: 'Google', exact: true }).click();
    await page.waitForURL(/f=is,source,Google/);
    expect(page.url()).toContain('step=goal,Signup');
    await page.goBack();
  });

  test('visits lost at a step, and those that went to a page after it, are listed', async () => {
    const lost = page.locator('.funnel-lost').first();
    for (const link of [
      lost.getByRole('link', { name: 'Show these visits' }),
      lost.locator('.funnel-next a'),
    ]) {
      await link.first().click();
      await page.locator('.people-main').first().waitFor();
      expect(new URL(page.url()).searchParams.getAll('f').slice(0, 2)).toEqual([
        'is,has_done:eventType,pageview',
        'is,has_not_done:goal,Signup',
      ]);
      await page.goBack();
      await lost.waitFor();
    }
  });

  test('a step whose goal is archived says so', async () => {
    const path = `/websites/${stage.website.id}/goals/${goalId}`;
    await stage.call('PATCH', path, { isArchived: true });
    await page.reload();
    await page.locator('option', { hasText: 'Signup (archived)' }).waitFor({ state: 'attached' });
    await stage.call('PATCH', path, { isArchived: false });
    await page.reload();
    await page.locator('.funnel > li').first().waitFor();
  });

  test('a step may be one of several', async () => {
    const reached = page.locator('.funnel-head .number').last();
    await page.getByLabel('Step 2: or…').press('Enter');
    await page.getByLabel('Step 2, choice 2: kind').selectOption('page');
    await page.getByLabel('Step 2, choice 2: page').fill('/pricing');
    await page.keyboard.press('Enter');
    await page.locator('.funnel > li', { hasText: 'Signup or /pricing' }).waitFor();
    expect(new URL(page.url()).searchParams.getAll('or')).toEqual(['page,/pricing']);
    await idle(page);
    const asUnion = (await reached.textContent()) ?? '';
    await page.getByLabel('Remove step 2, choice 2').press('Enter');
    await reached.filter({ hasNotText: asUnion }).waitFor(); // fewer than either
  });

  test('what is typed stays while an answer arrives', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answers = /stats\/funnel/;
    await page.route(answers, (route) => held.then(() => route.continue()));
    await page.getByLabel('Step 1: kind').selectOption('page');
    await page.getByLabel('Step 1: page').fill('/pricing');
    const answered = page.waitForResponse(answers);
    release();
    await answered;
    await page.locator('.funnel > li', { hasText: /^\// }).first().waitFor();
    expect(await page.getByLabel('Step 1: page').inputValue()).toBe('/pricing');
    await page.unroute(answers);
    await page.keyboard.press('Enter');
    await page
      .locator('.funnel > li', { hasText: /^\/pricing/ })
      .first()
      .waitFor();
    await page.getByLabel('Step 1: kind').selectOption('any');
    await page.locator('.funnel > li', { hasText: 'Any page' }).first().waitFor();
  });

  test('one is saved under a name, with its goal by its id', async () => {
    await button('Save funnel…').press('Enter');
    await page.locator('dialog[open] [name=name]').waitFor();
    await page.keyboard.type('Any page to signup');
    await page.keyboard.press('Enter');
    await button('Any page to signup').waitFor();
    expect(await stored()).toMatchObject([
      {
        name: 'Any page to signup',
        by: 'visit',
        steps: [
          ['is', 'eventType', ['pageview']],
          ['is', 'goal', [goalId]],
        ],
      },
    ]);
  });

  test('it is opened from another one', async () => {
    await page.goto(`${funnels()}?step=page,/&step=page,/pricing`);
    await page.locator('.funnel > li').first().waitFor();
    await button('Saved funnels').press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await button('Any page to signup').waitFor();
    expect(new URL(page.url()).search).toBe(
      '?step=any%2C&step=goal%2CSignup&by=visit'.replaceAll('%2C', ','),
    );
  });

  test('another one of its name takes its place', async () => {
    const saved = await stored();
    await page.getByLabel('Step 1: kind').selectOption('page');
    await button('Save funnel…').press('Enter');
    await page.locator('dialog[open] [name=name]').fill('Any page to signup');
    await page.keyboard.press('Enter');
    await button('Any page to signup').waitFor();
    const [replaced, ...others] = await stored();
    expect({ ...replaced, others }).toMatchObject({
      id: saved[0]?.id,
      name: 'Any page to signup',
      others: [],
    });
    expect(JSON.stringify(replaced)).toContain('"page",["/"]');
  });

  test('it is renamed', async () => {
    await button('Rename…').press('Enter');
    await page.locator('dialog[open] [name=name]').fill('Visits to signup');
    await page.keyboard.press('Enter');
    await button('Visits to signup').waitFor();
    expect((await stored()).map(({ name }) => name)).toEqual(['Visits to signup']);
  });

  test('it says that its goal was deleted, and is deleted', async () => {
    await stage.call('DELETE', `/websites/${stage.website.id}/goals/${goalId}`);
    await page.goto(funnels());
    await button('Saved funnels').press('Enter');
    await page.getByText('A step uses something that was deleted').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('Step 2: it uses a goal that was deleted').waitFor();
    expect(await page.locator('.funnel > li').count()).toBe(0); // no figures of other steps
    await page.locator('option', { hasText: 'Deleted goal' }).waitFor({ state: 'attached' });
    await button('Rename…').press('Enter');
    await button('Delete…').press('Enter');
    await button('Delete funnel').press('Enter');
    await button('Save funnel…').waitFor();
    expect(await stored()).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
