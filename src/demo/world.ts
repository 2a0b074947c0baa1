import type { DeviceType } from '../vocabulary/contract.ts';
import { createChoice } from './picker.ts';

/** Where visitors live, what they browse with and where they come from: weights are shares of the visits. */

/**
 * Hours from UTC are fixed (no daylight saving), so that the traffic of a seed does not change with the time zone
 * database of the machine.
 */
export const COUNTRIES = [
  { code: 'US', utcOffsetH: -5, weight: 17, languages: ['en-US', 'en-US', 'en-US', 'es-US'] },
  { code: 'US', utcOffsetH: -8, weight: 9, languages: ['en-US', 'en-US', 'es-US'] },
  { code: 'DE', utcOffsetH: 1, weight: 13, languages: ['de-DE', 'de-DE', 'de', 'en-US'] },
  { code: 'GB', utcOffsetH: 0, weight: 8, languages: ['en-GB'] },
  { code: 'FR', utcOffsetH: 1, weight: 6, languages: ['fr-FR', 'fr'] },
  { code: 'IN', utcOffsetH: 5, weight: 6, languages: ['en-IN', 'en-US', 'hi-IN'] },
  { code: 'CA', utcOffsetH: -5, weight: 4, languages: ['en-CA', 'fr-CA'] },
  { code: 'NL', utcOffsetH: 1, weight: 3.5, languages: ['nl-NL', 'en-US'] },
  { code: 'BR', utcOffsetH: -3, weight: 3.5, languages: ['pt-BR'] },
  { code: 'ES', utcOffsetH: 1, weight: 3, languages: ['es-ES', 'ca-ES'] },
  { code: 'AU', utcOffsetH: 10, weight: 3, languages: ['en-AU'] },
  { code: 'IT', utcOffsetH: 1, weight: 2.5, languages: ['it-IT'] },
  { code: 'PL', utcOffsetH: 1, weight: 2.5, languages: ['pl-PL'] },
  { code: 'AT', utcOffsetH: 1, weight: 2, languages: ['de-AT', 'de'] },
  { code: 'CH', utcOffsetH: 1, weight: 2, languages: ['de-CH', 'fr-CH', 'en-US'] },
  { code: 'SE', utcOffsetH: 1, weight: 2, languages: ['sv-SE', 'en-US'] },
  { code: 'JP', utcOffsetH: 9, weight: 2, languages: ['ja-JP'] },
  { code: 'MX', utcOffsetH: -6, weight: 1.5, languages: ['es-MX'] },
  { code: 'UA', utcOffsetH: 2, weight: 1, languages: ['uk-UA'] },
  { code: 'TR', utcOffsetH: 3, weight: 1, languages: ['tr-TR'] },
  { code: 'KR', utcOffsetH: 9, weight: 1, languages: ['ko-KR'] },
  { code: 'SG', utcOffsetH: 8, weight: 1, languages: ['en-SG', 'zh-SG'] },
  { code: 'ZA', utcOffsetH: 2, weight: 0.8, languages: ['en-ZA'] },
  { code: 'NZ', utcOffsetH: 12, weight: 0.7, languages: ['en-NZ'] },
  { code: null, utcOffsetH: 1, weight: 2, languages: ['en-US', null] },
] as const;

type Agent = {
  weight: number;
  deviceType: DeviceType;
  os: string;
  browser: string;
  screens: readonly string[];
};

const DESK_SCREENS = ['1920x1080', '1920x1080', '1536x864', '1366x768', '2560x1440', '1600x900'];
const MAC_SCREENS = ['1440x900', '1512x982', '1728x1117', '2560x1440'];
const PHONE_SCREENS = ['360x800', '412x915', '393x873', '384x832', '360x780'];
const IPHONE_SCREENS = ['390x844', '393x852', '430x932', '375x812', '414x896'];

