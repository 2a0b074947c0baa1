import { trackClick, trackSubmit } from './clicks.ts';
import { isAllowed, REFUSED } from './consent.ts';
import { ofDocument } from './dom.ts';
import { reportSeen, watchEngagement, watchPage } from './engagement.ts';
import { held, record } from './events.ts';
import { attempt, listen } from './guard.ts';
import type { AnalyticsTracker, TrackerOptions } from './index.d.ts';
import { look, start, view, watchNavigation } from './pageviews.ts';
import { isAuto, options, trackingCode } from './settings.ts';
import {
  AGREED,
  asksConsent,
  forgetMemory,
  isAnonymous,
  local,
  PREFIX,
  session,
  takeItems,
  VISITOR,
  writeItem,
} from './storage.ts';
import { clear, comeBack, flush, proceed } from './transport.ts';

/** Written in when the service builds the script. */
declare const TRACKER_VERSION: string;

type Method = (...parameters: unknown[]) => unknown;

/**
 * The value on the window: at first what the page has put there, whose `q` notes calls until the tracker has loaded;
 * then the tracker. `codes` holds the methods of each tag, by its code.
 */
type Shared = {
  q?: [name: string, parameters: unknown[]][];
  codes?: Record<string, Record<string, Method>>;
  version?: string;
  [name: string]: unknown;
};

/** A tag after the first one keeps its code, whatever `init()` says. */
let ownCode: TrackerOptions | '' | undefined;

/** Drops what is not sent yet, and the ids that only this page knows. */
const forget = (): void => {
  held.length = 0;
  watchPage('');
  clear();
  forgetMemory();
  takeItems(session, '');
};

/** Types for calls by name. */
const methods = {
  init(given) {
    Object.assign(options, given, ownCode);
    start();
  },
  track: record,
  pageview: view,
  flush() {
    look();
    return flush();
  },
  optOut() {
    forget();
    takeItems(local, '');
    writeItem(local, REFUSED, '1');
  },
  optIn() {
    writeItem(local, REFUSED, '');
    start();
  },
  consent(given) {
    if (!asksConsent() || !isAllowed()) return;
    if (!given) {
      forget();
      takeItems(local, '');
    } else if (isAnonymous()) writeItem(local, VISITOR, AGREED);
  },
} satisfies Omit<AnalyticsTracker, 'version'> as unknown as Record<string, Method>;

attempt(() => {
  // The page's own; or an element with this id, which browsers make a property of the window. It becomes the tracker: a
  // page that kept a reference to it continues to work.
  const shared = ((window.AnalyticsTracker as unknown) ?? {}) as Shared;
  window.AnalyticsTracker = shared as unknown as AnalyticsTracker;
  shared.codes ??= {};
  const tags = shared.codes;
  const code = trackingCode();
  // Two tags with one code would count everything twice.
  if (tags[code]) return;
  ownCode = shared.version && { trackingCode: code };
  tags[code] = methods;
  for (const name in methods) {
    shared[name] = (...parameters: unknown[]) =>
      Promise.all(Object.values(tags).map((tag) => attempt(() => (tag[name] as Method)(...parameters))));
  }
  shared.version = TRACKER_VERSION;

  watchNavigation();
  watchEngagement();
  listen('submit', trackSubmit as (event: Event) => void); // nothing but a form is submitted
  listen('online', flush);
  listen('click', trackClick);
  listen('auxclick', trackClick);

  // `pagehide`, not `unload` or `beforeunload`, which keep a page out of the back-forward cache. At `pagehide`
  // a page still calls itself visible, and a tab that is only hidden gets no `pagehide`: both are needed.
  listen('pagehide', () => {
    look();
    reportSeen(true);
    proceed(true, true);
  });
  listen('visibilitychange', () => {
    if (ofDocument('hidden')) {
      look();
      reportSeen(true);
      proceed(true);
    }
  });
  listen('pageshow', ({ persisted }) => {
    if (persisted) {
      comeBack();
      if (isAuto()) view();
    }
  });
  listen('prerenderingchange', start);
  // Only tabs other than the one that was opted out in are notified.
  listen(
    'storage',
    ({ key, newValue }) =>
      (key === PREFIX + REFUSED ? newValue : key === PREFIX + VISITOR && !newValue) && forget(),
  );

  // Whatever the page has put there is called, and what is wrong in it is caught. A refusal, or the end of one, is
  // repeated once: a tag that comes late would undo what the visitor has decided since.
  shared.q?.map((call) =>
    attempt(() => (ownCode && /opt/.test(call[0]) ? 0 : (methods[call[0]] as Method)(...call[1]))),
  );
  start();
});
