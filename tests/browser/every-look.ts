import type { Browser, Page } from 'playwright-core';
import { faultsOf } from '../support/axe.ts';
import { findChromium, findFirefox, launchChromium, launchFirefox } from '../support/browser.ts';
import { createFullStage, type PageState, pageStates, strangerStates } from './dashboard/page-states.ts';

/**
 * Every page in every state, at four widths, light and dark, in Chromium and Firefox, as axe-core sees it:
 * `bun tests/browser/every-look.ts [part of a name]`. A quarter of an hour, so tests take a sample of it.
 */

const WIDTHS = [360, 768, 1280, 1720];
const SCHEMES = ['light', 'dark'] as const;

const wanted = process.argv[2] ?? '';
const stage = await createFullStage();
let looks = 0;
let faults = 0;
try {
  await lookWith('Chromium', await launchChromium(findChromium() ?? ''));
  await lookWith('Firefox', await launchFirefox(findFirefox() ?? ''));
} finally {
  await stage.close();
}
console.log(`${looks} looks, ${faults} faults.`);
process.exit(faults > 0 ? 1 : 0);

async function lookWith(name: string, browser: Browser): Promise<void> {
  await lookAtAll(name, browser, pageStates(stage), false);
  await lookAtAll(name, browser, strangerStates(stage), true);
  await browser.close();
}

async function lookAtAll(name: string, browser: Browser, states: PageState[], isStranger: boolean) {
  const { page, complaints, close } = await stage.open(browser, '/', { isStranger, reducedMotion: 'reduce' });
  for (const state of states) {
    if (!state[0].includes(wanted)) continue;
    for (const width of WIDTHS) await lookAt(page, state, width, name);
  }
  for (const complaint of complaints) report(`${name}: ${complaint}`);
  await close();
}

/** Opens a page again for each width: what is open may depend on it. */
async function lookAt(page: Page, [name, path, before]: PageState, width: number, browser: string) {
  await page.setViewportSize({ width, height: width < 700 ? 740 : 900 });
  await page.goto(path);
  await before?.(page);
  await page.evaluate('scrollTo(0, 0)'); // what the bar at the top covers in part is too small for axe
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    looks += 1;
    for (const fault of await faultsOf(page))
      report(`${browser}, ${name}, ${width} px, ${colorScheme}: ${fault}`);
  }
}

function report(fault: string): void {
  faults += 1;
  console.log(fault);
}
