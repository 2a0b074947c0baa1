/**
 * Recent reasons for missing figures, for the owner of a website: events with an unknown tracking code, events from an
 * origin that the website does not allow, and stored events that metrics ignore. In memory, bounded, and without
 * addresses or visitors.
 */

/** Reason why metrics ignore a stored event. */
type IgnoredReason = 'bot' | 'excluded' | 'local';

export type WebsiteIssues = {
  /** Unknown tracking code that a page of the website's host sent last. */
  unknownCode: string | undefined;
  /** Origins whose events were refused, the latest at the end. */
  refusedOrigins: string[];
  ignored: IgnoredReason[];
};

export type RecentIssues = {
  recordUnknownCode(trackingCode: string, url: string): void;
  recordRefusedOrigin(websiteId: string, origin: string): void;
  recordIgnored(websiteId: string, reason: IgnoredReason): void;
  /** @param host of the website, with its port unless it is the scheme's own */
  recent(website: { id: string; host: string }): WebsiteIssues;
};

const REMEMBERED_MS = 60 * 60 * 1_000;
const HOSTS_MAX = 1_000;
const WEBSITES_MAX = 1_000;
const ORIGINS_MAX = 5;
const HOST_LENGTH_MAX = 260;

type Issues = { origins: Map<string, number>; ignored: Map<IgnoredReason, number> };

export function createRecentIssues(now: () => number): RecentIssues {
  const codesByHost = new Map<string, { trackingCode: string; atMs: number }>();
  const issuesByWebsite = new Map<string, Issues>();

  function issuesOf(websiteId: string): Issues {
    const issues = issuesByWebsite.get(websiteId) ?? { origins: new Map(), ignored: new Map() };
    putLast(issuesByWebsite, websiteId, issues, WEBSITES_MAX);
    return issues;
  }

  return {
    recordUnknownCode(trackingCode, url) {
      const { host } = new URL(url);
      if (host.length > HOST_LENGTH_MAX) return;
      putLast(codesByHost, withoutWww(host), { trackingCode, atMs: now() }, HOSTS_MAX);
    },
    recordRefusedOrigin(websiteId, origin) {
      if (origin.length > HOST_LENGTH_MAX) return;
      putLast(issuesOf(websiteId).origins, origin, now(), ORIGINS_MAX);
    },
    recordIgnored(websiteId, reason) {
      issuesOf(websiteId).ignored.set(reason, now());
    },
    recent({ id, host }) {
      const isRecent = (atMs: number) => now() - atMs < REMEMBERED_MS;
      const unknown = codesByHost.get(withoutWww(host));
      const issues = issuesByWebsite.get(id);
      const recentOf = <Key>(times: Map<Key, number> | undefined) =>
        [...(times ?? [])].filter(([, atMs]) => isRecent(atMs)).map(([key]) => key);
      return {
        unknownCode: unknown && isRecent(unknown.atMs) ? unknown.trackingCode : undefined,
        refusedOrigins: recentOf(issues?.origins),
        ignored: recentOf(issues?.ignored),
      };
    },
  };
}

/** Sets an entry at the end, and removes the first one when there are too many. */
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
