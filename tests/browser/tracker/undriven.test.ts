import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROWSER_TEST_TIMEOUT_MS, CHROMIUM_ARGUMENTS, findChromium } from '../../support/browser.ts';
import { startCollector } from '../../support/collector.ts';
import { ENDLESS_PAUSES, startSite, tag } from '../../support/site.ts';

const chromiumPath = findChromium();

/**
 * What a driven browser does not do: it neither hides a tab behind another nor activates a page that it has
 * prerendered. Here Chromium runs alone, and the page itself acts.
 */
const inChromium = (
  name: string,
  pages: Parameters<typeof startSite>[1],
  check: (c: Setting) => Promise<void>,
  head = '',
) =>
  test.if(Boolean(chromiumPath)).concurrent(
    name,
    async () => {
      const collector = startCollector();
      const site = startSite(head + tag(collector), pages);
      const profile = await mkdtemp(join(tmpdir(), 'pagemeter-chromium-'));
      const browser = Bun.spawn(
        [
          `${chromiumPath}`,
          '--headless=new',
          ...CHROMIUM_ARGUMENTS,
          '--disable-popup-blocking',
          `--user-data-dir=${profile}`,
          site.origin,
        ],
        { stdout: 'ignore', stderr: 'ignore' },
      );
      try {
        await check({ collector, origin: site.origin });
      } finally {
        browser.kill();
        await browser.exited;
        site.stop();
        await collector.stop();
        await rm(profile, { recursive: true, force: true, maxRetries: 5 });
      }
    },
    BROWSER_TEST_TIMEOUT_MS,
  );

type Setting = { collector: ReturnType<typeof startCollector>; origin: string };

inChromium(
  'a tab that is really hidden behind another sends at once',
  {
    '/': `<script>
      addEventListener('load', () => setTimeout(() => {
        document.addEventListener('visibilitychange', () => AnalyticsTracker.track('hidden', { at: Date.now() }));
        AnalyticsTracker.track('opening', { at: Date.now() });
        open('/front');
      }, 500));
    </script>`,
  },
  async ({ collector, origin }) => {
    await collector.until(() => collector.events.some(({ properties }) => properties?.name === 'opening'));
    const [first] = collector.requests;
    expect(first?.events.map(({ url, properties }) => properties?.name ?? url)).toEqual([
      `${origin}/`,
      'opening',
    ]);
    const opened = first?.events[1]?.timestamp ?? 0;
    const loaded = first?.events[0]?.timestamp ?? 0;
    expect(opened).toBeGreaterThan(loaded);
  },
  ENDLESS_PAUSES,
);

/** When the second page told, as it was loaded and not shown yet. */
const prerendered = Promise.withResolvers<number>();

inChromium(
  'a page that is prerendered is counted when it is shown, once',
  {
    '/': `<script type="speculationrules">{"prerender":[{"source":"list","urls":["/next"]}]}</script>
      <script>fetch('/when-to-go').then(() => { location.href = '/next'; });</script>`,
    '/next': `<script>
      const wasPrerendered = document.prerendering;
      addEventListener('load', () => {
        AnalyticsTracker.track('loaded', { wasPrerendered });
        fetch('/prerendered');
      });
    </script>`,
    '/prerendered': () => {
      prerendered.resolve(Date.now());
      return new Response();
    },
    '/when-to-go': async () => {
      await prerendered.promise;
      await Bun.sleep(100); // two instants that any clock tells apart
      return new Response();
    },
  },
  async ({ collector, origin }) => {
    const named = () => collector.events.find(({ properties }) => properties?.name === 'loaded');
    const views = () =>
      collector.events.filter(({ url, eventType }) => url === `${origin}/next` && eventType === 'pageview');
    await collector.until(() => Boolean(named()) && views().length > 0);
    expect(named()?.properties?.wasPrerendered).toBe(true);
    expect(views().length).toBe(1);
    expect(views()[0]?.timestamp).toBeGreaterThan(await prerendered.promise);
  },
);
