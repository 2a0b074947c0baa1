import { expect, test } from 'bun:test';
import { BROWSER_TEST_TIMEOUT_MS, describeInBrowser } from '../../support/browser.ts';
import { tag } from '../../support/site.ts';
import { trackedPage } from '../../support/tracked-page.ts';

describeInBrowser('pages', (browser) => {
  const inPage = (name: string, body: () => Promise<void>) =>
    test.concurrent(name, body, BROWSER_TEST_TIMEOUT_MS);

  inPage('a page is counted on load and sent as JSON at once, without a call', async () => {
    await using t = await trackedPage(browser());
    await t.open('/start?x=1');
    await t.collector.until(() => t.collector.requests.length > 0);
    const [request] = t.collector.requests;
    expect(request?.path).toBe('/api/v1/events');
    expect(request?.contentType).toBe('application/json');
    expect(t.story).toEqual(['/start?x=1']);
    expect(t.problems).toEqual([]);
  });

  inPage('navigation within a page is counted as the history says', async () => {
    await using t = await trackedPage(browser());
    await t.open('/');
    await t.collector.until(() => t.story.length > 0);
    expect(t.story).toEqual(['/']); // the load
    const steps: [name: string, step: () => unknown, views: string[]][] = [
      ['pushState', () => history.pushState({}, '', '/a'), ['/a']],
      ['replaceState', () => history.replaceState({}, '', '/b'), ['/b']],
      ['replaceState without an address', () => history.replaceState({ n: 1 }, ''), []],
      ['replaceState of the query', () => history.replaceState({}, '', '/b?x=1'), []],
      ['pushState of the query', () => history.pushState({}, '', '/b?x=2'), ['/b?x=2']],
      [
        'a redirect within a task',
        () => {
          history.pushState({}, '', '/tmp');
          history.replaceState({}, '', '/c');
        },
        ['/c'],
      ],
      ['pushState of the same address', () => history.pushState({}, '', '/c'), []],
      ['a fragment by pushState', () => history.pushState({}, '', '#x'), []],
      [
        'a fragment by location',
        () => {
          location.hash = '#y';
        },
        [],
      ],
      [
        'going back',
        () =>
          new Promise((resolve) => {
            addEventListener('popstate', () => setTimeout(resolve, 50), { once: true });
            history.go(-4);
          }),
        ['/b?x=2'],
      ],
      [
        'an address that is refused',
        () => {
          let name = '';
          try {
            history.pushState({}, '', 'http://[');
          } catch (error) {
            name = (error as Error).name;
          }
          if (name !== 'SecurityError') throw new Error(`the page saw ${name}`);
        },
        [],
      ],
    ];
    for (const [name, step, views] of steps) {
      const before = t.story.length;
      await t.page.evaluate(step);
      await t.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 20)));
      await t.flush();
      expect([name, ...t.story.slice(before)]).toEqual([name, ...views]);
    }
    const referrers = t.collector.events.map(({ referrer }) => referrer?.replace(t.site.origin, ''));
    expect(referrers.slice(0, 4)).toEqual([undefined, '/', '/a', '/b?x=1']);
    expect(t.problems).toEqual([]);
  });

  inPage("navigation by the browser's Navigation API is counted like that by the history", async () => {
    await using t = await trackedPage(browser(), {
      head: (collector) => `<script>
        navigation.addEventListener('navigate', (event) => event.canIntercept && event.intercept({}));
      </script>${tag(collector)}`,
      pages: { '/': '<a href="/link">x</a>' },
    });
    await t.open('/');
    const steps: [name: string, step: () => unknown, events: string[]][] = [
      ['navigate', () => window.navigation.navigate('/a').finished, ['/a']],
      [
        'navigate by replacing',
        () => window.navigation.navigate('/b', { history: 'replace' }).finished,
        ['/b'],
      ],
      ['replace the query', () => window.navigation.navigate('/b?x=1', { history: 'replace' }).finished, []],
      ['another query', () => window.navigation.navigate('/b?x=2').finished, ['/b?x=2']],
      ['a new state', () => window.navigation.updateCurrentEntry({ state: 1 }), []],
      ['a fragment', () => window.navigation.navigate('#x').finished, []],
      ['back', () => window.navigation.back().finished, []],
      ['further back', () => window.navigation.back().finished, ['/b?x=1']],
      ['pushState', () => history.pushState({}, '', '/c'), ['/c']],
      ['a link', () => document.querySelector('a')?.click(), ['click', '/link']],
    ];
    await t.flush();
    for (const [name, step, events] of steps) {
      const before = t.story.length;
      await t.page.evaluate(step as () => void);
      await t.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 20)));
      await t.flush();
      expect([name, ...t.story.slice(before)]).toEqual([name, ...events]);
    }
    expect(t.problems).toEqual([]);
  });

  inPage('with data-hash fragments are pages', async () => {
    await using t = await trackedPage(browser(), { attributes: 'data-hash' });
    await t.open('/#/one');
    await t.page.evaluate(() => {
      location.hash = '#/two';
    });
    await t.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    await t.flush();
    expect(t.story).toEqual(['/#/one', '/#/two']);
  });

  inPage('a page that comes back from the back-forward cache is counted again and sends', async () => {
    await using t = await trackedPage(browser());
    await t.open('/one');
    await t.page.evaluate(() => Object.assign(window, { isSame: true }));
    await t.open('/two');
    // Not page.goBack(), which waits for a load that a restored page does not have.
    await t.page.evaluate(() => history.back()).catch(() => {});
    await t.page.waitForFunction(() => location.pathname === '/one');
    expect(await t.page.evaluate(() => 'isSame' in window)).toBe(true);
    await t.track('after');
    await t.flush();
    await t.collector.until(() => t.collector.events.length === 4);
    expect(t.story.sort()).toEqual(['/one', '/one', '/two', 'after']);
    const sent = t.collector.requests.flatMap(({ events }) => events);
    expect(sent.filter((event) => !('engagedSeconds' in event)).length).toBe(4); // others report engagement
    const reasons = await t.page.evaluate(() => {
      const [entry] = performance.getEntriesByType('navigation');
      return (
        (entry as PerformanceNavigationTiming & { notRestoredReasons?: unknown }).notRestoredReasons ?? null
      );
    });
    expect(reasons).toBe(null);
  });

  inPage('two tabs share the visitor and not the session, which a reload keeps', async () => {
    await using t = await trackedPage(browser());
    await t.open('/one');
    await t.flush();
    await t.open('/reloaded');
    await t.flush();
    const tab = await t.newPage();
    await t.open('/tab', tab);
    await t.flush(tab);
    const [one, reloaded, other] = t.collector.events;
    expect(new Set(t.collector.events.map(({ visitorId }) => visitorId)).size).toBe(1);
    expect(reloaded?.sessionId).toBe(one?.sessionId as string);
    expect(other?.sessionId).not.toBe(one?.sessionId as string);
  });
});
