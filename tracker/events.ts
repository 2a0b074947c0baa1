import { isAllowed, isReady } from './consent.ts';
import { ofDocument } from './dom.ts';
import { watchPage } from './engagement.ts';
import { attempt, log } from './guard.ts';
import { keptId, uuid } from './ids.ts';
import type { EventProperties, EventType, TrackerEvent } from './index.d.ts';
import {
  type Globals,
  here,
  isExcluded,
  options,
  setting,
  trackingCode,
  withoutFragment,
} from './settings.ts';
import { isAnonymous, local, session, VISITOR } from './storage.ts';
import { push } from './transport.ts';

/** Written in when the service builds the script: what it takes. */
declare const EVENT_TYPES: readonly string[];
declare const URL_LENGTH_MAX: number;

type Filtered = TrackerEvent | null | false | undefined;
type Filter = (event: TrackerEvent) => Filtered | Promise<Filtered>;

/** Finishes the events that may not be sent yet; at most 100, for the tracking code may never come. */
export const held: (() => void)[] = [];

/** Where the visitor came to the current page from; at first what the browser says. */
let referrer = ofDocument('referrer');
export const setReferrer = (url: string): void => {
  referrer = url;
};

// The server takes web addresses only; a file has none.
const pageAddress = (url: string) =>
  /^https?:/.test(url) ? withoutFragment(url).slice(0, URL_LENGTH_MAX) : undefined;

/** Address of a page or an app; cut to its origin when too long. */
const referrerAddress = (url: string) => {
  const [address = '', origin] = /^((?:https?|android-app):\/\/[^/?#]+)[^#]*/.exec(url) ?? [];
  return address.length > URL_LENGTH_MAX ? origin : address || undefined;
};

/**
 * Queues an event. A word that is none of the types is the name of a custom event. Until there is a
 * tracking code, and while the page is only being prerendered, events are held, and neither they nor ids are
 * stored. Throws when the properties are circular or hold a BigInt.
 */
export const record = (name: string, properties?: EventProperties): void => {
  const isType = EVENT_TYPES.includes(name);
  // A copy made now: the page may go on changing its object. Only an object that is not empty begins with {".
  const copy = JSON.stringify(isType ? properties : { ...properties, name });
  const own = /^{"/.test(copy) && JSON.parse(copy);
  const url = pageAddress(here());
  if (!url || !isAllowed() || isExcluded() || held.length >= 100) return;

  const event = {
    id: uuid(),
    eventType: isType ? (name as EventType) : 'custom',
    url,
    referrer: referrerAddress(referrer),
    timestamp: Date.now(),
  };
  held.push(() => {
    const full: TrackerEvent = {
      ...event,
      // What the page gives to every event may have come after this one.
      properties: own || options.properties ? { ...options.properties, ...own } : undefined,
      trackingCode: trackingCode(),
      ...(isAnonymous()
        ? { anonymous: true }
        : { sessionId: keptId(session, 'session'), visitorId: keptId(local, VISITOR) }),
      // The server reads it, like browser and system, from the user agent; but only the page can tell an iPad from
      // the Mac that it pretends to be, by its touch screen.
      deviceType: /Mac/.test(navigator.platform) && navigator.maxTouchPoints ? 'tablet' : undefined,
      screen: `${screen.width}x${screen.height}`,
    };
    const filter = setting('beforeSend');
    // A function or the name of a global one. If it is none, this throws: to send what should have been
    // filtered would be worse than to lose it. Nothing returned means that the event may go as it is now.
    const returned = filter
      ? (((window as unknown as Globals)[`${filter}`] ?? filter) as Filter)(full)
      : full;
    const finish = (final: Filtered = full): void => {
      log(final);
      if (!final || !isAllowed()) return;
      const text = JSON.stringify(final);
      if (final.eventType === 'pageview') watchPage(text);
      push(text);
    };
    // Asked by its method: some libraries put a promise of their own in the place of the browser's.
    if ((returned as Promise<Filtered> | undefined)?.then) (returned as Promise<Filtered>).then(finish, log);
    else finish(returned as Filtered);
  });
  release();
};

export const release = (): void => {
  if (trackingCode() && isReady()) held.splice(0).forEach(attempt);
};
