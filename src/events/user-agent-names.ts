/** Tokens of browsers, apps and systems in User-Agents, and the names under which they are counted. */

/**
 * Browsers, and apps that show pages in themselves: a name, then the products (`product/1.2` in a User-Agent, in lower
 * case) that stand for it; `_` is a space. Where several are named, the first line decides: an app before the browser that
 * it is made of. The same browser on a phone or in an app is one product, and so one name.
 */
const PRODUCTS = `
Messenger messengerforios messengerlite orca-android
Facebook fbav fban fb_iab fbios
Instagram instagram
Threads barcelona
WhatsApp whatsapp
TikTok tiktok bytelocale trill musical_ly bytedancewebview
Snapchat snapchat
LinkedIn linkedinapp
Pinterest pinterest
Reddit reddit
Twitter twitter twitterandroid
Telegram telegram telegram-android
Viber viber
Line line
KakaoTalk kakaotalk
KakaoStory kakaostory
Daum daumapps daum
Naver naver
Zalo zalo
WeChat micromessenger
DingTalk dingtalk
Feishu lark feishu
Weibo weibo __weibo__
Douyin aweme
Toutiao newsarticle newslite
Tieba tieba
Quark quark
Baidu baiduboxapp bdboxapp baidulite
Baidu_Browser bidubrowser baidubrowser bdbrowser_i18n flyflow baiduhd baidubrowserlite
Sogou sogousearch sogoumobilebrowser sogoumse metasr
Teams teams
Outlook outlook-ios outlook-android
Slack slack
Discord discord
Google_App gsa com.google.android.apps.searchlite com.google.googlemobile
Google_News com.google.android.apps.magazines
Bing bingsapphire bingweb
Yandex yasearchapp yandexsearch yandexsearchbrowser yasearchbrowser yaapp_android yaapp_ios
Yahoo!_Japan jp.co.yahoo.android.yjtop jp.co.yahoo.ipn.appli
Flipboard flipboard flipboard-briefing
ChatGPT chatgpt
VK vkandroidapp vkclient
Spotify spotify
Yandex_Browser yabrowser yowser
UC_Browser ucbrowser ucturbo ucmini ubrowser uclite ucweb
QQ_Browser mqqbrowser qqbrowser qqbrowserlite mttbrowser
QQ qq
Mi_Browser miuibrowser mintbrowser
Vivo_Browser vivobrowser
HeyTap_Browser heytapbrowser oppobrowser
Huawei_Browser huaweibrowser
Honor_Browser honorbrowser
Samsung_Internet samsungbrowser
Opera_GX opx
Opera_Mini mini
Opera opr opt opios opera oprgx
Whale whale
Puffin puffin
Meizu_Browser mzbrowser
Phoenix phx
Odin odin
Aloha alohabrowser
Coc_Coc coc_coc_browser coccocbrowser
Seznam sznprohlizec
Smart_Lenovo_Browser slbrowser mobilelenovobrowser
360_Browser 360se 360ee qihoobrowser qhbrowser mobile360browser 360browser 360aphone
2345_Browser 2345explorer mb2345browser 2345browser
115_Browser 115browser
Liebao lbbrowser liebaofast cheetah acheetahi
Maxthon maxthon mxbrowser mxios
Sleipnir sleipnir
Dolphin dolfin dolphin
Meta_Quest_Browser oculusbrowser
PICO_Browser picobrowser
Wolvic wolvic
DuckDuckGo duckduckgo ddg
Brave brave
Vivaldi vivaldi
Ecosia ecosia
Qwant qwantmobile qwantbrowser qwant
Cliqz cliqz
Avast_Secure_Browser avast
AVG_Secure_Browser avg
Avira avira
CCleaner_Browser ccleaner
Norton_Browser norton
Falkon falkon qupzilla
Epiphany epiphany
Konqueror konqueror
Midori midori
Otter otter
Iron iron
Electron electron
Sailfish_Browser sailfishbrowser
Nintendo_Browser nintendobrowser nintendo
Nokia_Browser nokiabrowser browserng
NetFront netfront nf nx
Openwave up.browser
Obigo obigo teleca
Amazon_Silk silk
Roku roku
TV_Bro bro
Seraphic sraf
T-Browser tbrowser
WhaleTV whalebrowser
BrowseHere com.tcl.browser
QtWebEngine qtwebengine
Hi_Browser hibrowser
Kiwi kiwi
Pale_Moon palemoon
SeaMonkey seamonkey
Waterfox waterfox
LibreWolf librewolf
Basilisk basilisk
K-Meleon k-meleon
Camino camino
Firefox firefox fxios focus klar firefoxmobile fennec iceweasel
Edge edg edge edga edgios edgw
Internet_Explorer iemobile msie
Chromium chromium
Chrome chrome crios headlesschrome crmo
BlackBerry_Browser blackberry bb10 playbook
`;

