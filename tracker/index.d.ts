/** Types of the browser tracker, for pages and applications that call it. Nothing here is code. */

/** Types of events. `track()` takes any other word as the name of a custom event. */
export type EventType = 'pageview' | 'click' | 'custom';

/** JSON values only; what JSON cannot hold is left out. */
export type EventProperties = Record<string, unknown>;

/** An event as it is sent to the server. */
export type TrackerEvent = {
  /** A UUID (version 7), the same in every attempt to send the event. */
  id: string;
  trackingCode: string;
  eventType: EventType;
  /** The page's address, at most 2,048 characters. */
  url: string;
  referrer?: string | undefined;
  /** True when the event carries no ids. */
  anonymous?: boolean | undefined;
  sessionId?: string | undefined;
  visitorId?: string | undefined;
  /** Only where the server could not find it by itself: on an iPad that pretends to be a Mac. */
  deviceType?: 'tablet' | undefined;
  /** For example `1920x1080`, in CSS pixels. */
  screen: string;
  /** When it happened, in milliseconds since 1970. */
  timestamp: number;
  properties?: EventProperties | undefined;
};

// biome-ignore lint/suspicious/noConfusingVoidType: a callback that changes the event and returns nothing is the usual one
type Filtered = TrackerEvent | null | false | undefined | void;

/** Called for every event before it is queued. Null or false drops it, nothing sends it as it is now. */
export type BeforeSend = (event: TrackerEvent) => Filtered | Promise<Filtered>;

export type TrackerOptions = {
  trackingCode?: string;
  /** The address that single events are posted to; batches go to the same with `/batch` behind its path. */
  apiUrl?: string;
  /** Writes what the tracker does to the console. */
  debug?: boolean;
  /** Pageviews and clicks without a call; true unless it is switched off. */
  auto?: boolean;
  /** A changed fragment is a new pageview. */
  hash?: boolean;
  /** Nothing is stored or sent when the browser asks for Do Not Track or Global Privacy Control. */
  respectDnt?: boolean;
  /**
   * Ids in the browser. `browser`, the default: an id of the visitor in local storage, one of the tab in session
   * storage. `session`: both in session storage. `anonymous`: nothing. `consent`: nothing until `consent(true)`.
   */
  mode?: 'browser' | 'session' | 'consent' | 'anonymous';
  beforeSend?: BeforeSend;
  /** Every form that is submitted is a custom event `form submit`. */
  forms?: boolean;
  /** Paths that are not counted, with commas: `/admin/**,/preview/*`. */
  exclude?: string;
  /** Properties of every event; its own ones win. By `init()` alone. */
  properties?: EventProperties;
};

export type AnalyticsTracker = {
  readonly version: '1.0.0';
  /** Changes settings; the ones that are not named stay. Wins over every other way of configuring. */
  init(options?: TrackerOptions): void;
  /** Queues an event. A word that is not an event type is the name of a custom event. */
  track(eventType: EventType | (string & {}), properties?: EventProperties): void;
  /** Queues a pageview of the current address. */
  pageview(properties?: EventProperties): void;
  /** Sends all queued events now. Resolves when they are sent or an attempt failed; never rejects. */
  flush(): Promise<void>;
  /** Stops tracking in this browser and forgets the ids and the queued events. */
  optOut(): void;
  /** Undoes `optOut()`. */
  optIn(): void;
  /** With the mode `consent`: true once the visitor agrees, false when they withdraw, which forgets the ids. */
  consent(given: boolean): void;
};

declare global {
  // An interface, not a type: only an interface is merged into the browser's own.
  interface Window {
    AnalyticsTracker: AnalyticsTracker;
    TRACKER_CODE?: string;
    TRACKER_API?: string;
    TRACKER_DEBUG?: boolean;
    TRACKER_AUTO?: boolean;
    TRACKER_HASH?: boolean;
    TRACKER_RESPECTDNT?: boolean;
    /** The name of a global function. */
    TRACKER_BEFORESEND?: string;
    TRACKER_MODE?: string;
    TRACKER_FORMS?: boolean;
    TRACKER_EXCLUDE?: string;
  }
}
