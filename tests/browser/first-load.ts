import type { Browser } from 'playwright-core';
import { findChromium, launchChromium } from '../support/browser.ts';
import { createStage, type Stage } from './dashboard/stage.ts';

/**
 * How long the first load of a website's page takes on a slow phone, and what all of it weighs: `bun
 * tests/browser/first-load.ts`. Nothing is cached; a processor a quarter as fast as this one, 1.6 Mbit/s, 150 ms there
 * and back. A load ends when nothing has been on its way for a while, so map, flags and the dialogs that are
 * fetched ahead are in it, and so are the answers of the API. No test: machines differ.
 */

const RUNS = 5;
/** Longer than the page waits before it fetches its dialogs. */
const CALM_MS = 3_000;
const KILOBYTE = 1_000;
const SLOW = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

type Load = { interactive: number; figures: number; shift: number; bytes: number };
/** Bytes as they travel, with the heads of the answers. */
type Weights = Map<string, { url: string; bytes: number }>;

const stage = await createStage();
const browser = await launchChromium(findChromium() ?? '');
const loads: Load[] = [];
let weights: Weights = new Map();
for (let run = 0; run < RUNS; run += 1) loads.push(await measure(browser, stage));
await browser.close();
await stage.close();
const median = (name: keyof Load) =>
  loads.map((load) => load[name]).toSorted((a, b) => a - b)[(RUNS - 1) / 2] ?? 0;
console.log(`Medians of ${RUNS} loads:`);
console.log(`  interactive after   ${Math.round(median('interactive'))} ms`);
console.log(`  figures after       ${Math.round(median('figures'))} ms`);
console.log(`  layout shift        ${median('shift').toFixed(3)}`);
console.log(`  bytes               ${toKilobytes(median('bytes'))}, of them in the last load:`);
for (const { url, bytes } of [...weights.values()].toSorted((a, b) => b.bytes - a.bytes))
  console.log(`${toKilobytes(bytes).padStart(12)}  ${new URL(url).pathname}`);

function toKilobytes(bytes: number): string {
  return `${(bytes / KILOBYTE).toFixed(1)} kB`;
}

async function measure(browser: Browser, { open, dashboard }: Stage): Promise<Load> {
  const { page, context, close } = await open(browser, 'about:blank', {
    viewport: { width: 360, height: 740 },
  });
  const debug = await context.newCDPSession(page);
  await debug.send('Network.enable');
  await debug.send('Network.emulateNetworkConditions', SLOW);
  await debug.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  weights = new Map();
  let lastMs = performance.now();
  debug.on('Network.responseReceived', ({ requestId, response: { url, encodedDataLength } }) => {
    if (!url.startsWith('data:')) weights.set(requestId, { url, bytes: encodedDataLength });
    lastMs = performance.now();
  });
  // A stream never ends: of it the head alone is counted.
  debug.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const weight = weights.get(requestId);
    if (weight) weight.bytes = encodedDataLength;
    lastMs = performance.now();
  });
  await page.addInitScript(() => {
    const state = { interactive: 0, figures: 0, shift: 0 };
    Object.assign(globalThis, { load: state });
    new PerformanceObserver((list) => {
      // What TypeScript does not know of: layout-shift entries have a value.
      for (const entry of list.getEntries()) state.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    new MutationObserver(() => {
      const value = document.querySelector('.metric-value');
      if (value && state.interactive === 0) state.interactive = performance.now();
      if (value?.textContent?.trim() && state.figures === 0) state.figures = performance.now();
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await page.goto(dashboard);
  await page.locator('.metric-value', { hasText: /\S/ }).first().waitFor();
  await page.locator('.map-country').first().waitFor({ state: 'attached' });
  while (performance.now() - lastMs < CALM_MS) await page.waitForTimeout(CALM_MS / 10);
  const load = await page.evaluate<Omit<Load, 'bytes'>>('load');
  await close();
  const bytes = [...weights.values()].reduce((sum, weight) => sum + weight.bytes, 0);
  return { ...load, bytes };
}
