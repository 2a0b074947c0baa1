import { expect, test } from 'bun:test';
import { BROWSER_TEST_TIMEOUT_MS, describeInBrowser } from '../../support/browser.ts';
import { trackedPage } from '../../support/tracked-page.ts';

const PAGES = {
  '/': `
    <a id="plain" href="/next">Next</a>
    <a id="blank" href="/blank" target="_blank">Blank</a>
    <svg width="100" height="30"><a id="svg" href="/svg"><text y="20">Svg</text></a></svg>
    <a id="mail" href="mailto:hello@site.example">Mail</a>
    <button data-track-event="buy" data-track-prop-plan="pro"><span>Buy</span></button>
    <form id="news" action="javascript:void 0"><input name="id" value="7"><button>Subscribe</button></form>
    <div id="host"></div>
    <script>
      document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '<a href="#shadow">Shadow</a>';
      addEventListener('click', (event) => { window.wasPrevented = event.defaultPrevented; });
      document.querySelector('#mail').addEventListener('click', (event) => event.preventDefault());
    </script>`,
};

describeInBrowser('clicks', (browser) => {
  const inPage = (name: string, body: () => Promise<void>) =>
    test.concurrent(name, body, BROWSER_TEST_TIMEOUT_MS);
  const opened = async () => {
    const t = await trackedPage(browser(), { pages: PAGES });
    await t.open();
    await t.flush();
    return t;
  };

  inPage('a link that leaves the page is counted, and the page is left as without the tracker', async () => {
    await using t = await opened();
    await t.page.evaluate(() => {
      addEventListener('pagehide', () => {
        const { wasPrevented } = window as Window & { wasPrevented?: boolean };
        sessionStorage.setItem('prevented', String(wasPrevented));
      });
    });
    await t.page.click('#plain');
    await t.page.waitForURL('**/next');
    expect(await t.page.evaluate(() => sessionStorage.getItem('prevented'))).toBe('false');
    await t.page.waitForFunction(() => window.AnalyticsTracker?.version);
    await t.flush();
    await t.collector.until(() => t.collector.events.length === 3);
    expect(t.story).toEqual(['/', 'click', '/next']);
    expect(t.collector.events[1]?.properties).toEqual({
      href: `${t.site.origin}/next`,
      text: 'Next',
      id: 'plain',
      type: 'internal',
    });
  });

  inPage('a form that has a field by the name of id is submitted under its own', async () => {
    await using t = await trackedPage(browser(), { pages: PAGES });
    await t.open();
    await t.page.evaluate(() => {
      window.AnalyticsTracker?.init({ forms: true });
      // What a framework keeps at a field may lead back to it.
      for (const field of document.querySelectorAll('input')) Object.assign(field, { own: field });
    });
    await t.page.click('#news button');
    await t.flush();
    await t.collector.until(() => t.collector.events.length === 2);
    expect(t.collector.events[1]?.properties).toEqual({ name: 'form submit', id: 'news' });
  });

  const ways: [string, string, object][] = [
    ['a new tab by its target', '#blank', {}],
    ['a new tab by Ctrl', '#plain', { modifiers: ['Control'] }],
    ['a new tab by the middle button', '#plain', { button: 'middle' }],
  ];
  for (const [name, selector, options] of ways) {
    inPage(`a link that opens ${name} does so, and is counted once`, async () => {
      await using t = await opened();
      const [tab] = await Promise.all([t.context.waitForEvent('page'), t.page.click(selector, options)]);
      await tab.waitForLoadState();
      await t.flush();
      expect(new URL(t.page.url()).pathname).toBe('/');
      expect(t.story.filter((word) => word === 'click').length).toBe(1);
    });
  }

  inPage('a link in an SVG and one in a shadow root are counted', async () => {
    await using t = await opened();
    await t.page.click('#host a');
    await t.page.click('#svg text');
    await t.page.waitForURL('**/svg');
    await t.collector.until(() => t.collector.events.length >= 3);
    expect(t.collector.events.slice(1, 3).map(({ properties }) => properties?.text)).toEqual([
      'Shadow',
      'Svg',
    ]);
  });

  inPage('a link that the page prevents is counted, and so is an element with a name', async () => {
    await using t = await opened();
    await t.page.click('#mail');
    await t.page.click('button span');
    await t.flush();
    expect(t.collector.events.slice(1).map(({ properties }) => properties)).toEqual([
      { href: 'mailto:hello@site.example', text: 'Mail', id: 'mail', type: 'mailto' },
      { plan: 'pro', name: 'buy' },
    ]);
    expect(t.problems).toEqual([]);
  });
});
