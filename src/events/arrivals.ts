/**
 * What of the recent past tells an owner why no figures appear: events with a tracking code that nobody has, events of
 * an origin that a website does not allow, events that were stored and are left out of metrics. In memory, bounded, and
 * without addresses or visitors.
 */

/** Why a stored event is not in the figures. */
type LeftOutReason = 'bot' | 'excluded';

export type RecentArrivals = {
  /** The unknown tracking code that a page of the host sent last. */
  unknownCode: string | undefined;
  /** Origins whose events were refused, the latest last. */
  refusedOrigins: string[];
  leftOut: LeftOutReason[];
};

export type Arrivals = {
  noteUnknownCode(trackingCode: string, url: string): void;
  noteRefusedOrigin(websiteId: string, origin: string): void;
  noteLeftOut(websiteId: string, reason: LeftOutReason): void;
  /** @param host of the website, with its port unless it is the scheme's own */
  recent(website: { id: string; host: string }): RecentArrivals;
};

const REMEMBERED_MS = 60 * 60 * 1_000;
const HOSTS_MAX = 1_000;
const WEBSITES_MAX = 1_000;
const ORIGINS_MAX = 5;
const HOST_LENGTH_MAX = 260;

type Notes = { origins: Map<string, number>; leftOut: Map<LeftOutReason, number> };

export function createArrivals(now: () => number): Arrivals {
  const codesByHost = new Map<string, { trackingCode: string; atMs: number }>();
  const notesByWebsite = new Map<string, Notes>();

  function notesOf(websiteId: string): Notes {
    const notes = notesByWebsite.get(websiteId) ?? { origins: new Map(), leftOut: new Map() };
    putLast(notesByWebsite, websiteId, notes, WEBSITES_MAX);
    return notes;
  }

  return {
    noteUnknownCode(trackingCode, url) {
      const { host } = new URL(url);
      if (host.length > HOST_LENGTH_MAX) return;
      putLast(codesByHost, withoutWww(host), { trackingCode, atMs: now() }, HOSTS_MAX);
    },
    noteRefusedOrigin(websiteId, origin) {
      if (origin.length > HOST_LENGTH_MAX) return;
      putLast(notesOf(websiteId).origins, origin, now(), ORIGINS_MAX);
    },
    noteLeftOut(websiteId, reason) {
      notesOf(websiteId).leftOut.set(reason, now());
    },
    recent({ id, host }) {
      const isRecent = (atMs: number) => now() - atMs < REMEMBERED_MS;
      const unknown = codesByHost.get(withoutWww(host));
      const notes = notesByWebsite.get(id);
      const recentOf = <Key>(times: Map<Key, number> | undefined) =>
        [...(times ?? [])].filter(([, atMs]) => isRecent(atMs)).map(([key]) => key);
      return {
        unknownCode: unknown && isRecent(unknown.atMs) ? unknown.trackingCode : undefined,
        refusedOrigins: recentOf(notes?.origins),
        leftOut: recentOf(notes?.leftOut),
      };
    },
  };
}

/** The latest stands at the end; the first one goes when there are too many. */
function putLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, sizeMax: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= sizeMax) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}
