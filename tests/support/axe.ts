import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** WCAG 2.2 AA and good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** All that a page's colours decide; they are most of what a look takes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** Half as long as the one that the module gives. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Faults that axe finds by all rules, or by those about colours, and whether the page has to be scrolled sideways. */
export async function faultsOf(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  // Evaluated by the debugger: the page's Content Security Policy lets no script tag in.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const runOnly = rules === 'all' ? TAGS : COLOUR_RULES;
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `axe.run({
      runOnly: ${JSON.stringify(runOnly)},
      resultTypes: ['violations'], // the others are not described, which takes a quarter of the time
      // What an open menu covers in part is measured by the rest of it.
      rules: ${rules === 'all'} && document.querySelector('.menu-list') ? { 'target-size': { enabled: false } } : {},
    }).then(({ violations }) => violations)`,
  );
  return [
    ...found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    ...((await isTooWide(page)) ? ['wider than the window'] : []),
    ...((await isMenuCut(page)) ? ['a menu is cut off at the side'] : []),
  ];
}

/**
 * Faults of the page as it stands: wide and light, wide and dark, where only colours are others, and as narrow as WCAG
 * wants it, still dark. Its window is then as wide as before, and light.
 */
export async function faultsInEveryLook(page: Page): Promise<string[]> {
  const before = page.viewportSize() ?? { width: 1280, height: 900 };
  const faults: string[] = [];
  const look = async (name: string, rules: 'all' | 'colours') => {
    faults.push(...(await faultsOf(page, rules)).map((fault) => `${name}: ${fault}`));
  };
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await look('light', 'all');
  await page.emulateMedia({ colorScheme: 'dark' });
  await look('dark', 'colours');
  await page.setViewportSize({ width: 320, height: 640 });
  await look('narrow and dark', 'all');
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}

export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > innerWidth');
}

/** Lists hang where their buttons are; to the left of the window nothing can be scrolled to. */
function isMenuCut(page: Page): Promise<boolean> {
  return page.evaluate(`[...document.querySelectorAll('.menu-list')].some((list) => {
    const { left, right } = list.getBoundingClientRect();
    const around = (list.closest('dialog') ?? document.documentElement).getBoundingClientRect();
    return left < around.left || right > around.right;
  })`);
}
