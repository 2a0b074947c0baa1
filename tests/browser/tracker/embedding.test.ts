import { expect, test } from 'bun:test';
import { buildTrackerScript } from '../../../src/assets/tracker-script.ts';
import type { TrackerEvent } from '../../../tracker/index.d.ts';
import { BROWSER_TEST_TIMEOUT_MS, describeInBrowser } from '../../support/browser.ts';
import { startCollector } from '../../support/collector.ts';
import { CODE, ENDLESS_PAUSES, startSite, tag } from '../../support/site.ts';
import { trackedPage } from '../../support/tracked-page.ts';

async function scriptOfService(): Promise<Response> {
  return new Response((await buildTrackerScript()).body, { headers: { 'Content-Type': 'text/javascript' } });
}

describeInBrowser('embedding', (browser) => {
  const inPage = (name: string, body: () => Promise<void>) =>
    test.concurrent(name, body, BROWSER_TEST_TIMEOUT_MS);

  inPage('two scripts on one page count everything once', async () => {
    await using t = await trackedPage(browser(), {
      head: (collector) => tag(collector) + tag(collector, '', 'tracker.js?again'),
      pages: { '/': '<a href="#x">x</a>' },
    });
    await t.open();
    await t.page.waitForLoadState();
    await t.page.click('a');
    await t.page.evaluate(() => history.pushState({}, '', '/a'));
    await t.flush();
    expect(t.story).toEqual(['/', 'click', '/a']);
  });

  inPage('two scripts with different codes, of two services, count everything for each', async () => {
    const other = startCollector();
    try {
      await using t = await trackedPage(browser(), {
        head: (collector) =>
          `${tag(collector)}<script async src="${other.origin}/tracker.js" data-tracking-code="pm-other"></script>`,
        pages: { '/': '<a href="#x">x</a>' },
      });
      await t.open();
      await t.page.waitForLoadState();
      await t.page.click('a');
      await t.page.evaluate(() => history.pushState({}, '', '/a'));
      await t.track('b');
      await t.flush();
      const types = ({ events }: typeof other) =>
        events.map(({ eventType, trackingCode }) => `${trackingCode} ${eventType}`).sort();
      const each = ['click', 'custom', 'pageview', 'pageview'];
      expect(types(t.collector)).toEqual(each.map((type) => `${CODE} ${type}`));
      expect(types(other)).toEqual(each.map((type) => `pm-other ${type}`));
      expect(t.problems).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  inPage('a page that was opened with a name and a password sends its events', async () => {
    const sent = Promise.withResolvers<TrackerEvent>();
    await using t = await trackedPage(browser(), {
      head: () => `<script src="/m.js" data-tracking-code="${CODE}"></script>`,
      pages: {
        '/m.js': await scriptOfService(),
        '/api/v1/events': async (request) => {
          sent.resolve(await request.json());
          return Response.json({}, { status: 201 });
        },
      },
    });
    await t.page.goto(t.site.origin.replace('//', '//ada:secret@'));
    await t.flush();
    expect((await sent.promise).url).toBe(`${t.site.origin}/`);
  });

  const scripts: [string, (origin: string) => string][] = [
    [
      'imported by a module, which knows where it came from',
      (origin) => `<script type="module">
        await import('${origin}/tracker.js');
        AnalyticsTracker.init({ trackingCode: '${CODE}' });
      </script>`,
    ],
    [
      'inserted by another script, as tag managers do, with its settings in the address',
      (origin) => `<script>
        const script = document.createElement('script');
        script.src = '${origin}/tracker.js?code=${CODE}';
        document.head.append(script);
      </script>`,
    ],
    [
      'loaded as a module',
      (origin) => `<script type="module" src="${origin}/tracker.js" data-tracking-code="${CODE}"></script>`,
    ],
    [
      'configured by window variables',
      (origin) => `<script>TRACKER_CODE = '${CODE}'; TRACKER_API = '${origin}/api/v1/events';</script>
        <script src="${origin}/tracker.js"></script>`,
    ],
    [
      'configured by a stub, whose calls it repeats',
      (origin) => `<script>
        window.AnalyticsTracker = (function (stub) {
          'init track pageview flush optOut optIn'.split(' ').forEach(function (name) {
            stub[name] = function () { stub.q.push([name, arguments]); };
          });
          return stub;
        })({ q: [] });
        AnalyticsTracker.init({ trackingCode: '${CODE}' });
      </script>
      <script async src="${origin}/tracker.js"></script>`,
    ],
  ];
  for (const [name, head] of scripts) {
    inPage(`a script ${name} works`, async () => {
      await using t = await trackedPage(browser(), { head: ({ origin }) => head(origin) });
      await t.open();
      await t.flush();
      expect(t.story).toEqual(['/']);
      expect(t.collector.events[0]?.trackingCode).toBe(CODE);
      expect(t.problems).toEqual([]);
    });
  }

  inPage(
    'a sandboxed frame, whose storage is blocked, is counted with ids that last as long as it',
    async () => {
      await using t = await trackedPage(browser(), {
        head: () => '',
        pages: { '/': '<iframe sandbox="allow-scripts" src="/frame"></iframe>' },
      });
      const frameSite = startSite(tag(t.collector));
      try {
        await t.page.goto(t.site.origin);
        await t.page.evaluate(
          (src) => document.querySelector('iframe')?.setAttribute('src', src),
          `${frameSite.origin}/frame`,
        );
        await t.collector.until(() => t.collector.events.length === 1);
        const frame = t.page.frames()[1];
        await frame?.evaluate(() => {
          window.AnalyticsTracker.track('inside');
          return window.AnalyticsTracker.flush();
        });
        await t.collector.until(() => t.collector.events.length === 2);
        const [view, event] = t.collector.events;
        expect(view?.url).toBe(`${frameSite.origin}/frame`);
        expect([event?.visitorId, event?.sessionId]).toEqual([
          view?.visitorId as string,
          view?.sessionId as string,
        ]);
        expect(t.problems).toEqual([]);
      } finally {
        frameSite.stop();
      }
    },
  );

  inPage('a strict policy with trusted types needs script-src and connect-src only', async () => {
    await using t = await trackedPage(browser(), {
      head: (
        collector,
      ) => `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:;
        script-src ${collector.origin}; connect-src ${collector.origin}; require-trusted-types-for 'script'">${tag(collector)}`,
    });
    await t.page.goto(t.site.origin);
    await t.collector.until(() => t.collector.events.length === 1);
    expect(t.problems).toEqual([]);
  });

  inPage('a script with another name behind a prefix of the site itself sends to that prefix', async () => {
    const forwarded: string[] = [];
    let target = '';
    await using t = await trackedPage(browser(), {
      head: () => `<script async src="/stats/s.js" data-tracking-code="${CODE}"></script>`,
      pages: Object.fromEntries(
        ['s.js', 'api/v1/events', 'api/v1/events/batch'].map((path) => [
          `/stats/${path}`,
          async (request: Request) => {
            forwarded.push(`${request.method} ${path}`);
            const body = request.method === 'POST' ? await request.text() : null;
            return fetch(`${target}/${path}`, {
              method: request.method,
              body,
              headers: { 'Content-Type': 'application/json' },
            });
          },
        ]),
      ),
    });
    target = t.collector.origin;
    await t.open();
    await t.flush();
    await t.track('a', 2);
    await t.flush();
    expect(forwarded).toEqual(['GET s.js', 'POST api/v1/events', 'POST api/v1/events/batch']);
    expect(t.collector.events.length).toBe(3);
    expect(t.collector.preflights).toBe(0);
  });

  inPage('an opt-out sends nothing more, on the next page neither', async () => {
    await using t = await trackedPage(browser(), { head: (collector) => ENDLESS_PAUSES + tag(collector) });
    await t.open('/one');
    await t.collector.until(() => t.story.length === 1); // the first event of a page goes at once
    await t.page.evaluate(() => window.AnalyticsTracker.optOut());
    await t.open('/two');
    await t.track('a', 12);
    await t.flush();
    expect(t.story).toEqual(['/one']);
    expect(await t.page.evaluate(() => Object.keys(localStorage))).toEqual(['_at_off']);
  });

  inPage('an opt-out in one tab drops what waits in another', async () => {
    await using t = await trackedPage(browser(), { head: (collector) => ENDLESS_PAUSES + tag(collector) });
    const other = await t.newPage();
    await t.open('/one');
    await t.open('/two', other);
    await t.collector.until(() => t.story.length === 2);
    await t.track('waits', 3, other);
    // What is stored comes from another process: the other tab hears of it when it does.
    await other.evaluate(() => {
      const isReported = new Promise<void>((resolve) =>
        window.addEventListener('storage', ({ key }) => key === '_at_off' && resolve()),
      );
      Object.assign(window, { isReported });
    });
    await t.page.evaluate(() => {
      window.AnalyticsTracker.optOut();
      window.AnalyticsTracker.optIn();
    });
    await other.evaluate('isReported');
    await t.track('after', 1, other);
    await t.flush(other);
    expect(t.story).toEqual(['/one', '/two', 'after']);
  });

  inPage('without debug the console stays empty, with it the tracker says what it does', async () => {
    await using quiet = await trackedPage(browser());
    await using loud = await trackedPage(browser(), { attributes: 'data-debug' });
    for (const t of [quiet, loud]) {
      await t.open();
      await t.page.evaluate(() => {
        const circular: Record<string, unknown> = {};
        circular.self = circular;
        window.AnalyticsTracker.track('a', circular);
      });
      await t.flush();
    }
    expect(quiet.problems).toEqual([]);
    expect(loud.problems.length).toBeGreaterThan(2);
    expect(loud.problems.every((line) => line.startsWith('log: [AnalyticsTracker]'))).toBe(true);
  });
});
