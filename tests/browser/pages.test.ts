import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, launchChromium } from '../support/browser.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';

/** The pages as people meet them: wide and narrow, light and dark, by mouse and by keyboard. */

setDefaultTimeout(30_000);

const chromium = findChromium();
const PASSWORD = 'Correct-horse-9';

const LOOKS: [string, BrowserContextOptions][] = [
  ['wide and light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['narrow and dark', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
];

describe.if(chromium !== undefined)('the pages', () => {
  const dataDir = createDataDir();
  let service: ServiceProcess;
  let browser: Browser;
  let people = 0;

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

  async function register(page: Page): Promise<string> {
    people += 1;
    const email = `person-${people}@example.com`;
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('button', { name: 'Add website' }).waitFor();
    return email;
  }

  async function addWebsite(page: Page, domain = 'https://example.com', name = 'My blog'): Promise<string> {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Address').fill(domain);
    await page.getByRole('button', { name: 'Add website' }).click();
    await page.getByRole('button', { name: 'Copy script tag' }).waitFor();
    const tag = (await page.locator('#tag').textContent()) ?? '';
    return /data-tracking-code="([^"]+)"/.exec(tag)?.[1] ?? '';
  }

  test('/ leads from nothing to the first event', async () => {
    const { page, complaints, close } = await open('/');
    const email = await register(page);
    expect(await page.locator('#who').textContent()).toBe(email);
    expect(await page.locator('#key').textContent()).toMatch(/^pk_\w{32}$/);

    const trackingCode = await addWebsite(page, 'example.com');
    expect(await page.locator('#tag').textContent()).toBe(
      `<script async src="${new URL('/tracker.js', service.url)}" data-tracking-code="${trackingCode}"></script>`,
    );
    await page.getByText('Waiting for the first event…').waitFor();

    await fetch(new URL('/api/v1/events', service.url), {
      method: 'POST',
      body: JSON.stringify({
        trackingCode,
        eventType: 'pageview',
        url: 'https://example.com/<b>bold</b>?a=1',
        sessionId: 's',
        visitorId: 'v',
      }),
    });
    await page.getByText('It works: 1 event.').waitFor();
    expect(await page.locator('#events .path').allTextContents()).toEqual(['/%3Cb%3Ebold%3C/b%3E?a=1']);
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('It works: 2 events.').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('/ names the fields that were refused, and gives the first of them the focus', async () => {
    const { page, close } = await open('/');
    await page.getByLabel('E-mail').fill('nobody');
    await page.getByLabel('Password').fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('Invalid email address').waitFor();
    const email = page.getByLabel('E-mail');
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await email.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await page.locator('#password-fault').textContent()).toStartWith('Password must be at least 8');

    await page.getByLabel('Log in').check();
    await email.fill('nobody@example.com');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('Invalid email or password').waitFor();
    expect(await email.getAttribute('aria-invalid')).toBe(null);
    await close();
  });

  test('/ goes on after a reload, forgets on logging out, and offers the websites there are', async () => {
    const { page, close } = await open('/');
    const email = await register(page);
    await addWebsite(page, 'https://example.com', '<i>Mine</i>');
    await page.reload();
    await page.getByRole('button', { name: '<i>Mine</i>' }).click();
    await page.getByRole('button', { name: 'Copy script tag' }).waitFor();
    expect(await page.locator('#key-note').isVisible()).toBe(false);

    await page.getByRole('button', { name: 'Log out' }).click();
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
    await page.getByLabel('Log in').check();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '<i>Mine</i>' }).waitFor();
    await close();
  });

  describe.each(LOOKS)('%s', (_, look) => {
    test('/ is accessible and fits at each step', async () => {
      const { page, complaints, close } = await open('/', look);
      expect(await faultsOf(page)).toEqual([]);
      await page.getByLabel('E-mail').fill('nobody');
      await page.keyboard.press('Enter');
      await page.getByText('Invalid email address').waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await register(page);
      expect(await faultsOf(page)).toEqual([]);
      await addWebsite(page);
      await page.getByRole('button', { name: 'Send a test event' }).click();
      await page.getByText('It works').waitFor();
      expect(await faultsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });

    test('/docs is accessible and fits, closed and opened', async () => {
      const { page, complaints, close } = await open('/docs', look);
      expect(await faultsOf(page)).toEqual([]);
      await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
      expect(await faultsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });
  });
});

/** What axe finds, and whether the page has to be scrolled sideways. */
async function faultsOf(page: Page): Promise<string[]> {
  // Evaluated by the debugger: the page's Content Security Policy lets no script tag in.
  await page.evaluate(axe.source);
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    'axe.run().then(({ violations }) => violations)',
  );
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  return [
    ...found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    ...(isTooWide ? ['wider than the window'] : []),
  ];
}
