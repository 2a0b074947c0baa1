import { expect, test } from 'bun:test';
import { BROWSER_TEST_TIMEOUT_MS } from '../../support/browser.ts';
import { startCollector } from '../../support/collector.ts';
import { ENDLESS_PAUSES, startSite, tag } from '../../support/site.ts';
import { type Engine, hasBrowser, openUndriven } from '../../support/undriven-browser.ts';

type Setting = { collector: ReturnType<typeof startCollector>; origin: string };
type Case = {
  /** Head of every page; by default the tag of the documentation. */
  head?: (collector: { origin: string }) => string;
  pages?: (collector: { origin: string }) => Parameters<typeof startSite>[1];
  check: (setting: Setting) => Promise<void>;
};

/**
 * Behaviour that a driven browser lacks: it neither hides a tab behind another, nor activates a page that it has
 * prerendered, nor forgets pages of its back-forward cache. Here a browser runs alone, and the page itself acts.
 */
const inBrowser = (engine: Engine, name: string, { head = tag, pages = () => ({}), check }: Case) =>
  test.if(hasBrowser(engine)).concurrent(
    `${name} (${engine})`,
    async () => {
      const collector = startCollector();
      const site = startSite(head(collector), pages(collector));
      try {
        await using _browser = await openUndriven(engine, site.origin);
        await check({ collector, origin: site.origin });
      } finally {
        site.stop();
        await collector.stop();
      }
    },
    BROWSER_TEST_TIMEOUT_MS,
  );

inBrowser('Chromium', 'a tab that is really hidden behind another sends at once', {
  head: (collector) => ENDLESS_PAUSES + tag(collector),
  pages: () => ({
    '/': `<script>
      addEventListener('load', () => setTimeout(() => {
        document.addEventListener('visibilitychange', () => AnalyticsTracker.track('hidden', { at: Date.now() }));
        AnalyticsTracker.track('opening', { at: Date.now() });
        open('/front');
      }, 500));
    </script>`,
  }),
  async check({ collector, origin }) {
    await collector.until(() => collector.events.some(({ properties }) => properties?.name === 'opening'));
    const [loaded, opening] = collector.events;
    expect([loaded, opening].map((event) => event?.properties?.name ?? event?.url)).toEqual([
      `${origin}/`,
      'opening',
    ]);
    expect(opening?.timestamp ?? 0).toBeGreaterThan(loaded?.timestamp ?? 0);
  },
});

/** When the second page told, as it was loaded and not shown yet. */
const prerendered = Promise.withResolvers<number>();

inBrowser('Chromium', 'a page that is prerendered is counted when it is shown, once', {
  pages: () => ({
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
  }),
  async check({ collector, origin }) {
    const named = () => collector.events.find(({ properties }) => properties?.name === 'loaded');
    const views = () =>
      collector.events.filter(({ url, eventType }) => url === `${origin}/next` && eventType === 'pageview');
    await collector.until(() => Boolean(named()) && views().length > 0);
    expect(named()?.properties?.wasPrerendered).toBe(true);
    expect(views().length).toBe(1);
    expect(views()[0]?.timestamp).toBeGreaterThan(await prerendered.promise);
  },
});

const BEATS = 20;
const PAGES = 12;

for (const engine of ['Chromium', 'Firefox'] as const) {
  // A document that is gone runs on in Chromium, in the process of the pages that are left; its timers do not.
  const posted = Promise.withResolvers<void>();
  let beats = 0;

  inBrowser(engine, 'a page lives on when a frame of it is removed whose events are on their way', {
    head: () => '',
    pages: (collector) => ({
      '/': `<iframe id="frame" src="/frame"></iframe><script>
        const beat = async () => {
          for (let n = 0; n < ${BEATS}; n++) {
            await fetch('/beat');
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        };
        fetch('/when-posted').then(() => { frame.remove(); beat(); });
      </script>`,
      '/frame': `${tag(collector)}<script>addEventListener('load', () => AnalyticsTracker.flush());</script>`,
      '/when-posted': () => posted.promise.then(() => new Response()),
      '/beat': () => {
        beats++;
        return new Response();
      },
    }),
    async check({ collector }) {
      const isOver = Promise.withResolvers<number>();
      collector.reactWith(() => {
        posted.resolve();
        return isOver.promise;
      });
      await collector.until(() => beats === BEATS);
      isOver.resolve(201);
      await collector.until(() => collector.events.length === 1);
      expect(collector.requests.length).toBe(1);
    },
  });

  inBrowser(
    engine,
    'a visitor who clicks from page to page gets to the last one, and everything is counted',
    {
      head: (collector) => `${tag(collector)}<script>
      addEventListener('load', () => setTimeout(() => {
        const next = +location.pathname.slice(1) + 1;
        const link = document.body.appendChild(document.createElement('a'));
        link.href = '/' + next;
        next < ${PAGES} ? link.click() : AnalyticsTracker.flush();
      }, 1_000));
    </script>`,
      async check({ collector, origin }) {
        await collector.until(() => collector.events.length === 2 * PAGES - 1);
        const views = collector.events.filter(({ eventType }) => eventType === 'pageview');
        const paths = views.map(({ url }) => url.replace(origin, ''));
        expect(paths.sort()).toEqual(Array.from({ length: PAGES }, (_, n) => `/${n || ''}`).sort());
      },
    },
  );
}
