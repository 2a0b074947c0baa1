import { type OpenPaths, toCollectPath } from '../http/path.ts';
import type { FetchedPage } from './fetch-page.ts';

/** A script element that is ours by its address or by its attribute. */
export type ScriptTag = {
  src: URL;
  /** Tracking code; undefined if it is missing or malformed. */
  code: string | undefined;
  /** Address that it will send to. */
  api: URL;
  nonce: string | null;
  /** It has a type that browsers do not run, as consent managers give scripts that wait. */
  isHeldBack: boolean;
};

export type PageFacts = {
  url: URL;
  tags: ScriptTag[];
  /** Tracking codes in scripts of the page itself, which may load ours. */
  codes: string[];
  tagManager: string | undefined;
  /** Content Security Policies of header and meta elements. */
  policies: string[];
};

const CODE = /pm-[0-9A-Za-z]{1,40}-\d{1,16}/g;
const LISTED_MAX = 20;
/** RFC 1035, 2.3.4. */
const HOST_LENGTH_MAX = 253;
const RUNNABLE = /^(module|(text|application)\/(x-)?(java|ecma)script.*)?$/i;
const TAG_MANAGERS: [name: string, mark: RegExp][] = [
  ['Google Tag Manager', /googletagmanager\.com\/(gtm|ns)/],
  ['Matomo Tag Manager', /\/container_[0-9A-Za-z]+\.js/],
  ['Tealium', /tags\.tiqcdn\.com/],
  ['Adobe Launch', /assets\.adobedtm\.com/],
  ['Segment', /cdn\.segment\.com/],
];

/** Finds our script in a page. Pure; uses the runtime's parser, so comments and templates do not count as tags. */
export function readPage({ url, headers, html }: FetchedPage, paths: OpenPaths): PageFacts {
  const tags: ScriptTag[] = [];
  const codes = new Set<string>();
  const header = headers.get('content-security-policy');
  const policies = header === null ? [] : [header];
  let base = url;
  let tagManager: string | undefined;
  let inline = '';

  const lookFor = (text: string) => {
    tagManager ??= TAG_MANAGERS.find(([, mark]) => mark.test(text))?.[0];
    return text;
  };
  new HTMLRewriter()
    .on('base[href]', {
      element(element) {
        if (base === url) base = URL.parse(element.getAttribute('href') ?? '', url) ?? url;
      },
    })
    .on('meta[http-equiv][content]', {
      element(element) {
        if (element.getAttribute('http-equiv')?.toLowerCase() !== 'content-security-policy') return;
        if (policies.length < LISTED_MAX)
          policies.push(decodeEntities(element.getAttribute('content') ?? ''));
      },
    })
    .on('script', {
      element(element) {
        const attribute = (name: string) => {
          const value = element.getAttribute(name);
          return value === null ? null : decodeEntities(value);
        };
        lookFor(attribute('src') ?? '');
        const tag = toTag(attribute, { base, page: url, paths });
        if (tag && tags.length < LISTED_MAX) tags.push(tag);
      },
      text(part) {
        inline += part.text;
        if (!part.lastInTextNode) return;
        for (const [code] of lookFor(inline).matchAll(CODE)) if (codes.size < LISTED_MAX) codes.add(code);
        inline = '';
      },
    })
    .transform(html);
  return { url, tags, codes: [...codes], tagManager, policies };
}

type Around = { base: URL; page: URL; paths: OpenPaths };

function toTag(
  attribute: (name: string) => string | null,
  { base, page, paths }: Around,
): ScriptTag | undefined {
  const src = URL.parse(attribute('src') ?? attribute('data-src') ?? '', base);
  const named = attribute('data-tracking-code');
  if (!src || !isReachable(src)) return undefined;
  // A proxy of the website may put other folders before it. Others have scripts of the name /m.js, without a code.
  const served = paths.scripts.find((path) => src.pathname.endsWith(path));
  const isOurs = served === '/tracker.js' || (served !== undefined && src.searchParams.has('code'));
  if (named === null && !isOurs) return undefined;
  const given = named ?? src.searchParams.get('code');
  const api = attribute('data-api-url') ?? src.searchParams.get('api');
  return {
    src,
    code: given?.trim().match(CODE)?.[0],
    api: toApi(api, page) ?? new URL(toCollectPath(served ?? paths.scripts[0] ?? '', paths), src),
    nonce: attribute('nonce'),
    isHeldBack:
      !RUNNABLE.test(attribute('type') ?? '') || (!attribute('src') && attribute('data-src') !== null),
  };
}

function toApi(text: string | null, page: URL): URL | undefined {
  const url = text ? URL.parse(text, page) : null;
  return url && isReachable(url) ? url : undefined;
}

/** The findings name hosts, so a page could make them as long as itself. */
function isReachable({ protocol, hostname }: URL): boolean {
  return /^https?:$/.test(protocol) && hostname.length <= HOST_LENGTH_MAX;
}

/** The parser gives attributes as they are written. */
function decodeEntities(text: string): string {
  return text
    .replace(/&(#39|#x27|apos);/gi, "'")
    .replace(/&(quot|#34);/gi, '"')
    .replace(/&(amp|#38);/gi, '&');
}
