import { expect, test } from 'bun:test';
import type { AnalyticsTracker, BeforeSend, TrackerEvent, TrackerOptions } from '../../tracker/index.d.ts';

/**
 * Checked by the compiler, not by running: what an application writes against the shipped types. The script
 * builds its object as an `AnalyticsTracker`, so that the types cannot drift away from it.
 */
export function application(window: Window): void {
  window.TRACKER_CODE = 'pm-a';
  window.TRACKER_API = '/e';
  window.TRACKER_DEBUG = true;
  const tracker: AnalyticsTracker = window.AnalyticsTracker;
  const version: '1.0.0' = tracker.version;
  const beforeSend: BeforeSend = (event) => (event.url.includes(version) ? null : event);
  const options: TrackerOptions = {
    trackingCode: 'pm-a',
    apiUrl: '/e',
    debug: false,
    auto: true,
    hash: false,
    respectDnt: true,
    beforeSend,
  };
  tracker.init(options);
  tracker.init();
  tracker.init({ beforeSend: (event) => void delete event.properties });
  tracker.init({ beforeSend: async (event) => (event.properties ? event : null) });
  tracker.track('signup');
  tracker.track('pageview', { plan: 'pro', seats: 3, nested: { a: [1] } });
  tracker.pageview();
  tracker.pageview({ template: 'x' });
  const flushed: Promise<void> = tracker.flush();
  tracker.optOut();
  tracker.optIn();
  void flushed;

  // @ts-expect-error: a name is a text
  tracker.track(5);
  // @ts-expect-error: properties are an object
  tracker.track('a', 'b');
  // @ts-expect-error: no such option
  tracker.init({ code: 'pm-a' });
  // @ts-expect-error: no such function
  tracker.identify('me');
  // @ts-expect-error: it is what it is
  tracker.version = '1.0.0';
}

/** Every field that the tracker sends has its name here once; the compiler finds a missing or an extra one. */
const FIELDS: Record<keyof TrackerEvent, true> = {
  id: true,
  trackingCode: true,
  eventType: true,
  url: true,
  referrer: true,
  anonymous: true,
  sessionId: true,
  visitorId: true,
  deviceType: true,
  screen: true,
  timestamp: true,
  properties: true,
};

test('the types name every field that is sent', async () => {
  const { openPage } = await import('../support/tracker-page.ts');
  const page = openPage({
    referrer: 'https://search.example/',
    navigator: { platform: 'MacIntel', maxTouchPoints: 5 },
  });
  page.tracker.track('a', { n: 1 });
  page.tracker.init({ mode: 'anonymous' });
  page.tracker.track('b');
  await page.flush();
  const sent = new Set(page.events.flatMap((event) => Object.keys(event)));
  expect([...sent].sort()).toEqual(Object.keys(FIELDS).sort());
});
