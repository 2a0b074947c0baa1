import { EVENT_TYPES, LANGUAGE_LENGTH_MAX, URL_LENGTH_MAX } from '../src/contract/vocabulary.ts';
import { isAllowed, isReady } from './consent.ts';
import { deviceType } from './device.ts';
import { attempt, log } from './guard.ts';
import { keptId, uuid } from './ids.ts';
import type { BeforeSend, EventProperties, EventType, TrackerEvent } from './index.d.ts';
import { globals, here, setting, trackingCode } from './settings.ts';
import { local, session } from './storage.ts';
import { push } from './transport.ts';

/** Finishes the events that may not be sent yet; at most 100, for the tracking code may never come. */
export const held: (() => void)[] = [];

/** Where the visitor came to the current page from; at first what the browser says. */
export const page = { referrer: document.referrer };

// The server takes web addresses only; a file has none, nor has an app that opened the page (android-app:).
const webAddress = (url: string) => (/^https?:/.test(url) ? url.slice(0, URL_LENGTH_MAX) : undefined);

/**
 * Queues an event. A word that is none of the types is the name of a custom event (D39). Until there is a
 * tracking code, and while the page is only being prerendered, events are held, and neither they nor ids are
 * stored. Throws when the properties are circular or hold a BigInt.
 */
export const record = (name: string, properties?: EventProperties): void => {
  // The cast: `includes` wants to know what it is asked for.
  const isType = (EVENT_TYPES as readonly string[]).includes(name);
  // A copy made now: the page may go on changing its object. Only an object that is not empty begins with {".
  const copy = JSON.stringify(isType ? properties : { ...properties, name });
  const url = webAddress(here());
  if (!url || !isAllowed() || held.length >= 100) return;

  const event = {
    id: uuid(),
    eventType: isType ? (name as EventType) : 'custom',
    url,
    referrer: webAddress(page.referrer),
    timestamp: Date.now(),
    properties: /^{"/.test(copy) ? JSON.parse(copy) : undefined,
  };
  held.push(() => {
    const full: TrackerEvent = {
      ...event,
      trackingCode: trackingCode(),
      sessionId: keptId(session, 'session'),
      visitorId: keptId(local, 'visitor'),
      deviceType: deviceType(navigator),
      screen: `${screen.width}x${screen.height}`,
      language: navigator.language.slice(0, LANGUAGE_LENGTH_MAX),
    };
    const filter = setting('beforeSend');
    // A function or the name of a global one. If it is none, this throws: to send what should have been
    // filtered would be worse than to lose it. Nothing returned means that the event may go as it is now.
    const returned = filter ? ((globals[`${filter}`] ?? filter) as BeforeSend)(full) : full;
    const final = returned === undefined ? full : returned;
    log(final);
    if (final) push(JSON.stringify(final));
  });
  release();
};

export const release = (): void => {
  if (trackingCode() && isReady()) held.splice(0).forEach(attempt);
};
