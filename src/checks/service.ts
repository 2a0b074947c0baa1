import type { WebsiteCheck } from '../contract/website-check.ts';
import type { RecentIssues } from '../events/recent-issues.ts';
import { isLocalName } from '../http/own-machine.ts';
import type { OpenPaths } from '../http/path.ts';
import type { LogReads } from '../log/log-reads.ts';
import { CHECKS_MAX, CHECKS_PER_ACCOUNT_MAX } from '../vocabulary/contract.ts';
import { AppError, unavailableError } from '../vocabulary/errors.ts';
import type { WebsiteRow } from '../websites/store.ts';
import { fetchPage } from './fetch-page.ts';
import { toFindings } from './findings.ts';
import { PageFault } from './page-fault.ts';
import { readPage } from './read-page.ts';

type Deps = {
  log: Pick<LogReads, 'hasEvents'>;
  recentIssues: RecentIssues;
  now: () => number;
  /** Paths of the script and of the event routes. */
  paths: OpenPaths;
  fetch?: typeof fetchPage;
};

const RETRY_AFTER_S = 8;

export type Checks = ReturnType<typeof createChecks>;

/** Looks at a website's page and at what has arrived, and says why there are no figures. */
export function createChecks({ log, recentIssues, now, paths, fetch = fetchPage }: Deps) {
  /** The websites that are looked at, and whose they are. */
  const running = new Map<string, WebsiteRow['userId']>();

  /**
   * @param origin of this service, as browsers know it
   * @param mayReachLoopback whether the caller may see pages on the loopback of the service's machine
   * @throws AppError RATE_LIMITED while another check of the website or too many of its owner run, SERVICE_UNAVAILABLE
   *                  while many others do
   */
  async function check(
    website: WebsiteRow,
    origin: string,
    mayReachLoopback: boolean,
  ): Promise<WebsiteCheck> {
    requirePlace(website);
    running.set(website.id, website.userId);
    try {
      const registered = new URL(website.domain);
      const allowsLoopback = mayReachLoopback && isLocalName(registered.hostname);
      const page = await look(registered, allowsLoopback);
      const findings = toFindings({
        trackingCode: website.trackingCode,
        allowedOrigins: website.allowedOrigins,
        leavesOutLocalPages: website.leavesOutLocalPages,
        origin,
        hasEvents: await log.hasEvents(website.key),
        issues: recentIssues.recent({ id: website.id, host: registered.host }),
        page,
      });
      return { checkedAt: new Date(now()).toISOString(), findings };
    } finally {
      running.delete(website.id);
    }
  }

  /** A page may take all of its time on purpose, so one account never has all places. */
  function requirePlace({ id, userId }: WebsiteRow): void {
    if (running.has(id)) throw busyError('A check of this website is on its way already');
    const ownCount = [...running.values()].filter((ownerId) => ownerId === userId).length;
    if (ownCount >= CHECKS_PER_ACCOUNT_MAX)
      throw busyError('Checks of your other websites are on their way already');
    if (running.size >= CHECKS_MAX)
      throw unavailableError('Too many checks are on their way; try again', RETRY_AFTER_S);
  }

  async function look(registered: URL, allowsLoopback: boolean) {
    try {
      return readPage(await fetch({ registered, allowsLoopback }), paths);
    } catch (error) {
      if (error instanceof PageFault) return error;
      throw error;
    }
  }

  return { check };
}

function busyError(message: string): AppError {
  return new AppError('RATE_LIMITED', message, { headers: { 'Retry-After': String(RETRY_AFTER_S) } });
}
