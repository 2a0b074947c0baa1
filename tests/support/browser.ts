import { afterAll, beforeAll, describe, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { type Browser, chromium, firefox } from 'playwright-core';

/** Each case opens pages of its own and mostly waits; a loaded machine may need long for one. */
export const BROWSER_TEST_TIMEOUT_MS = 90_000;

/** With BROWSER=firefox those tests run in Firefox, and in it alone, that do not need what only Chromium has. */
const isFirefox = process.env.BROWSER === 'firefox';

/**
 * For tests that need what automation of Firefox has not: downloads, a mouse that hovers, phones, requests without an
 * answer.
 */
export const testInChromium = test.skipIf(isFirefox);

const CHROMIUM_PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const FIREFOX_PLACES = [process.env.FIREFOX_PATH, '/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** A quiet browser: nothing of its own in the network, and no sandbox, which containers cannot give it. */
export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const reported = new Set<string>();

/** Where the browser is; undefined when there is none and tests in it may be left out. */
export function findChromium(): string | undefined {
  return isFirefox ? undefined : findBrowser('Chromium', 'CHROMIUM_PATH', CHROMIUM_PLACES);
}

export const findFirefox = () => findBrowser('Firefox', 'FIREFOX_PATH', FIREFOX_PLACES);

function findBrowser(name: string, variable: string, places: (string | undefined)[]): string | undefined {
  const path = places.find((place) => place && existsSync(place));
  if (path) return path;
  const sentence = `No ${name} was found (${variable}, /usr/bin): the tests in it`;
  if (process.env.CI || process.env.REQUIRE_BROWSER) throw new Error(`${sentence} cannot run.`);
  if (!reported.has(name)) console.log(`${sentence} are left out.`);
  reported.add(name);
  return undefined;
}

/** @param withBackForwardCache automation switches it off unless told otherwise */
export function launchChromium(path: string, withBackForwardCache = false): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    args: CHROMIUM_ARGUMENTS,
    ...(withBackForwardCache && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  });
}

// Stock Firefox speaks only BiDi, which playwright-core hides behind this channel.
export const launchFirefox = (executablePath: string) =>
  firefox.launch({ channel: 'moz-firefox', executablePath });

/** For tests that mean no browser above others: Chromium, or Firefox where BROWSER asks for it. */
export const findAnyBrowser = () => (isFirefox ? findFirefox() : findChromium());

export const launchAnyBrowser = (path: string, withBackForwardCache = false) =>
  isFirefox ? launchFirefox(path) : launchChromium(path, withBackForwardCache);

/** A group of tests that share a browser; left out when there is none. */
export function describeInBrowser(name: string, body: (browser: () => Browser) => void): void {
  const path = findAnyBrowser();
  describe.if(path !== undefined)(name, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await launchAnyBrowser(path ?? '', true);
    }, BROWSER_TEST_TIMEOUT_MS);
    afterAll(() => browser?.close());
    body(() => {
      if (!browser) throw new Error('the browser did not start');
      return browser;
    });
  });
}
