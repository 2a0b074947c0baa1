import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds, and whether the page has to be scrolled sideways. */
export async function faultsOf(page: Page): Promise<string[]> {
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
