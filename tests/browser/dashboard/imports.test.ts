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

describe.if(chromium !== undefined)('the page of imports', () => {
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

    await page.goto(`${stage.dashboard}/import`);
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

  test('a file is uploaded after an interruption, tried, read in another way, imported and undone', async () => {
    const rows = [{}, { url: 'https://shop.example/' }, { url: 'nowhere' }];
    const buffer = Buffer.from(toNdjson(rows.map((row) => ({ id: crypto.randomUUID(), ...row }))));
    const path = `/websites/${stage.website.id}/imports`;
    await stage.call('POST', path, { name: 'old.ndjson', sizeBytes: buffer.length }); // and nothing was sent

    await page.goto(`${stage.dashboard}/settings`);
    await page.getByRole('link', { name: 'Import a file' }).press('Enter');
    const card = page.getByRole('region', { name: 'old.ndjson' });
    await card.getByText('Choose the file again to continue').waitFor();
    await page.getByLabel('File to import').setInputFiles({ name: 'old.ndjson', mimeType: '', buffer });
    await card.getByText('2 events, about').waitFor();
    await card.getByText('3, 1 rejected').waitFor();
    await card.getByText('Rejected rows (1)').click();
    await card.getByRole('cell', { name: /^url: / }).waitFor();
    await card.getByText('Columns (', { exact: false }).click();

    await card.getByText('Read it in another way').click();
    await card.getByLabel('Hosts').fill('shop.example');
    await card.getByRole('button', { name: 'Read again' }).press('Enter');
    await card.getByText('1 row: pages of other hosts').waitFor();
    await card.getByRole('button', { name: 'Import 1 event' }).press('Enter');
    const row = page.getByRole('listitem').filter({ hasText: 'old.ndjson' });
    await row.getByText('1 event · 1 Oct 2026').waitFor();
    await row.getByRole('button', { name: /^Undo/ }).press('Enter');
    await page.getByRole('button', { name: 'Remove its events' }).press('Enter');
    await row.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  test('a file of an unknown format is explained, and removed; an empty one is not even sent', async () => {
    await page.goto(`${stage.dashboard}/import`);
    const empty = { name: 'empty.csv', mimeType: '', buffer: Buffer.alloc(0) };
    await page.getByLabel('File to import').setInputFiles(empty);
    await page.getByText('empty.csv is empty.').waitFor();
    const buffer = Buffer.from('{"a":1}\n');
    await page.getByLabel('File to import').setInputFiles({ name: 'odd.json', mimeType: '', buffer });
    const card = page.getByRole('region', { name: 'odd.json' });
    await card.getByText('odd.json is in none of these formats').waitFor();
    await card.getByRole('button', { name: /^Remove/ }).press('Enter');
    await card.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});
