import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { generateTraffic } from '../../../src/demo/traffic.ts';
import { toEventInput } from '../../../src/demo/traffic-event.ts';
import { findAnyBrowser, launchAnyBrowser } from '../../support/browser.ts';
import { freePort } from '../../support/free-port.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../../support/process.ts';

/** A real process with an account and a website with invented traffic, and pages of a browser that look at it. */

export const PASSWORD = 'Correct-horse-9';
export const EMAIL = 'owner@example.com';
const DOMAIN = 'demo.example';
/** Bun's own is a bot's, whose events are not counted. */
export const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const EVENTS_A_BATCH = 1_000;

export type Website = { id: string; trackingCode: string };
export type Stage = Awaited<ReturnType<typeof createStage>>;

type Options = { events?: number; days?: number; name?: string; environment?: Record<string, string> };

export async function createStage({
  events = 6_000,
  days = 35,
  name = 'Demo shop',
  environment = {},
}: Options = {}) {
  const dataDir = createDataDir();
  const settings = {
    DATA_DIR: dataDir.path,
    PORT: String(freePort()), // one that it comes back on
    LIMIT_API_PER_S: '0',
    LIMIT_COLLECT_PER_S: '0',
    MAX_EVENT_AGE_DAYS: '3650',
    ...environment,
  };
  let service: ServiceProcess = await startProcess(settings);
  const { url } = service;
  let token = '';

  /** @throws when the service refuses */
  async function call<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': USER_AGENT,
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer; // the contract's, which tests of the API check
  }

  const account = await call<{ tokens: { accessToken: string } }>('POST', '/auth/register', {
    email: EMAIL,
    password: PASSWORD,
  });
  token = account.tokens.accessToken;
  const website = await addWebsite(name, `https://${DOMAIN}`);
  await sendAll(traffic(website, { events, days }));

  function addWebsite(name: string, domain: string): Promise<Website> {
    return call('POST', '/websites', { name, domain });
  }

  async function sendAll(inputs: unknown[]): Promise<void> {
    for (let from = 0; from < inputs.length; from += EVENTS_A_BATCH)
      await call('POST', '/events/batch', { events: inputs.slice(from, from + EVENTS_A_BATCH) });
  }

  /** Storage key of the login in a browser. */
  async function storageOf(): Promise<NonNullable<BrowserContextOptions['storageState']>> {
    const { tokens } = await call<{ tokens: object }>('POST', '/auth/login', {
      email: EMAIL,
      password: PASSWORD,
    });
    const value = JSON.stringify({ email: EMAIL, ...tokens, issuedAtMs: Date.now() });
    return {
      cookies: [],
      origins: [{ origin: new URL(url).origin, localStorage: [{ name: 'pagemeter.login', value }] }],
    };
  }

  /**
   * A page in a context of its own that notes what the browser complains of and what it asks of other hosts.
   *
   * @param isStranger has not logged in
   */
  async function open(
    browser: Browser,
    path: string,
    { isStranger = false, ...look }: BrowserContextOptions & { isStranger?: boolean } = {},
  ) {
    const context = await browser.newContext({
      baseURL: url,
      locale: 'en-GB',
      timezoneId: 'UTC',
      viewport: { width: 1280, height: 900 },
      ...(!isStranger && { storageState: await storageOf() }),
      ...look,
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      const isRefusal = /status of 4|ERR_CONNECTION_REFUSED/.test(message.text());
      if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol } = new URL(request.url());
      if (protocol.startsWith('http') && !request.url().startsWith(url))
        complaints.push(`asks for ${request.url()}`);
    });
    await page.goto(path);
    return { context, page, complaints, close: () => context.close() };
  }

  return {
    url,
    /** Environment of the service, for commands next to it. */
    settings,
    website,
    call,
    addWebsite,
    sendAll,
    open,
    dashboard: `/websites/${website.id}`,
    public: `/public/${website.id}`,
    stopService: () => service.stop(),
    async startService() {
      service = await startProcess(settings);
    },
    async close() {
      await service.stop();
      dataDir.remove();
    },
  };
}

/** A stage, a browser, and a page that looks at it. */
export async function openStage(options?: Options) {
  const [stage, browser] = await Promise.all([
    createStage(options),
    launchAnyBrowser(findAnyBrowser() ?? ''),
  ]);
  const { page, complaints } = await stage.open(browser, '/');
  return { stage, browser, page, complaints };
}

/** Invented traffic until now, as it is submitted. */
export function traffic({ trackingCode }: Website, { events, days }: { events: number; days: number }) {
  const websites = [{ domain: DOMAIN, share: 1, pages: 60 }];
  const made = generateTraffic({ seed: 7, websites, days, events, endMs: Date.now() - 1_000 });
  return [...made].filter(({ isBot }) => !isBot).map((event) => toEventInput(event, trackingCode));
}

/** Waits until the figures of the dashboard are those of its address. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.metric-value', { hasText: /\S/ }).first().waitFor();
  await idle(page);
}

/** Waits until no part of the page waits for an answer. */
export async function idle(page: Page): Promise<void> {
  await page.waitForSelector('[aria-busy=true]', { state: 'detached' });
}

/** The card of a metric, as it is read. */
export async function figure(page: Page, name: string): Promise<string | null> {
  return page.locator('.metric', { hasText: name }).first().locator('.metric-value').textContent();
}
