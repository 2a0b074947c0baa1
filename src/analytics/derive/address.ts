import { domainToASCII, domainToUnicode } from 'node:url';
import { EVENT_FLAGS } from '../../vocabulary/contract.ts';
import { toText } from './text.ts';

export type Address = {
  page: string;
  hostname: string;
  /** `undefined` when there is nothing behind the `?`. */
  query: URLSearchParams | undefined;
};

/**
 * Page, host and query of an event's `url`, as docs/definitions.md says.
 *
 * @param flags bits of EVENT_FLAGS
 */
export function readAddress(url: string, flags = 0): Address {
  const parsed = URL.parse(url);
  if (!parsed) return { page: toText(url), hostname: '', query: undefined };
  const { pathname, hostname, search, hash } = parsed;
  const [route = '', routeQuery = ''] = flags & EVENT_FLAGS.route ? hash.split(/\?(.*)/s) : [];
  const query = search.length > 1 ? parsed.searchParams : undefined;
  return {
    page: toText(toPageForm(pathname + route)),
    hostname: toHost(hostname),
    query: routeQuery === '' ? query : withCampaign(query, routeQuery),
  };
}

/** Parameters of a route are the application's own, but for those of campaigns. */
function withCampaign(query: URLSearchParams | undefined, routeQuery: string): URLSearchParams {
  const campaign = [...new URLSearchParams(routeQuery)].filter(([name]) => name.startsWith('utm_'));
  return new URLSearchParams([...(query ?? []), ...campaign]);
}

/** Escapes of one character of UTF-8 (RFC 3629, table 3-7 of Unicode), or one escape that is part of none. */
const ESCAPES = new RegExp(
  [
    '%[0-7]x',
    '%(?:C[2-9A-F]|Dx)%[89AB]x',
    '%E0%[AB]x%[89AB]x',
    '%E[1-9ABCEF]%[89AB]x%[89AB]x',
    '%ED%[89]x%[89AB]x',
    '%F0%[9AB]x%[89AB]x%[89AB]x',
    '%F[1-3]%[89AB]x%[89AB]x%[89AB]x',
    '%F4%8x%[89AB]x%[89AB]x',
    '(%xx)',
  ]
    .join('|')
    .replaceAll('x', '[0-9A-F]'),
  'gi',
);
/** These have a meaning in an address, or none that can be seen: they stay escaped. */
const KEPT = /[%/?#\p{Cc}]/u;
/** Invisible format characters. The two that join are text between letters (Persian) and between emoji (👩‍💻). */
const FORMAT =
  /(?![\u200c\u200d])\p{Cf}|(?<![\p{L}\p{M}\p{ExtPict}\p{EMod}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{ExtPict}])/gu;
const NOT_ASCII = /[^\0-\x7f]/;

/**
 * A page as people read it: its escapes decoded. Those that stay are in upper case. A page that a question names is
 * compared as it is written and in this form.
 */
export function toPageForm(text: string): string {
  if (!text.includes('%') && !NOT_ASCII.test(text)) return text;
  const decoded = text.replace(ESCAPES, (escapes: string, invalid: string | undefined) => {
    if (invalid) return invalid.toUpperCase();
    const character = decodeURIComponent(escapes);
    return KEPT.test(character) ? escapes.toUpperCase() : character;
  });
  return NOT_ASCII.test(decoded) ? decoded.replace(FORMAT, encodeURIComponent) : decoded;
}

/** Host of an address, without the dot that may end it. */
export function toHost(hostname: string): string {
  return toText(toHostForm(hostname.replace(/\.$/, '')));
}

/** A host as people read it: in Unicode, when each of its labels is valid. Compared like a page. */
export function toHostForm(text: string): string {
  if (!/xn--/i.test(text)) return text;
  const unicode = domainToUnicode(text);
  const isWhole = unicode !== '' && domainToASCII(unicode) === text.toLowerCase();
  return isWhole ? unicode : text;
}
