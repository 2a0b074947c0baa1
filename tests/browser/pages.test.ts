import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { faultsOf, isTooWide } from '../support/axe.ts';
import { findChromium, launchChromium } from '../support/browser.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';

/** The pages as people meet them: wide and narrow, light and dark, by mouse and by keyboard. */

setDefaultTimeout(60_000);

const chromium = findChromium();
const LOOKS: [string, BrowserContextOptions][] = [
  ['wide and light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['narrow and dark', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
];

describe.if(chromium !== undefined)('the pages', () => {
  const dataDir = createDataDir();
  let service: ServiceProcess;
  let browser: Browser;

  beforeAll(async () => {
    service = await startProcess({ DATA_DIR: dataDir.path });
    browser = await launchChromium(chromium ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    dataDir.remove();
  });

  /** A page that notes what the browser complains of and what it asks of other hosts. */
  async function open(path: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ baseURL: service.url, ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 4'))
        complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) complaints.push(`asks for ${request.url()}`);
    });
    await page.goto(path);
    return { page, complaints, close: () => context.close() };
  }

  describe.each(LOOKS)('%s', (_, look) => {
    test('/docs fits, and is accessible and fits with all of it opened', async () => {
      const { page, complaints, close } = await open('/docs', look);
      expect(await isTooWide(page)).toBe(false);
      await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
      expect(await faultsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });

    test('/docs/definitions is accessible and fits', async () => {
      const { page, complaints, close } = await open('/docs/definitions', look);
      expect(await faultsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });
  });
});
