/** What a source is, where that decides its channel. */
export type SourceKind = 'search' | 'social' | 'video' | 'shopping' | 'ai' | 'email';
export type KnownSource = { name: string; kind: SourceKind };

/**
 * Sources that have a name of their own: name, then hosts and the words that campaigns use in `utm_source`. A host
 * also stands for its subdomains; `google.*` stands for every ending.
 */
const TABLE: Record<SourceKind, readonly string[]> = {
  search: [
    'Google google google.* googleads.g.doubleclick.net adwords googleads com.google.android.googlequicksearchbox',
    'Bing bing bing.com adcenter bingads',
    'DuckDuckGo duckduckgo duckduckgo.com',
    'Yahoo! yahoo search.yahoo.com yahoo.com',
    'Yandex yandex yandex.* ya.ru',
    'Baidu baidu baidu.com',
    'Ecosia ecosia ecosia.org',
    'Qwant qwant qwant.com',
    'Startpage startpage startpage.com',
    'Brave search.brave.com',
    'Kagi kagi kagi.com',
    'Naver naver naver.com',
    'Seznam seznam seznam.cz',
    'Sogou sogou.com',
  ],
  social: [
    'Facebook facebook fb facebook.com fb.com fb.me facebook-ads',
    'Instagram instagram ig instagram.com instagram-ads',
    'Threads threads threads.net threads.com',
    'X x twitter x.com t.co twitter.com com.twitter.android',
    'LinkedIn linkedin linkedin.com lnkd.in com.linkedin.android',
    'Reddit reddit reddit.com redd.it com.reddit.frontpage',
    'Pinterest pinterest pinterest.* pin.it',
    'Hacker_News hackernews hn news.ycombinator.com',
    'Mastodon mastodon mastodon.social mastodon.online fosstodon.org',
    'Bluesky bluesky bsky.app',
    'TikTok tiktok tiktok.com',
    'Snapchat snapchat snapchat.com',
    'Telegram telegram telegram.org t.me org.telegram.messenger web.telegram.org',
    'WhatsApp whatsapp whatsapp.com wa.me',
    'Discord discord discord.com discordapp.com',
    'Slack slack slack.com',
    'VK vk vk.com',
    'Tumblr tumblr tumblr.com',
    'Quora quora quora.com',
    'Weibo weibo weibo.com weibo.cn',
    'Lobsters lobsters lobste.rs',
    'Stack_Overflow stackoverflow stackoverflow.com',
  ],
  video: [
    'YouTube youtube youtube.com youtu.be',
    'Vimeo vimeo vimeo.com',
    'Twitch twitch twitch.tv',
    'Dailymotion dailymotion dailymotion.com',
  ],
  shopping: [
    'Amazon amazon amazon.*',
    'eBay ebay ebay.*',
    'Etsy etsy etsy.com',
    'AliExpress aliexpress aliexpress.com',
    'Google_Shopping shopping.google.com',
  ],
  ai: [
    'ChatGPT chatgpt chatgpt.com chat.openai.com openai.com',
    'Claude claude claude.ai',
    'Gemini gemini gemini.google.com bard.google.com',
    'Perplexity perplexity perplexity.ai',
    'Copilot copilot copilot.microsoft.com',
    'Mistral mistral chat.mistral.ai',
    'DeepSeek deepseek chat.deepseek.com',
    'Grok grok grok.com',
    'Meta_AI meta.ai',
  ],
  email: [
    'Gmail gmail mail.google.com com.google.android.gm',
    'Outlook outlook outlook.live.com outlook.office.com outlook.office365.com',
    'Yahoo!_Mail mail.yahoo.com',
    'Proton_Mail mail.proton.me',
  ],
};

/** Hosts where people sign in on their way, and come back; in the form of the table above. */
const SIGN_IN = new Map(
  [
    'accounts.google.* accounts.youtube.com accounts.spotify.com signin.ebay.*',
    'login.microsoftonline.com login.microsoft.com login.live.com login.windows.net',
    'appleid.apple.com idmsa.apple.com login.yahoo.com login.yahoo.co.jp login.aol.com login.salesforce.com',
    'passport.yandex.* id.vk.com oauth.vk.com oauth.telegram.org',
  ].flatMap((line) => line.split(' ').map((key) => [key, true])),
);
/** Services that sign people in for others, each below a host of its own; the domain itself is a website like any other. */
const SIGN_IN_SERVICES = new Set(['auth0.com', 'okta.com', 'onelogin.com', 'b2clogin.com']);

/** By the lower-cased text: a word of a campaign, a host, or `name.*`. */
const KNOWN = readTable();

/** @param text a word of a campaign, or a host without `www.` */
export function findSource(text: string): KnownSource | undefined {
  const key = text.toLowerCase();
  const exact = KNOWN.get(key);
  if (exact || !key.includes('.') || isSignInHost(key)) return exact;
  return findHost(KNOWN, key.replace(/^www\./, ''));
}

/** Who comes from there was on the way before, so it is no source. */
export function isSignInHost(host: string): boolean {
  const labels = host.split('.');
  const isService = labels.length > 2 && SIGN_IN_SERVICES.has(labels.slice(-2).join('.'));
  return isService || findHost(SIGN_IN, host) === true;
}

/** What is said of the host itself, then of its parents; `name.*` is `name` before an ending (`co.uk`, `de`). */
function findHost<Value>(table: ReadonlyMap<string, Value>, host: string): Value | undefined {
  const labels = host.split('.');
  const endings = /^(com?|org|net|gov|ac)$/.test(labels.at(-2) ?? '') ? [1, 2] : [1];
  for (let first = 0; first < labels.length - 1; first += 1) {
    const names = [labels.slice(first), ...endings.map((count) => [...labels.slice(first, -count), '*'])];
    for (const name of names) {
      const found = table.get(name.join('.'));
      if (found) return found;
    }
  }
  return undefined;
}

function readTable(): Map<string, KnownSource> {
  const known = new Map<string, KnownSource>();
  for (const [kind, lines] of Object.entries(TABLE) as [SourceKind, readonly string[]][]) // its own keys
    for (const line of lines) {
      const [name = '', ...keys] = line.split(' ');
      const source = { name: name.replaceAll('_', ' '), kind };
      known.set(source.name.toLowerCase(), source);
      for (const key of keys) known.set(key, source);
    }
  return known;
}
