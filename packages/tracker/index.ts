import type { AnalyticsTracker, EventProperties, EventType, TrackerOptions } from '../../tracker/index.d.ts';

export type {
  AnalyticsTracker,
  BeforeSend,
  EventProperties,
  EventType,
  TrackerEvent,
  TrackerOptions,
} from '../../tracker/index.d.ts';

/** The script of the server itself, as a function; put in by packages/build.ts. */
declare const INSTALL: () => void;

type Call = [name: string, parameters: unknown[]];
type Waiting = { q?: Call[] };

let isInstalled = false;
/** On a server there is nothing to count. */
const isBrowser = typeof window !== 'undefined' && typeof document !== 'undefined';
const waiting: Call[] = [];

/**
 * Starts to count: pageviews, navigation and links by itself. A second call changes settings. Does nothing on a server.
 *
 * @param options of the first call at least `trackingCode` and `apiUrl`, the address that events are posted to
 */
export function init(options: TrackerOptions): void {
  if (!isBrowser) return;
  if (isInstalled) return void window.AnalyticsTracker.init(options);
  isInstalled = true;
  const before = (window.AnalyticsTracker as unknown as Waiting | undefined)?.q ?? [];
  const calls: Call[] = [['init', [options]], ...before, ...waiting];
  window.AnalyticsTracker = { q: calls } as unknown as AnalyticsTracker;
  INSTALL();
}

/** Queues an event. A word that is not an event type is the name of a custom event. Waits for `init()`. */
export function track(eventType: EventType | (string & {}), properties?: EventProperties): void {
  call('track', eventType, properties);
}

/** Queues a pageview of the current address. */
export function pageview(properties?: EventProperties): void {
  call('pageview', properties);
}

/** Sends all queued events now. Never rejects. */
export async function flush(): Promise<void> {
  if (isInstalled) await window.AnalyticsTracker.flush();
}

/** Stops tracking in this browser and forgets the ids and the queued events. */
export function optOut(): void {
  call('optOut');
}

/** Undoes `optOut()`. */
export function optIn(): void {
  call('optIn');
}

/** With the mode `consent`: true once the visitor agrees, false when they withdraw, which forgets the ids. */
export function consent(given: boolean): void {
  call('consent', given);
}

function call(name: 'track' | 'pageview' | 'optOut' | 'optIn' | 'consent', ...parameters: unknown[]): void {
  if (!isBrowser) return;
  if (!isInstalled) return void waiting.push([name, parameters]);
  (window.AnalyticsTracker[name] as (...parameters: unknown[]) => void)(...parameters);
}
