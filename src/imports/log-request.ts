import { DAY_MS } from '../vocabulary/durations.ts';
import { toPageAddress, toReferrerAddress } from './fields.ts';
import type { ReadContext, RowContent } from './format.ts';

/** A request as a server logged it. */
export type LogRequest = {
  atMs: number;
  /** Undefined: the log is of one website. */
  host: string | undefined;
  address: string;
  method: string;
  target: string;
  status: number;
  referrer: string | undefined;
  userAgent: string | undefined;
};

/** Ends of paths that are pages; anything else with a dot in its last part is a file. */
const PAGE = /(?:^|\/)(?:[^/.]*|[^/]*\.(?:x?html?|php\d?|aspx?|jsp|cfm|cgi))$/i;
const NOT_MODIFIED = 304;

/**
 * Turns a successful request for a page into a pageview. The visitor is a keyed hash of day, address and User-Agent, so that
 * no address is stored and visitors of two days cannot be linked.
 *
 * @param line what makes the request the same one in another copy of the log
 */
export function toPageview(request: LogRequest, line: string, context: ReadContext): RowContent {
  const { atMs, address, method, target, status } = request;
  if (method !== 'GET') return { leftOut: 'requests other than GET' };
  if (!(status >= 200 && status < 300) && status !== NOT_MODIFIED)
    return { leftOut: 'requests without success' };
  const [path = '', ...query] = target.split('?');
  if (!PAGE.test(path)) return { leftOut: 'files that are not pages' };
  const userAgent = absent(request.userAgent);
  if (!userAgent || context.describeAgent(userAgent).isBot) return { leftOut: 'bots' };
  const visitorId = context.pseudonym(`${Math.floor(atMs / DAY_MS)}\n${address}\n${userAgent}`);
  return {
    event: {
      timestamp: atMs,
      eventType: 'pageview',
      url: toPageAddress(context.siteUrl, request.host, path, query.join('?')),
      referrer: toReferrerAddress(absent(request.referrer)),
      visitorId,
      sessionId: visitorId,
    },
    userAgent,
    address,
    identity: `access-log\n${line}`,
  };
}

function absent(text: string | undefined): string | undefined {
  return text === '' || text === '-' ? undefined : text;
}
