import { trackClick } from './clicks.ts';
import { REFUSED } from './consent.ts';
import { held, record } from './events.ts';
import { attempt, guard, listen } from './guard.ts';
import type { AnalyticsTracker } from './index.d.ts';
import { look, start, view, watchNavigation } from './pageviews.ts';
import { isAuto, options } from './settings.ts';
import { forgetAll, local, writeItem } from './storage.ts';
import { clear, comeBack, flush, leave } from './transport.ts';

type MethodName = Exclude<keyof AnalyticsTracker, 'version'>;

/** What a page may put in the tracker's place before it has loaded: calls are noted and repeated. */
type Stub = { version?: string; q?: [name: MethodName, parameters: unknown[]][] };

const api: AnalyticsTracker = {
  version: '1.0.0',
  init: guard((given) => {
    Object.assign(options, given);
    start();
  }),
  track: guard(record),
  pageview: guard(view),
  async flush() {
    attempt(look);
    await flush();
  },
  optOut: guard(() => {
    held.length = 0;
    clear();
    forgetAll();
    writeItem(local, REFUSED, '1');
  }),
  optIn: guard(() => {
    writeItem(local, REFUSED, '');
    start();
  }),
};

const onLeave = (isLast?: boolean): void => {
  look();
  leave(isLast);
};

attempt(() => {
  // The page's own; or an element with this id, which browsers make a property of the window.
  const stub = window.AnalyticsTracker as unknown as Stub | undefined;
  // Two tags on one page would count everything twice.
  if (stub?.version) return;
  // The stub becomes the tracker: a page that kept a reference to it goes on working.
  window.AnalyticsTracker = Object.assign(stub ?? {}, api);

  listen('click', trackClick);
  listen('auxclick', trackClick);
  // `pagehide`, not `unload` or `beforeunload`, which keep a page out of the back-forward cache. At `pagehide`
  // a page still calls itself visible, and a tab that is only hidden gets no `pagehide`: both are needed.
  listen('pagehide', () => onLeave(true));
  listen('visibilitychange', () => document.hidden && onLeave());
  listen('pageshow', ({ persisted }) => {
    if (persisted) {
      comeBack();
      if (isAuto()) view();
    }
  });
  listen('online', flush);
  listen('prerenderingchange', start);
  watchNavigation();

  stub?.q?.forEach(
    guard(([name, parameters]) => {
      // Whatever the page has put there is called, and what is wrong in it is caught.
      (api[name] as (...parameters: unknown[]) => void)(...parameters);
    }),
  );
  start();
});
