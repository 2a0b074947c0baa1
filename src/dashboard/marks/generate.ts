/**
 * Makes icons.json, flags.json and those of the rare ones: `bun src/dashboard/marks/generate.ts`. The icons are of
 * Simple Icons (CC0), the flags of country-flag-icons (MIT, FLAGS-LICENSE). The files are committed, so the service
 * needs neither package, and no browser asks a third party.
 */
import * as flags from 'country-flag-icons/string/3x2';
import * as simpleIcons from 'simple-icons';

/** Keys of `keyOf` by the names of Simple Icons, where they differ. Values without an icon get a letter. */
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
  archlinux: 'archlinux',
  wechat: 'wechat',
  messenger: 'messenger',
  lobsters: 'lobsters',
  flipboard: 'flipboard',
  wordpress: 'wordpress',
  blogger: 'blogger',
  steam: 'steam',
  bitbucket: 'bitbucket',
  trello: 'trello',
  figma: 'figma',
  huawei: 'huawei',
};

/** Common icons, in the first load. */
const USUAL_ICONS = new Set(
  'google facebook x reddit hackernews youtube github pinterest mastodon bluesky threads telegram whatsapp baidu ecosia claude gemini perplexity chrome firefox opera ios android ubuntu'.split(
    ' ',
  ),
);

/** Common countries, whose flags are in the first load. Flags with many details are left out. */
const USUAL_FLAGS = new Set(
  'AR AT AU BE BG BR CA CH CL CN CO CZ DE DK EG ES FI FR GB GR HU ID IE IL IN IT JP KR MX MY NG NL NO NZ PE PH PK PL PT RO RU SE SG TH TR TW UA US VN ZA'.split(
    ' ',
  ),
);

/** Resolution of a flag. At 16 px, finer steps are invisible and would take a fifth of its bytes. */
const FLAG_STEPS = 500;

/** Maximum path length of a mark, which is 16 px wide. */
const PATH_LENGTH_MAX = 1_300;

export type Icons = Record<string, { path: string; colour?: string }>;

type Which = { areUsual: boolean };

export function makeIcons({ areUsual }: Which): Icons {
  const bySlug = new Map(Object.values(simpleIcons).map((icon) => [icon.slug, icon]));
  const wanted = Object.entries(ICONS).filter(([key]) => USUAL_ICONS.has(key) === areUsual);
  const made = wanted.map(([key, slug]) => {
    const icon = bySlug.get(slug);
    if (!icon) throw new Error(`Simple Icons has no ${slug}`);
    const path = icon.path.replace(/(\.\d\d)\d+/g, '$1'); // a hundredth of what is 16 px wide
    if (path.length > PATH_LENGTH_MAX) throw new Error(`${slug} takes ${path.length} letters`);
    return [key, { path, ...(isSeen(icon.hex) && { colour: `#${icon.hex}` }) }];
  });
  return Object.fromEntries(made);
}

export function makeFlags({ areUsual }: Which): Record<string, string> {
  const isWanted = (code: string) => /^[A-Z]{2}$/.test(code) && USUAL_FLAGS.has(code) === areUsual;
  const wanted = Object.entries(flags).filter(([code]) => isWanted(code));
  return Object.fromEntries(wanted.map(([code, image]) => [code, roundPaths(image)]));
}

function roundPaths(image: string): string {
  const width = Number(/viewBox="\S+ \S+ (\S+)/.exec(image)?.[1]);
  const digits = Math.max(0, Math.ceil(Math.log10(FLAG_STEPS / width)));
  const round = (text: string) => String(Number(Number(text).toFixed(digits)) + 0);
  return image.replace(/(?<= d=")[^"]+/g, (path) =>
    // The flags of an arc are written without a space behind them, so its numbers stay as they are.
    path.replace(/([a-z])([^a-z]*)/gi, (all, command: string, numbers: string) =>
      command.toLowerCase() === 'a'
        ? all
        : command + (numbers.match(/-?(\d*\.\d+|\d+)/g) ?? []).map(round).join(' ').replaceAll(' -', '-'),
    ),
  );
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
  await write('icons.json', makeIcons({ areUsual: true }));
  await write('icons-rare.json', makeIcons({ areUsual: false }));
  await write('flags.json', makeFlags({ areUsual: true }));
  await write('flags-rare.json', makeFlags({ areUsual: false }));
}
