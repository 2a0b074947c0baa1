import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where the browser is; undefined when there is none and tests in it may be left out. */
export function findChromium(): string | undefined {
  const path = PLACES.find((place) => place && existsSync(place));
  if (path) return path;
  const sentence = 'No Chromium was found (CHROMIUM_PATH, /usr/bin/chromium): the tests in a browser';
  if (process.env.CI || process.env.REQUIRE_BROWSER) throw new Error(`${sentence} cannot run.`);
  console.log(`${sentence} are left out.`);
  return undefined;
}

/** @param withBackForwardCache automation switches it off unless told otherwise */
export function launchChromium(path: string, withBackForwardCache = false): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    ...(withBackForwardCache && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  });
}
