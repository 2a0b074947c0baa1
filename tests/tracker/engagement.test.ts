import { describe, expect, test } from 'bun:test';
import type { TrackerEvent } from '../../tracker/index.d.ts';
import { openPage, type PageOptions, settled } from '../support/tracker-page.ts';

type Sent = TrackerEvent & { engagedSeconds?: number; scrollDepth?: number };

/** A page with a clock of its own for engagement, 4,000 pixels high in a window of 1,000. */
function openTimed(options: PageOptions = {}) {
  let nowMs = 0;
  let hasFocus = true;
  const page = openPage({
    globals: { performance: { now: () => nowMs }, innerHeight: 1_000, ...options.globals },
    document: { hasFocus: () => hasFocus, documentElement: { scrollHeight: 4_000 } },
    ...options,
  });
  const fire = (name: string) => page.window.dispatchEvent(new page.window.Event(name));
  return {
    page,
    fire,
    wait: (seconds: number) => {
      nowMs += seconds * 1_000;
    },
    focus(isFocused: boolean) {
      hasFocus = isFocused;
      fire(isFocused ? 'focus' : 'blur');
    },
    scrollTo(top: number) {
      Object.defineProperty(page.window, 'scrollY', { value: top, configurable: true });
      fire('scroll');
    },
    /** Leaves, and returns every report: seconds, depth, and the path of the pageview. */
    async leave() {
      fire('pagehide');
      await settled();
      return reports(page.events as Sent[]);
    },
  };
}

const reports = (events: Sent[]) =>
  events
    .filter(({ engagedSeconds }) => engagedSeconds !== undefined)
    .map(({ engagedSeconds, scrollDepth, url }) => [engagedSeconds, scrollDepth, new URL(url).pathname]);

describe('engagement', () => {
  test('is reported when the page is left, as a repeat of the pageview', async () => {
    const { page, wait, leave } = openTimed();
    await page.pass(0);
    wait(12);
    expect(await leave()).toEqual([[12, 25, '/start']]);
    const [view, report] = page.events as Sent[];
    expect(report).toEqual({ ...(view as Sent), engagedSeconds: 12, scrollDepth: 25 });
  });

  test('is the deepest point that was seen, also after scrolling back', async () => {
    const { wait, scrollTo, leave } = openTimed();
    scrollTo(1_000);
    scrollTo(2_000);
    scrollTo(0);
    wait(3);
    expect(await leave()).toEqual([[3, 75, '/start']]);
  });

  test('never exceeds 100 %, also where the browser scrolls beyond the end', async () => {
    const { wait, scrollTo, leave } = openTimed();
    scrollTo(9_000);
    wait(1);
    expect(await leave()).toEqual([[1, 100, '/start']]);
  });

  test('does not count the time without focus', async () => {
    const { wait, focus, leave } = openTimed();
    wait(10);
    focus(false);
    wait(100);
    focus(true);
    wait(5);
    expect(await leave()).toEqual([[15, 25, '/start']]);
  });

  test('counts a minute after the last sign of the visitor, and again from the next one', async () => {
    const { wait, fire, leave } = openTimed();
    fire('pointermove');
    wait(3_600);
    fire('keydown');
    wait(30);
    expect(await leave()).toEqual([[90, 25, '/start']]);
  });

  test('is reported after a minute without a sign', async () => {
    const { page, wait } = openTimed();
    await page.pass(0);
    wait(60);
    await page.pass(60_000);
    await page.pass(5_000);
    expect(reports(page.events as Sent[])).toEqual([[60, 25, '/start']]);
  });

  test('is reported once when nothing was added', async () => {
    const { wait, leave } = openTimed();
    wait(8);
    await leave();
    expect(await leave()).toEqual([[8, 25, '/start']]);
  });

  test('is not reported below a second', async () => {
    const { wait, leave } = openTimed();
    wait(0.4);
    expect(await leave()).toEqual([]);
  });

  test('begins again with each view of an application', async () => {
    const { page, wait, fire, leave } = openTimed();
    wait(20);
    fire('pointerdown');
    page.window.history.pushState({}, '', '/next');
    await page.pass(0);
    wait(4);
    expect(await leave()).toEqual([
      [20, 25, '/start'],
      [4, 25, '/next'],
    ]);
  });

  test('is not reported by a visitor who opts out', async () => {
    const { page, wait, leave } = openTimed();
    wait(20);
    page.tracker.optOut();
    wait(5);
    expect(await leave()).toEqual([]);
  });

  test('is not reported of a pageview that the filter drops', async () => {
    const { page, wait, leave } = openTimed({ tag: { 'data-tracking-code': 'pm-a', 'data-auto': 'false' } });
    page.tracker.init({ beforeSend: () => null });
    page.tracker.pageview();
    wait(20);
    expect(await leave()).toEqual([]);
  });

  test('is reported without ids in the anonymous mode', async () => {
    const { page, wait, leave } = openTimed({
      tag: { 'data-tracking-code': 'pm-a', 'data-mode': 'anonymous' },
    });
    wait(2);
    expect(await leave()).toEqual([[2, 25, '/start']]);
    expect(page.events.every(({ visitorId, sessionId }) => !visitorId && !sessionId)).toBe(true);
  });
});
