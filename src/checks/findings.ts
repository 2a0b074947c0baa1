import type { Finding } from '../contract/website-check.ts';
import type { WebsiteIssues } from '../events/recent-issues.ts';
import { CHECK_SEVERITIES, type CheckCode, type CheckSeverity } from '../vocabulary/contract.ts';
import { PageFault } from './page-fault.ts';
import { isAllowed } from './policy.ts';
import type { PageFacts, ScriptTag } from './read-page.ts';

/** Facts about an installation. */
export type Installation = {
  trackingCode: string;
  allowedOrigins: readonly string[];
  leavesOutLocalPages: boolean;
  /** Origin of this service as browsers see it. */
  origin: string;
  hasEvents: boolean;
  issues: WebsiteIssues;
  /** Facts about the page, or the reason why it could not be fetched. */
  page: PageFacts | PageFault;
};

/** Lists what prevents figures, the most serious first, with advice. Pure. */
export function toFindings(installation: Installation): Finding[] {
  const { page } = installation;
  const ofPage =
    page instanceof PageFault
      ? [finding(page.code, page.code === 'page-private' ? 'note' : 'warning', page.message, page.fix)]
      : [...judgeScript(page, installation), ...judgeOrigin(page.url, installation)];
  const findings = [...judgeIssues(installation), ...ofPage];
  if (!installation.hasEvents && !findings.some(({ severity }) => severity === 'problem'))
    findings.push(maybeBlocked(page instanceof PageFault));
  return findings.sort((a, b) => rankOf(a) - rankOf(b));
}

function judgeIssues({ issues, hasEvents, trackingCode, leavesOutLocalPages }: Installation): Finding[] {
  const { unknownCode, refusedOrigins, ignored } = issues;
  const found: Finding[] = [];
  if (unknownCode !== undefined)
    found.push(
      finding(
        'unknown-code-arrived',
        hasEvents ? 'warning' : 'problem',
        `Events of this website arrive with the tracking code ${unknownCode}, which no website has.`,
        `If your pages hold it, put ${trackingCode} in its place. Anyone can send such events, so look first.`,
      ),
    );
  if (refusedOrigins.length > 0)
    found.push(
      finding(
        'origin-refused',
        hasEvents ? 'warning' : 'problem',
        `Events of ${refusedOrigins.join(', ')} were refused: the website does not accept them.`,
        'If they are yours, add them to the allowed origins in the settings.',
      ),
    );
  if (ignored.includes('excluded'))
    found.push(
      finding(
        'left-out-excluded',
        'warning',
        'Events arrived from an address that is excluded: they are stored, but left out of the reports.',
        'If it is yours, nothing is wrong. Open the page from another network to see it counted, or change the excluded addresses in the settings.',
      ),
    );
  if (leavesOutLocalPages && ignored.includes('local'))
    found.push(
      finding(
        'left-out-local',
        'warning',
        'Events arrived from a page on a local host, such as localhost: they are stored, but left out of the reports.',
        'Open the page under its public address to see it counted, or count local pages from now on.',
      ),
    );
  if (ignored.includes('bot'))
    found.push(
      finding(
        'left-out-bot',
        hasEvents ? 'note' : 'warning',
        'Events arrived from a browser that looks like a bot: they are stored, but left out of the reports.',
        'Open the page in an ordinary browser. Programs and automated browsers are left out.',
      ),
    );
  if (hasEvents) found.push(finding('events-arrived', 'good', 'Events of this website have arrived.', null));
  return found;
}

