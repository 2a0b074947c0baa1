import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { recipesFor } from '../../../src/dashboard/install/recipes.ts';
import { BROWSER_TEST_TIMEOUT_MS, describeInBrowser } from '../../support/browser.ts';
import { CODE } from '../../support/site.ts';
import { trackedPage } from '../../support/tracked-page.ts';

/** The recipes for Tag Manager, on a page that inserts them as its tags "Custom HTML" are. */

const DOCS = readFileSync(join(import.meta.dir, '../../../docs/tracker.md'), 'utf8');

/** That of the documentation. @throws Error when there is none */
function recipeOfDocs(origin: string): string {
  const found = /## Google Tag Manager[\s\S]*?```html\n([\s\S]*?)```/.exec(DOCS)?.[1];
  if (!found) throw new Error('docs/tracker.md has no recipe for Google Tag Manager.');
  return found.replace('https://meter.example.com', origin).replace('pm-…', CODE);
}

/** That of the dashboard. */
function recipeOfDashboard(origin: string): string {
  const given = { origin, script: '/m.js', collect: '/m', trackingCode: CODE };
  return recipesFor(given).find(({ id }) => id === 'gtm')?.code ?? '';
}

/**
 * The HTML comes as text, after the page. The parsed scripts do not run, so each is recreated, and
 * its text and its address are all that the new one takes over.
 */
async function insert(page: Page, html: string): Promise<void> {
  await page.evaluate((html) => {
    const holder = document.createElement('div');
    holder.innerHTML = html;
    for (const parsed of holder.querySelectorAll('script')) {
      const script = document.createElement('script');
      script.text = parsed.text;
      if (parsed.src) script.src = parsed.src;
      document.body.append(script);
    }
  }, html);
}

describeInBrowser('tag manager', (browser) => {
  test.concurrent.each([
    ['the documentation', recipeOfDocs],
    ['the dashboard', recipeOfDashboard],
  ] as const)(
    'the recipe of %s counts the page, its navigation and events of its own',
    async (_, recipe) => {
      await using t = await trackedPage(browser(), { head: () => '' });
      await t.page.goto(t.site.origin);
      await insert(t.page, recipe(t.collector.origin));
      await t.page.waitForFunction(() => window.AnalyticsTracker?.version);
      await t.page.evaluate(() => history.pushState({}, '', '/next'));
      await t.track('signup');
      await t.flush();
      expect(t.story).toEqual(['/', '/next', 'signup']);
      expect(t.collector.events.map(({ trackingCode }) => trackingCode)).toEqual([CODE, CODE, CODE]);
      expect(t.problems).toEqual([]);
    },
    BROWSER_TEST_TIMEOUT_MS,
  );
});
