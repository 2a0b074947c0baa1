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
/** Properties that the script reads of the document, of forms and of other elements. */
const DOCUMENT_NAMES = ['querySelector', 'currentScript', 'referrer', 'baseURI', 'hidden', 'prerendering'];
const FORM_NAMES = ['matches', 'getAttribute', 'attributes', 'dataset', 'id'];

describeInBrowser('strangers', (browser) => {
  test.concurrent(
    'elements that are named like properties of the document or a form stop no event',
    async () => {
      const images = DOCUMENT_NAMES.map((name) => `<img name="${name}" alt="">`);
      const fields = FORM_NAMES.map((name) => `<input name="${name}">`);
      await using t = await trackedPage(browser(), {
        head: ({ origin }) =>
          `<script>Object.prototype.exclude = '/**'; Object.prototype.auto = 'false';</script>
           <script defer src="${origin}/tracker.js" data-tracking-code="${CODE}" data-forms data-exclude="" data-auto="true"></script>`,
        pages: {
          '/': `${images.join('')}<form id="news" action="javascript:void 0" data-track-event="sign up" data-track-prop-plan="pro">
            ${fields.join('')}<a href="#x">Link</a><button>Send</button></form>`,
        },
      });
      await t.open();
      await t.page.waitForLoadState();
      // Not by the driver, which these elements mislead.
      await t.page.evaluate(() => {
        for (const name of ['a', 'button'])
          document.getElementsByTagName(name)[0]?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      });
      await t.flush();
      expect(t.story).toEqual(['/', 'click', 'sign up']);
      expect(t.collector.events.at(-1)?.properties).toEqual({ plan: 'pro', name: 'sign up' });
      expect(t.problems).toEqual([]);
    },
    BROWSER_TEST_TIMEOUT_MS,
  );

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