function judgeScript(page: PageFacts, installation: Installation): Finding[] {
  const { trackingCode, origin } = installation;
  const tag = page.tags.find(({ code }) => code === trackingCode);
  if (tag) return judgeTag(tag, page, origin);
  if (page.codes.includes(trackingCode))
    return [
      finding('script-found', 'good', 'A script of the page has the tracking code of this website.', null),
      ...(page.tags[0] ? judgeTag(page.tags[0], page, origin).filter(isProblem) : []),
    ];
  const otherCode = page.tags.find(({ code }) => code !== undefined)?.code ?? page.codes[0];
  if (otherCode !== undefined)
    return [
      finding(
        'script-wrong-code',
        'problem',
        `The page has the tracking code ${otherCode}; that of this website is ${trackingCode}.`,
        `Put ${trackingCode} in its place, or look at the website that the other code belongs to.`,
      ),
    ];
  const bare = page.tags.find(({ src }) => src.origin === origin);
  if (bare)
    return [
      finding(
        'script-without-code',
        'problem',
        'The page loads the script, but without a tracking code.',
        `Add data-tracking-code="${trackingCode}" to the script tag.`,
      ),
    ];
  if (page.tagManager !== undefined)
    return [
      finding(
        'script-by-tag-manager',
        'note',
        `The page loads ${page.tagManager}. What it adds cannot be seen from outside.`,
        'Is the tag published there, for all pages? Its preview mode shows whether it runs.',
      ),
    ];
  return [
    finding(
      'script-missing',
      'problem',
      `The script is not in the page of ${page.url.origin}.`,
      'Put the script tag into the <head>, and publish the page. If the page comes from a cache, empty that.',
    ),
  ];
}

function judgeTag(tag: ScriptTag, page: PageFacts, origin: string): Finding[] {
  const { src, api, nonce } = tag;
  const found: Finding[] = [];
  if (page.url.protocol === 'https:' && src.protocol === 'http:')
    found.push(
      finding(
        'script-insecure',
        'problem',
        'The page is loaded over https and the script over http, so browsers block the script.',
        'Serve Pagemeter over https, and change the address in the script tag.',
      ),
    );
  if (tag.isHeldBack)
    found.push(
      finding(
        'script-held-back',
        'warning',
        'The script tag has a type that browsers do not run, so something has to start it: a consent manager, or a plug-in that delays scripts.',
        'Accept statistics on the page and see whether an event arrives, or exempt the script: it needs no cookies.',
      ),
    );
  if (!isAllowed(page.policies, 'script', { url: src, page: page.url, nonce }))
    found.push(
      finding(
        'policy-blocks-script',
        'problem',
        'The Content Security Policy of the page blocks the script.',
        `Add ${src.origin} to its script-src.`,
      ),
    );
  if (!isAllowed(page.policies, 'connect', { url: api, page: page.url }))
    found.push(
      finding(
        'policy-blocks-events',
        'problem',
        'The Content Security Policy of the page blocks events.',
        `Add ${api.origin} to its connect-src.`,
      ),
    );
  if (src.origin !== origin && api.origin !== origin)
    found.push(
      finding(
        'script-elsewhere',
        'note',
        `The script is loaded from ${src.origin}, not from ${origin}.`,
        'That is right if it leads here, as a proxy on your own domain does. Otherwise use the tag on this page.',
      ),
    );
  if (!found.some(isProblem))
    found.push(
      finding('script-found', 'good', 'The script is in the page, with the right tracking code.', null),
    );
  return found;
}

function judgeOrigin({ origin }: URL, { allowedOrigins }: Installation): Finding[] {
  if (allowedOrigins.length === 0 || allowedOrigins.includes(origin)) return [];
  return [
    finding(
      'origin-not-allowed',
      'problem',
      `The page is on ${origin}, which is not among the allowed origins of the website.`,
      `Add ${origin} to the allowed origins in the settings.`,
    ),
  ];
}

function maybeBlocked(isUnseen: boolean): Finding {
  return finding(
    'maybe-blocked',
    'note',
    isUnseen ? 'No event has arrived yet.' : 'Nothing is wrong with the page, and no event has arrived yet.',
    'Open a page of the website. If nothing arrives, an ad blocker may be in the way: try a private window without extensions. Script and events from your own domain (the recipes for nginx and Caddy) are blocked less often.',
  );
}

function finding(code: CheckCode, severity: CheckSeverity, message: string, fix: string | null): Finding {
  return { code, severity, message, fix };
}

function isProblem({ severity }: Finding): boolean {
  return severity === 'problem';
}

function rankOf({ severity }: Finding): number {
  return CHECK_SEVERITIES.indexOf(severity);
}
