import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { BROWSER_TEST_TIMEOUT_MS, findChromium } from '../../support/browser.ts';
import { runCommand } from '../../support/command.ts';
import { openStage, type Stage } from './stage.ts';

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const DAY_MS = 86_400_000;
const HEADS = {
  visitors: '"date","visitors","pageviews","bounces","visits","visit_duration"',
  pages: '"date","hostname","page","visits","visitors","pageviews"',
};
const chromium = findChromium();

describe.if(chromium !== undefined)('imported sums on the dashboard', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage({ events: 500, days: 5 }));
    const day = new Date(Date.now() - 20 * DAY_MS).toISOString().slice(0, 10);
    const files = {
      'imported_visitors.csv': `${HEADS.visitors}\n"${day}",7,20,2,8,400\n`,
      'imported_pages.csv': `${HEADS.pages}\n"${day}","demo.example","/of-before",8,7,20\n`,
    };
    const paths = Object.entries(files).map(([name, content]) => {
      const path = join(stage.settings.DATA_DIR, name);
      writeFileSync(path, content);
      return path;
    });
    const done = await runCommand(
      stage.settings,
      'import',
      ...paths,
      '--website',
      stage.website.id,
      '--quiet',
    );
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('2: 2 sums, 0 rejected') });
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  test('are hatched in the chart and below the lists, and a switch hides them for this browser', async () => {
    await page.goto(`${stage.dashboard}?period=30d`);
    await page.getByText('not part of the figures above: 7 visitors counted by day, 8 visits').waitFor();
    await page.getByRole('region', { name: 'Pages' }).getByText('/of-before').waitFor();
    expect(await page.locator('.chart-imported').count()).toBe(1);
    await page.getByRole('button', { name: 'Table' }).press('Enter');
    await page.getByText('7 imported').waitFor();
    await page.getByRole('button', { name: 'Imported', exact: true }).press('Enter');
    await page.getByText('7 imported').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Imported', exact: true, pressed: false }).press('Enter');
    await page.getByText('/of-before').waitFor();
    expect(complaints).toEqual([]);
  });

  test('say where they are not included', async () => {
    await page.goto(`${stage.dashboard}?period=today`);
    await page.getByText('Imported sums are not included: they are of whole days.').waitFor();
  });
});
