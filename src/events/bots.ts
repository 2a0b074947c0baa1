import { TELEVISION } from './user-agent-names.ts';

/** Bots by what they say of themselves. */

type IsBot = { isbotMatch: (userAgent: string) => string | null };

/** The model of an Android device, behind the version and what may be the language; it holds any word. */
const MODEL = /(\bandroid[^;)]*;(?: u;)?(?: [a-z]{2}(?:[-_][a-z]{2})?;)?)([^;)]*)/gi;
/** Names of ordinary browsers and devices that contain a word of the list. */
const OF_PEOPLE =
  /\bsogou(?:m\w*|search)\b|\bgoogle earth\/|\bchromeframe\/|\b(?:bada|webos|rex|samsung-[\w-]+)\/1\.0;|\bhtc; radar\b|googletv|_sogousz/gi;
/** Televisions and an old browser say much that has words of the list; of those, only these say a bot. */
const WORDY = /\bpr\(ucbrowser/i;
const SURELY = /bot\b|crawl|spider|headless/i;
/** Bots that the list has not. Since Internet Explorer, no browser says `compatible` with its name. */
const OTHERS = /\bcompatible; (?!msie\b|konqueror\b)[\w.+-]+\/|\b(?:assetnote|hlb|miniature\.io)\//i;

/** @returns its name, empty where it has none; undefined for what people use */
export function findBot(userAgent: string): string | undefined {
  // It has no type of its own; here it loads the list on first use, not at the start.
  const { isbotMatch } = require('isbot') as IsBot;
  const text = userAgent
    .replace(MODEL, (whole, before: string, model: string) =>
      /compatible|https?:/i.test(model) ? whole : before,
    )
    .replace(OF_PEOPLE, '');
  if ((WORDY.test(text) || TELEVISION.test(text.toLowerCase())) && !SURELY.test(text)) return undefined;
  const found = isbotMatch(text) ?? OTHERS.exec(text)?.[0];
  return found === undefined || found === null ? undefined : nameOf(text, found);
}

const COMMON =
  /^(?:mozilla|applewebkit|khtml|like|gecko|chrome|safari|version|mobile|compatible|windows|linux|x11|android)$/i;

/** The product that the word is part of, or else the first one that is not a browser's. */
function nameOf(text: string, found: string): string {
  const at = text.indexOf(found);
  const [before = ''] = /[\w.+-]*$/.exec(text.slice(0, at)) ?? [];
  const [around = ''] = /^[\w.+-]+/.exec(text.slice(at - before.length).replace(/^[^\w]+/, '')) ?? [];
  if (around !== '' && !COMMON.test(around) && !/^https?$|\.(?:com|org|net|html?)$/i.test(around))
    return around;
  const products = text.match(/[\w.+-]*[a-z][\w.+-]*/gi) ?? [];
  return (
    products.find((product) => !COMMON.test(product) && !/^https?$/i.test(product)) ??
    found.trim().toWellFormed()
  );
}
