import type { Browser } from 'playwright-core';
import { findChromium, launchChromium } from '../support/browser.ts';
import { createStage, type Stage } from './dashboard/stage.ts';

/**
 * How long the first load of a website's page takes on a slow phone: `bun tests/browser/first-load.ts`. Nothing is
 * cached; a processor a quarter as fast as this one, 1.6 Mbit/s, 150 ms there and back. No test: machines differ.
 */

const RUNS = 5;
const KILOBYTE = 1_000;
const SLOW = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

type Load = { interactive: number; figures: number; shift: number; bytes: number };

const stage = await createStage();
const browser = await launchChromium(findChromium() ?? '');
const loads: Load[] = [];
for (let run = 0; run < RUNS; run += 1) loads.push(await measure(browser, stage));
await browser.close();
await stage.close();
const median = (name: keyof Load) =>
  loads.map((load) => load[name]).toSorted((a, b) => a - b)[(RUNS - 1) / 2] ?? 0;
console.log(`Medians of ${RUNS} loads:`);
console.log(`  interactive after   ${Math.round(median('interactive'))} ms`);
console.log(`  figures after       ${Math.round(median('figures'))} ms`);
console.log(`  layout shift        ${median('shift').toFixed(3)}`);
console.log(
  `  bytes               ${(median('bytes') / KILOBYTE).toFixed(1)} kB, answers of the API included`,
);

async function measure(browser: Browser, { open, dashboard }: Stage): Promise<Load> {
  const { page, context, close } = await open(browser, 'about:blank', {
    viewport: { width: 360, height: 740 },
  });
  const debug = await context.newCDPSession(page);
  await debug.send('Network.enable');
  await debug.send('Network.emulateNetworkConditions', SLOW);
  await debug.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  let bytes = 0;
  debug.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
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
  await page.waitForLoadState('networkidle');
  const load = await page.evaluate<Omit<Load, 'bytes'>>('load');
  await close();
  return { ...load, bytes };
}
