import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { BROWSER_TEST_TIMEOUT_MS, findChromium, launchChromium } from '../../support/browser.ts';
import { readPdfTexts } from '../../support/pdf-texts.ts';
import { createStage, idle, type Stage, settled } from './stage.ts';

setDefaultTimeout(BROWSER_TEST_TIMEOUT_MS);

/** Only Chromium prints to a file. */
const chromium = findChromium();
const PAPERS = { A4: 595, Letter: 612 } as const;

describe.if(chromium !== undefined)('on paper', () => {
  let stage: Stage;
  let browser: Browser;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([
      createStage({ events: 6_000, days: 60 }),
      launchChromium(chromium ?? ''),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  test.each(['A4', 'Letter'] as const)(
    'the whole chart fits on %s, and the dashboard on two pages',
    async (format) => {
      const { page, close } = await stage.open(browser, `${stage.dashboard}?compare=previous`, {
        viewport: { width: 1440, height: 900 },
      });
      await settled(page);
      await idle(page);
      const labels = await page.locator('.chart-picture .chart-text').allTextContents();
      const last = labels.filter((label) => /[A-Z]/.test(label)).at(-1) ?? '';
      const texts = readPdfTexts(await page.pdf({ format }));
      await close();
      const days = texts.filter(({ text }) => labels.includes(text));
      expect(days.map(({ text }) => text)).toContain(last);
      for (const { x, text } of days) expect(x + text.length * 6).toBeLessThan(PAPERS[format]);
      expect(Math.max(...texts.map(({ page: number }) => number))).toBe(1);
      expect(texts.map(({ text }) => text)).toContain('Locations');
    },
  );
});
