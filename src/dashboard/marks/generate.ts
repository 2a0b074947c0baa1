/**
 * Makes icons.json and flags.json: `bun src/dashboard/marks/generate.ts`. The icons are of Simple Icons (CC0), the flags
 * of country-flag-icons (MIT, FLAGS-LICENSE). The files are committed, so the service needs neither package, and no browser
 * asks a third party.
 */
import * as flags from 'country-flag-icons/string/3x2';
import * as simpleIcons from 'simple-icons';

/** Names in the statistics, as `keyOf` writes them, by those of Simple Icons where they differ. What is not there has a letter. */
const ICONS: Record<string, string> = {
  google: 'google',
  baidu: 'baidu',
  ecosia: 'ecosia',
  qwant: 'qwant',
  startpage: 'startpage',
  kagi: 'kagi',
  naver: 'naver',
  facebook: 'facebook',
  threads: 'threads',
  x: 'x',
  reddit: 'reddit',
  pinterest: 'pinterest',
  hackernews: 'ycombinator',
  mastodon: 'mastodon',
  bluesky: 'bluesky',
  tiktok: 'tiktok',
  snapchat: 'snapchat',
  telegram: 'telegram',
  whatsapp: 'whatsapp',
  discord: 'discord',
  vk: 'vk',
  tumblr: 'tumblr',
  quora: 'quora',
  weibo: 'sinaweibo',
  stackoverflow: 'stackoverflow',
  youtube: 'youtube',
  vimeo: 'vimeo',
  twitch: 'twitch',
  dailymotion: 'dailymotion',
  ebay: 'ebay',
  etsy: 'etsy',
  claude: 'claude',
  gemini: 'googlegemini',
  perplexity: 'perplexity',
  mistral: 'mistralai',
  metaai: 'meta',
  gmail: 'gmail',
  protonmail: 'protonmail',
  github: 'github',
  gitlab: 'gitlab',
  medium: 'medium',
  devto: 'devdotto',
  producthunt: 'producthunt',
  substack: 'substack',
  wikipedia: 'wikipedia',
  spotify: 'spotify',
  patreon: 'patreon',
  notion: 'notion',
  feedly: 'feedly',
  codeberg: 'codeberg',
  npm: 'npm',
  zhihu: 'zhihu',
  line: 'line',
  googlenews: 'googlenews',
  chrome: 'googlechrome',
  firefox: 'firefoxbrowser',
  opera: 'opera',
  vivaldi: 'vivaldi',
  ios: 'apple',
  android: 'android',
  ubuntu: 'ubuntu',
  fedora: 'fedora',
  freebsd: 'freebsd',
};

/** A mark is 16 px wide; what takes more is a picture. */
const PATH_LENGTH_MAX = 1_300;

export type Icons = Record<string, { path: string; colour?: string }>;

export function makeIcons(): Icons {
  const bySlug = new Map(Object.values(simpleIcons).map((icon) => [icon.slug, icon]));
  const made = Object.entries(ICONS).map(([key, slug]) => {
    const icon = bySlug.get(slug);
    if (!icon) throw new Error(`Simple Icons has no ${slug}`);
    const path = icon.path.replace(/(\.\d\d)\d+/g, '$1'); // a hundredth of what is 16 px wide
    if (path.length > PATH_LENGTH_MAX) throw new Error(`${slug} takes ${path.length} letters`);
    return [key, { path, ...(isSeen(icon.hex) && { colour: `#${icon.hex}` }) }];
  });
  return Object.fromEntries(made);
}

export function makeFlags(): Record<string, string> {
  return Object.fromEntries(Object.entries(flags).filter(([code]) => /^[A-Z]{2}$/.test(code)));
}

/** Black and white marks take the colour of the text: one of the two schemes would hide them. */
function isSeen(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const light = (0.21 * red + 0.72 * green + 0.07 * blue) / 255;
  return light > 0.15 && light < 0.85;
}

if (import.meta.main) {
  const write = (name: string, made: object) =>
    Bun.write(new URL(name, import.meta.url), `${JSON.stringify(made)}\n`);
  await write('icons.json', makeIcons());
  await write('flags.json', makeFlags());
}