const AGENTS: readonly Agent[] = [
  { weight: 24, deviceType: 'desktop', os: 'Windows', browser: 'Chrome', screens: DESK_SCREENS },
  { weight: 7, deviceType: 'desktop', os: 'Windows', browser: 'Edge', screens: DESK_SCREENS },
  { weight: 4, deviceType: 'desktop', os: 'Windows', browser: 'Firefox', screens: DESK_SCREENS },
  { weight: 1, deviceType: 'desktop', os: 'Windows', browser: 'Opera', screens: DESK_SCREENS },
  { weight: 8, deviceType: 'desktop', os: 'macOS', browser: 'Chrome', screens: MAC_SCREENS },
  { weight: 6, deviceType: 'desktop', os: 'macOS', browser: 'Safari', screens: MAC_SCREENS },
  { weight: 1.5, deviceType: 'desktop', os: 'macOS', browser: 'Firefox', screens: MAC_SCREENS },
  { weight: 1.5, deviceType: 'desktop', os: 'Linux', browser: 'Chrome', screens: DESK_SCREENS },
  { weight: 2, deviceType: 'desktop', os: 'Linux', browser: 'Firefox', screens: DESK_SCREENS },
  { weight: 0.5, deviceType: 'desktop', os: 'Chrome OS', browser: 'Chrome', screens: ['1366x768'] },
  { weight: 18, deviceType: 'mobile', os: 'iOS', browser: 'Safari', screens: IPHONE_SCREENS },
  { weight: 2, deviceType: 'mobile', os: 'iOS', browser: 'Chrome', screens: IPHONE_SCREENS },
  { weight: 1, deviceType: 'mobile', os: 'iOS', browser: 'Instagram', screens: IPHONE_SCREENS },
  { weight: 17, deviceType: 'mobile', os: 'Android', browser: 'Chrome', screens: PHONE_SCREENS },
  { weight: 2.5, deviceType: 'mobile', os: 'Android', browser: 'Samsung Internet', screens: PHONE_SCREENS },
  { weight: 0.8, deviceType: 'mobile', os: 'Android', browser: 'Firefox', screens: PHONE_SCREENS },
  { weight: 2.2, deviceType: 'tablet', os: 'iOS', browser: 'Safari', screens: ['820x1180', '810x1080'] },
  { weight: 1, deviceType: 'tablet', os: 'Android', browser: 'Chrome', screens: ['800x1280', '1200x1920'] },
];

/** Other websites that link here; a few of them often, most of them rarely. */
const LINKING_SITES = [
  'https://alternativeto.net/software/example/',
  'https://selfh.st/weekly/',
  'https://www.producthunt.com/posts/example',
  'https://dev.to/marta/how-we-measure-traffic-3k1f',
  'https://lobste.rs/s/9xq2ab/example',
  'https://medium.com/@jonas/notes-on-privacy-8f2a',
  'https://stackoverflow.com/questions/7412093/how-to-count-visitors',
  'https://blog.northwind.example/tools-we-like',
  'https://www.heise.example/news/Werkzeuge-im-Vergleich-9123456.html',
  'https://forum.makers.example/t/what-do-you-use/1837',
];

type VisitOrigin = {
  weight: number;
  /** Null: none is sent. */
  referrers: readonly (string | null)[];
  /** Put behind the address of the first page; `{click}` becomes an id that is never used again. */
  query?: readonly string[];
};

const SOURCES: readonly VisitOrigin[] = [
  { weight: 33, referrers: [null] },
  { weight: 27, referrers: ['https://www.google.com/'] },
  { weight: 4, referrers: ['https://www.bing.com/'] },
  {
    weight: 4,
    referrers: ['https://duckduckgo.com/', 'https://search.brave.com/', 'https://www.ecosia.org/'],
  },
  { weight: 1.5, referrers: ['https://chatgpt.com/', 'https://www.perplexity.ai/', 'https://claude.ai/'] },
  { weight: 3, referrers: ['https://t.co/8fKq2LmXzA', 'https://t.co/3hTn9PwYcB', 'https://x.com/'] },
  { weight: 2.5, referrers: ['https://www.linkedin.com/', 'https://lnkd.in/'] },
  { weight: 2.5, referrers: ['https://www.reddit.com/', 'https://old.reddit.com/r/selfhosted/'] },
  {
    weight: 2,
    referrers: ['https://news.ycombinator.com/', 'https://news.ycombinator.com/item?id=41873301'],
  },
  {
    weight: 2,
    referrers: ['https://github.com/', 'https://github.com/awesome-selfhosted/awesome-selfhosted'],
  },
  { weight: 2, referrers: ['https://www.youtube.com/', 'https://mastodon.social/', 'https://bsky.app/'] },
  {
    weight: 2,
    referrers: ['https://l.facebook.com/', 'https://m.facebook.com/'],
    query: ['fbclid={click}'],
  },
  { weight: 6, referrers: LINKING_SITES },
  {
    weight: 3.5,
    referrers: [null, null, 'https://mail.google.com/'],
    query: [
      'utm_source=newsletter&utm_medium=email&utm_campaign=weekly-digest&utm_content=header',
      'utm_source=newsletter&utm_medium=email&utm_campaign=weekly-digest&utm_content=footer',
      'utm_source=newsletter&utm_medium=email&utm_campaign=product-update',
    ],
  },
  {
    weight: 3.5,
    referrers: ['https://www.google.com/'],
    query: [
      'utm_source=google&utm_medium=cpc&utm_campaign=brand&utm_term=web+analytics&gclid={click}',
      'utm_source=google&utm_medium=cpc&utm_campaign=privacy&utm_term=cookieless+analytics&gclid={click}',
    ],
  },
  {
    weight: 1.5,
    referrers: ['https://www.linkedin.com/', null],
    query: ['utm_source=linkedin&utm_medium=social&utm_campaign=launch', 'ref=linkedin'],
  },
];

export const chooseAgent = createChoice(AGENTS);
export const chooseSource = createChoice(SOURCES);
