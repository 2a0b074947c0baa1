import { expect, test } from 'bun:test';
import { BROWSER_TEST_TIMEOUT_MS, describeInBrowser } from '../../support/browser.ts';
import { startCollector } from '../../support/collector.ts';
import { CODE, tag } from '../../support/site.ts';
import { trackedPage } from '../../support/tracked-page.ts';

type Origin = { origin: string };

const imported = ({ origin }: Origin) => `<script type="module">
    await import('${origin}/tracker.js');
    AnalyticsTracker.init({ trackingCode: '${CODE}' });
  </script>`;
const inline = async ({ origin }: Origin) => {
  const text = await (await fetch(`${origin}/tracker.js`)).text();
  return `<script>TRACKER_CODE = '${CODE}';</script><script>${text}</script>`;
};

/** Who writes a link to a page, or what a page shows between its own tags, decides nothing about the events of it. */
describeInBrowser('strangers', (browser) => {
  type Case = {
    head: (own: Origin) => string | Promise<string>;
    body?: (evil: Origin) => string;
    query?: (evil: Origin) => string;
  };
  const cases: [name: string, Case][] = [
    [
      'the address of a page, for a script that is imported',
      {
        head: imported,
        query: ({ origin }) => `?api=${origin}/api/v1/events`,
      },
    ],
    [
      'the address of a page, for a script that stands in it',
      { head: inline, query: ({ origin }) => `?api=${origin}/api/v1/events` },
    ],
    [
      'an element with the attributes of a tag, for a script that is imported',
      {
        head: imported,
        body: ({ origin }) => `<div data-tracking-code="pm-evil" data-api-url="${origin}/e"></div>`,
      },
    ],
    [
      'an element that is named like a setting',
      { head: tag, body: ({ origin }) => `<a id="TRACKER_API" href="${origin}/api/v1/events"></a>` },
    ],
    [
      'an element that is named like what tells the script',
      {
        head: ({ origin }) =>
          `<script defer src="${origin}/tracker.js" data-tracking-code="${CODE}"></script>`,
        body: ({ origin }) =>
          `<img name="currentScript" data-tracking-code="pm-evil" data-api-url="${origin}/e">`,
      },
    ],
  ];
  for (const [name, { head, body, query }] of cases) {
    test.concurrent(
      `do not get the events by ${name}`,
      async () => {
        const evil = startCollector();
        const own = startCollector();
        const content = (await head(own)) + (body?.(evil) ?? '');
        try {
          await using t = await trackedPage(browser(), { head: () => '', pages: { '/': content } });
          await t.open(`/${query?.(evil) ?? ''}`);
          await t.page.waitForLoadState();
          await t.flush();
          expect(evil.requests).toEqual([]);
          expect(head === inline || own.events.length === 1).toBe(true);
        } finally {
          await own.stop();
          await evil.stop();
        }
      },
      BROWSER_TEST_TIMEOUT_MS,
    );
  }
});
