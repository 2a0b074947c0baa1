import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { toNdjson } from '../../imports/importing.ts';
import { BROWSER_TEST_TIMEOUT_MS, findChromium } from '../../support/browser.ts';
import { runCommand } from '../../support/command.ts';
import { openStage, type Stage } from './stage.ts';

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

const chromium = findChromium();

describe.if(chromium !== undefined)('imports in the settings of a website', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    ({ stage, browser, page, complaints } = await openStage({ events: 500, days: 5 }));
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  test('an import is listed with what it added, and undone after a confirmation', async () => {
    const file = join(stage.settings.DATA_DIR, 'history <b>2025.ndjson');
    writeFileSync(file, toNdjson([{}, {}, {}]));
    const done = await runCommand(stage.settings, 'import', file, '--website', stage.website.id, '--quiet');
    rmSync(file);
    expect(done).toMatchObject({ code: 0 });

    await page.goto(`${stage.dashboard}/settings`);
    const row = page.getByRole('listitem').filter({ hasText: 'history <b>2025.ndjson' });
    await row.getByText('3 events · 1 Oct 2026').waitFor();
    await row.getByRole('button', { name: /^Undo/ }).press('Enter');
    await page.getByRole('button', { name: 'Remove its events' }).press('Enter');
    await row.waitFor({ state: 'detached' });
    expect(await stage.call('GET', `/websites/${stage.website.id}/imports`)).toEqual({
      imports: [],
      total: 0,
    });
    expect(complaints).toEqual([]);
  });
});