/** Where a product has no version, or its name alone says too little. The pattern's group, if any, is the version. */
export const BROWSER_PATTERNS: readonly [pattern: RegExp, name: string][] = [
  [/\bfb(?:an|_iab)\/(?:messenger|orca)/, 'Messenger'],
  [/\bfb(?:an|_iab)\//, 'Facebook'],
  [/\btwitter for (?:iphone|ipad|android)/, 'Twitter'],
  [/\bteamsmobile/, 'Teams'],
  [/\[linkedinapp\]/, 'LinkedIn'],
  [/\[pinterest\//, 'Pinterest'],
  [/\bnaver\(inapp/, 'Naver'],
  [/\bopera mini\/(\d+)/, 'Opera Mini'],
  [/\bopios\/(\d+)/, 'Opera Mini'],
  [/\btrident\/.*\brv:(\d+)/, 'Internet Explorer'],
];

/** By the product, in the order of precedence. */
export const BROWSERS: ReadonlyMap<string, { name: string; rank: number }> = new Map(
  PRODUCTS.trim()
    .split('\n')
    .flatMap((line) => {
      const [name = '', ...products] = line.split(' ');
      return products.map((product) => [product, name.replaceAll('_', ' ')] as const);
    })
    .map(([product, name], rank) => [product, { name, rank }]),
);

/**
 * Systems, the first that is named; the pattern's group is the version. A system that is made of another stands before it,
 * and a distribution of Linux is Linux: browsers stopped naming it. Fire OS and makers' Androids are Android.
 */
export const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/\b(?:windows phone(?: os)?|wds) ?(\d+)?/, 'Windows Phone'],
  [/\bwindows (?:ce|mobile)\b/, 'Windows Phone'],
  [/\bxbox\b/, 'Xbox'],
  [/\bplaystation(?:;.*?playstation)? ?(\d)?/, 'PlayStation'],
  [/\bnintendo\b/, 'Nintendo'],
  [/\b(?:apple ?tv|tvos)[^)]*? os (\d+)|\bapple ?tv|\btvos\b/, 'tvOS'],
  [/\bwatchos\b|\bwatch os\b/, 'watchOS'],
  [/\bopenharmony(?: (\d+))?/, 'HarmonyOS'],
  [/\bharmonyos(?:[ /](\d+))?/, 'HarmonyOS'],
  [/\bkaios(?:\/(\d+))?/, 'KaiOS'],
  [/\btizen(?:[ /](\d+))?/, 'Tizen'],
  [/\bweb0s|\bwebos(?:\.tv)?(?:[-/ ](\d+))?|\bnetcast|\bhpwos/, 'webOS'],
  [/\bvidaa(?:\/(\d+))?/, 'VIDAA'],
  [/\broku(?:\/dvp-(\d+)|os)?/, 'Roku'],
  [/\bfuchsia\b/, 'Fuchsia'],
  [/\bsailfish\b/, 'Sailfish OS'],
  [/\bcros\b/, 'Chrome OS'],
  [/\b(?:ipad|iphone|ipod)\b.*? os (\d+)|\b(?:ipad|iphone|ipod)\b|\bios[ /](\d+)/, 'iOS'],
  [/\b(?:bb10|blackberry\b|rim tablet)/, 'BlackBerry'],
  [/(?<!like )\b(?:andr[o0]id|adr)\b[ /-]?v?(\d+)?/, 'Android'],
  [/\b(?:symbian|symbos|series ?[346]0|s60)/, 'Symbian'],
  [/\bwindows(?: nt)? ?(\d+(?:\.\d+)?|xp|vista)?|\bwin(?:98|95|32)\b/, 'Windows'],
  [/\bmacintosh\b(?:.*?\bmac os x (\d+))?|\bmac ?os(?: x)?[ /]?(\d+)?/, 'macOS'],
  [/\bfreebsd\b/, 'FreeBSD'],
  [/\bopenbsd\b/, 'OpenBSD'],
  [/\bnetbsd\b/, 'NetBSD'],
  [/\blinux\b|\bx11\b|\bubuntu\b/, 'Linux'],
];

/** Versions of Windows by the number of its kernel, where that is not the name that people know. */
export const WINDOWS_VERSIONS: ReadonlyMap<string, string> = new Map([
  ['5.0', '2000'],
  ['5.1', 'XP'],
  ['5.2', 'XP'],
  ['xp', 'XP'],
  ['6.0', 'Vista'],
  ['vista', 'Vista'],
  ['6.1', '7'],
  ['6.2', '8'],
  ['6.3', '8'],
]);

/** Words that mark televisions. One without such a word cannot be distinguished from a phone or a tablet. */
export const TELEVISION =
  /web0s|netcast|smart-?_?tv|hbbtv|bravia|\bcrkey|vidaa|googletv|apple ?tv|\bnettv|netrange|\broku\b|\bviera\b|aquos(?:browser|-|tv)|philipstv|\baft[a-z]{1,6}\d*\b|opera tv|\bomi\/|\bce-html|\bsraf\/|\binettv|\btsbnettv|dtvnetbrowser|\bstb\b|set-?top|\b(?:android|google|mi|fire|smart|uhd|qled|led|4k|box)?[ _-]?tv(?:[ _-]?(?:box|stick))?\b(?! ?\d\d\b)/;

export const CONSOLE = /\b(?:xbox|playstation|nintendo)\b/;

/** Watches and headsets: they go where a person goes. */
export const WORN = /\bwatch\b|\bwear ?os\b|\bquest(?: \d)?\b|\boculus|\bpico\b|\bvr\b/;

/** Tablets that say `Mobile`, by the names of their models. */
export const TABLET_MODEL =
  /\bsm-[tpx]\d|\bgt-p\d|\bgt-n(?:5|8)\d|pad(?!fone)\b|\btab(?:let)?\b|\bipad\b|\bkindle|\bkf[a-z]{2,4}\b|\bnexus (?:7|9|10)\b|\bxoom\b|\btablet\b|\bmediapad|\bmatepad|\bplaybook|\bpixel (?:c|tablet)\b|\byoga tab|\blenovo (?:tb|yt|yb)-?|\btb-?\d{3,4}|\b(?:lenovo)?ideatab|\bslate\b|transformer|\bpad\b/;

/** Systems of computers. */
export const DESKTOP_SYSTEMS: ReadonlySet<string> = new Set([
  'Windows',
  'macOS',
  'Linux',
  'Chrome OS',
  'FreeBSD',
  'OpenBSD',
  'NetBSD',
]);

/** Systems of phones. */
export const PHONE_SYSTEMS: ReadonlySet<string> = new Set([
  'Windows Phone',
  'BlackBerry',
  'Symbian',
  'KaiOS',
  'iOS',
  'Sailfish OS',
  'watchOS',
]);
