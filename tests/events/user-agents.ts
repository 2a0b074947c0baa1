/** User-Agent texts as browsers, apps and crawlers send them, with what is read from each. */
import type { UserAgentDescription } from '../../src/events/user-agent-description.ts';

export type UserAgentCase = readonly [title: string, userAgent: string, expected: UserAgentDescription];

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML}`;
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const LINUX = `Mozilla/5.0 (X11; Linux x86_64) ${KHTML}`;
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${KHTML}`;
const GALAXY = 'Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A.231005.007; wv)';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) ${APPLE}`;
const IPAD = `Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${APPLE}`;

/** A browser or a system with its major version: `Chrome 131`, `Chrome OS`. */
function read(
  deviceType: 'mobile' | 'tablet' | 'desktop',
  client: string,
  system: string,
): UserAgentDescription {
  const [, browser = '', browserVersion] = /^(.*?)(?: (\d+))?$/.exec(client) ?? [];
  const [, os = '', osVersion] = /^(.*?)(?: (\d+))?$/.exec(system) ?? [];
  return {
    browser,
    ...(browserVersion && { browserVersion }),
    os,
    ...(osVersion && { osVersion }),
    deviceType,
    isBot: false,
  };
}
const desktop = (browser: string, os: string) => read('desktop', browser, os);
const mobile = (browser: string, os: string) => read('mobile', browser, os);
const tablet = (browser: string, os: string) => read('tablet', browser, os);

export const BROWSERS: readonly UserAgentCase[] = [
  ['Chrome on Windows', `${WINDOWS} Chrome/131.0.0.0 Safari/537.36`, desktop('Chrome 131', 'Windows 10')],
  ['Chrome on macOS', `${MAC} ${KHTML} Chrome/131.0.0.0 Safari/537.36`, desktop('Chrome 131', 'macOS 10')],
  ['Chrome on Linux', `${LINUX} Chrome/131.0.0.0 Safari/537.36`, desktop('Chrome 131', 'Linux')],
  [
    'Chrome on Chrome OS',
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/131.0.0.0 Safari/537.36`,
    desktop('Chrome 131', 'Chrome OS'),
  ],
  [
    'Chrome on Android',
    `${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36`,
    mobile('Chrome 131', 'Android 10'),
  ],
  [
    'Chrome on an Android tablet',
    `${ANDROID} Chrome/131.0.0.0 Safari/537.36`,
    tablet('Chrome 131', 'Android 10'),
  ],
  [
    'Chrome on iOS',
    `${IPHONE} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`,
    mobile('Chrome 131', 'iOS 17'),
  ],
  ['Safari on iPhone', `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`, mobile('Safari 17', 'iOS 17')],
  ['Safari on iPad', `${IPAD} Version/16.6 Mobile/15E148 Safari/604.1`, tablet('Safari 16', 'iOS 16')],
  [
    'Safari on macOS, and on an iPad that asks for desktop pages',
    `${MAC} ${APPLE} Version/17.5 Safari/605.1.15`,
    desktop('Safari 17', 'macOS 10'),
  ],
  [
    'Firefox on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
    desktop('Firefox 133', 'Windows 10'),
  ],
  [
    'Firefox on Ubuntu',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
    desktop('Firefox 133', 'Linux'),
  ],
  [
    'Firefox on FreeBSD',
    'Mozilla/5.0 (X11; FreeBSD amd64; rv:128.0) Gecko/20100101 Firefox/128.0',
    desktop('Firefox 128', 'FreeBSD'),
  ],
  [
    'Firefox on Android',
    'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0',
    mobile('Firefox 133', 'Android 14'),
  ],
  [
    'Firefox on an Android tablet',
    'Mozilla/5.0 (Android 14; Tablet; rv:133.0) Gecko/133.0 Firefox/133.0',
    tablet('Firefox 133', 'Android 14'),
  ],
  ['Firefox on iOS', `${IPHONE} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`, mobile('Firefox 133', 'iOS 17')],
  [
    'Edge on Windows',
    `${WINDOWS} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    desktop('Edge 131', 'Windows 10'),
  ],
  [
    'Edge on Android',
    `${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36 EdgA/131.0.0.0`,
    mobile('Edge 131', 'Android 10'),
  ],
  [
    'Edge on iOS',
    `${IPHONE} Version/17.5 EdgiOS/131.0.2903.92 Mobile/15E148 Safari/604.1`,
    mobile('Edge 131', 'iOS 17'),
  ],
  ['Opera', `${WINDOWS} Chrome/131.0.0.0 Safari/537.36 OPR/116.0.0.0`, desktop('Opera 116', 'Windows 10')],
  [
    'Opera on Android',
    `${ANDROID} Chrome/130.0.0.0 Mobile Safari/537.36 OPR/86.0.0.0`,
    mobile('Opera 86', 'Android 10'),
  ],
  [
    'Samsung Internet',
    `Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) ${KHTML} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
    mobile('Samsung Internet 25', 'Android 14'),
  ],
  [
    'Vivaldi',
    `${LINUX} Chrome/131.0.6778.33 Safari/537.36 Vivaldi/7.0.3495.6`,
    desktop('Vivaldi 7', 'Linux'),
  ],
  [
    'Yandex Browser',
    `${WINDOWS} Chrome/130.0.0.0 YaBrowser/24.12.0.0 Safari/537.36`,
    desktop('Yandex Browser 24', 'Windows 10'),
  ],
  [
    'DuckDuckGo on iOS',
    `${IPHONE} Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
    mobile('DuckDuckGo 7', 'iOS 17'),
  ],
  [
    'Mi Browser',
    `Mozilla/5.0 (Linux; U; Android 13; en-us; Redmi Note 10 Build/TKQ1) ${KHTML} Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.7.0-gn`,
    mobile('Mi Browser 14', 'Android 13'),
  ],
  [
    'Huawei Browser on HarmonyOS',
    `Mozilla/5.0 (Linux; Android 14; HarmonyOS; ALN-AL00; HMSCore 6.14.0.302) ${KHTML} Chrome/114.0.5735.196 HuaweiBrowser/15.0.8.300 Mobile Safari/537.36`,
    mobile('Huawei Browser 15', 'HarmonyOS'),
  ],
  [
    'Amazon Silk',
    `Mozilla/5.0 (Linux; Android 9; KFMAWI) ${KHTML} Silk/120.4.1 like Chrome/120.0.6099.230 Safari/537.36`,
    tablet('Amazon Silk 120', 'Android 9'),
  ],
  [
    'Internet Explorer 11',
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    desktop('Internet Explorer 11', 'Windows 10'),
  ],
  [
    'the WebView of an Android app',
    `${GALAXY} ${KHTML} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36`,
    mobile('Chrome 131', 'Android 14'),
  ],
  ['the WebView of an iOS app', `${IPHONE} Mobile/15E148`, mobile('Safari', 'iOS 17')],
  [
    'the Google app on iOS',
    `${IPHONE} GSA/320.0.639238337 Mobile/15E148 Safari/604.1`,
    mobile('Google App 320', 'iOS 17'),
  ],
  [
    'Facebook on iOS',
    `${IPHONE} Mobile/21F90 [FBAN/FBIOS;FBAV/465.0.1.41.103;FBBV/602060281;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.5.1;FBSS/3;FBID/phone;FBLC/en_US;FBOP/5]`,
    mobile('Facebook 465', 'iOS 17'),
  ],
  [
    'Facebook on Android',
    `${GALAXY} ${KHTML} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/490.0.0.63.82;]`,
    mobile('Facebook 490', 'Android 14'),
  ],
  [
    'Instagram on iOS',
    `${IPHONE} Mobile/21F90 Instagram 334.0.4.32.98 (iPhone14,5; iOS 17_5_1; en_US; en; scale=3.00; 1170x2532; 606080443)`,
    mobile('Instagram 334', 'iOS 17'),
  ],
  [
    'Instagram on Android',
    `${GALAXY} ${KHTML} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 Instagram 340.0.0.22.109 Android (34/14; 480dpi; 1080x2115; samsung; SM-S918B; dm3q; qcom; en_US; 619461234)`,
    mobile('Instagram 340', 'Android 14'),
  ],
  [
    'a television',
    `Mozilla/5.0 (Web0S; Linux/SmartTV) ${KHTML} Chrome/94.0.4606.128 Safari/537.36 WebAppManager`,
    desktop('Chrome 94', 'webOS'),
  ],
  [
    'a console',
    `Mozilla/5.0 (PlayStation; PlayStation 5/2.26) ${APPLE} Version/13.0 Safari/605.1.15`,
    desktop('Safari 13', 'PlayStation 5'),
  ],
  [
    'a headset',
    `Mozilla/5.0 (Linux; Android 10; Quest 3) ${KHTML} OculusBrowser/36.2.0.9 Chrome/130.0.6723.116 VR Safari/537.36`,
    mobile('Meta Quest Browser 36', 'Android 10'),
  ],
];

export const BOTS: readonly UserAgentCase[] = [
  [
    'Googlebot',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    { isBot: true, bot: 'Googlebot' },
  ],
  [
    'Googlebot for phones',
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${KHTML} Chrome/131.0.6778.69 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    {
      browser: 'Chrome',
      browserVersion: '131',
      os: 'Android',
      osVersion: '6',
      deviceType: 'mobile',
      isBot: true,
      bot: 'Googlebot',
    },
  ],
  [
    'GPTBot',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    { isBot: true, bot: 'GPTBot' },
  ],
  [
    'ClaudeBot',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    { isBot: true, bot: 'ClaudeBot' },
  ],
  [
    'bingbot',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36',
    { browser: 'Chrome', browserVersion: '116', isBot: true, bot: 'bingbot' },
  ],
  [
    'headless Chrome',
    `${LINUX} HeadlessChrome/131.0.6778.33 Safari/537.36`,
    {
      browser: 'Chrome',
      browserVersion: '131',
      os: 'Linux',
      deviceType: 'desktop',
      isBot: true,
      bot: 'HeadlessChrome',
    },
  ],
  ['curl', 'curl/8.5.0', { isBot: true, bot: 'curl' }],
  ['python-requests', 'python-requests/2.31.0', { isBot: true, bot: 'python-requests' }],
  ['the Go standard library', 'Go-http-client/2.0', { isBot: true, bot: 'Go-http-client' }],
  [
    'Amzn-User',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amzn-User/0.1) Chrome/119.0.6045.214 Safari/537.36',
    { browser: 'Chrome', browserVersion: '119', isBot: true, bot: 'Amzn-User' },
  ],
  [
    'Assetnote',
    `${LINUX} Chrome/60.0.3122.113 Safari/537.36 Assetnote/1.0.0`,
    {
      browser: 'Chrome',
      browserVersion: '60',
      os: 'Linux',
      deviceType: 'desktop',
      isBot: true,
      bot: 'Assetnote',
    },
  ],
  ['Bun', 'Bun/1.4.5', { isBot: true, bot: 'Bun' }],
];

const ON_ANDROID = (model: string, rest = '') =>
  `Mozilla/5.0 (Linux; Android 13; ${model}) ${KHTML} Chrome/141.0.7390.97 ${rest}Safari/537.36`;

/** Device, system and browser of each. */
export const DEVICES: readonly (readonly [userAgent: string, expected: string])[] = [
  // Televisions and what is plugged into them.
  [
    `Mozilla/5.0 (Web0S; Linux/SmartTV) ${KHTML} Chrome/94.0.4606.128 Safari/537.36 HbbTV/1.6.1 (+DRM; LGE; OLED55C1; WEBOS6.0)`,
    'desktop, webOS, Chrome',
  ],
  [ON_ANDROID('O2 TV Box Build/RTT0; wv', 'Mobile '), 'desktop, Android, Chrome'],
  [ON_ANDROID('4K Google TV Stick Build/RTT0; wv', 'Mobile '), 'desktop, Android, Chrome'],
  [ON_ANDROID('BRAVIA 4K UR2'), 'desktop, Android, Chrome'],
  [ON_ANDROID('AFTKA'), 'desktop, Android, Chrome'],
  [
    `Mozilla/5.0 (Linux; U; Android 9) ${KHTML} Chrome/84.0.4147.140 Safari/537.36 OPR/46.0 OMI/4.21 VIDAA/5.0(Hisense;SmartTV)`,
    'desktop, VIDAA, Opera',
  ],
  [
    `Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) ${KHTML} 76.0.3809.146/6.0 TV Safari/537.36`,
    'desktop, Tizen, Safari',
  ],
  [
    `Mozilla/5.0 (X11; Linux armv7l) ${KHTML} Chrome/90.0.4430.225 Safari/537.36 CrKey/1.56.500000`,
    'desktop, Linux, Chrome',
  ],
  [ON_ANDROID('RIVIERA F23', 'Mobile '), 'mobile, Android, Chrome'],
  // Consoles.
  [
    'Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/606.4 (KHTML, like Gecko) NF/6.0.1.15.4',
    'desktop, Nintendo, NetFront',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox Series X) ${KHTML} Chrome/120.0.0.0 Safari/537.36 Edge/44.18363.8131`,
    'desktop, Xbox, Edge',
  ],
  // Phones say Mobile, whatever their models are called.
  [ON_ANDROID('A204SO', 'Mobile '), 'mobile, Android, Chrome'],
  [ON_ANDROID('A301SH', 'Mobile '), 'mobile, Android, Chrome'],
  [ON_ANDROID('PLK110 Build/UKQ1; wv', 'Mobile '), 'mobile, Android, Chrome'],
  [ON_ANDROID('CUBOT X70', 'Mobile '), 'mobile, Android, Chrome'],
  [ON_ANDROID('TV 45', 'Mobile '), 'mobile, Android, Chrome'],
  // Tablets do not, but for some that are known by their names.
  [ON_ANDROID('moto tab g70 LTE'), 'tablet, Android, Chrome'],
  [ON_ANDROID('HTC A102'), 'tablet, Android, Chrome'],
  [ON_ANDROID('HMW-W09'), 'tablet, Android, Chrome'],
  [ON_ANDROID('Lenovo YB1-X90L'), 'tablet, Android, Chrome'],
  [ON_ANDROID('SM-T515', 'Mobile '), 'tablet, Android, Chrome'],
  [ON_ANDROID('SM-X200', 'Mobile '), 'tablet, Android, Chrome'],
  [ON_ANDROID('Redmi Pad', 'Mobile '), 'tablet, Android, Chrome'],
  [`${ANDROID} Chrome/141.0.0.0 Safari/537.36`, 'tablet, Android, Chrome'],
  // Computers, also with systems of phones.
  [
    'Mozilla/5.0 (PC; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 HuaweiBrowser/5.0.4.300',
    'desktop, HarmonyOS, Huawei Browser',
  ],
  [
    'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile HuaweiBrowser/5.0.4.300',
    'mobile, HarmonyOS, Huawei Browser',
  ],
  // Models that begin like systems.
  [ON_ANDROID('Winner8'), 'tablet, Android, Chrome'],
  [ON_ANDROID('DARWIN9', 'Mobile '), 'mobile, Android, Chrome'],
  [ON_ANDROID('S6001L', 'Mobile '), 'mobile, Android, Chrome'],
  // WebViews, and apps that show pages in themselves.
  [
    `Mozilla/5.0 (Linux; U; Android 8.1.0; en-us; K5 Build/OPM2) ${KHTML} Version/4.0 Chrome/69.0.3497.100 Mobile Safari/537.36`,
    'mobile, Android, Chrome',
  ],
  [
    'Mozilla/5.0 (Linux; U; Android 4.1.2; de-de; GT-I9100 Build/JZO54K) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
    'mobile, Android, Android Browser',
  ],
  [`${ON_ANDROID('K5', 'Mobile ')} SznProhlizec/10.6.6a`, 'mobile, Android, Seznam'],
  [`${ON_ANDROID('K5', 'Mobile ')} MZBrowser/8.20.1`, 'mobile, Android, Meizu Browser'],
  [`${ON_ANDROID('K5', 'Mobile ')} BingSapphire/22.0`, 'mobile, Android, Bing'],
  [`${ON_ANDROID('K5', 'Mobile ')} Barcelona 390.0.0.42.109 Android`, 'mobile, Android, Threads'],
  [`${ON_ANDROID('K5', 'Mobile ')} GSA/16.35.42`, 'mobile, Android, Google App'],
  [`${IPHONE} Mobile/15E148 TeamsMobile-iOS`, 'mobile, iOS, Teams'],
  [`${ON_ANDROID('K5', 'Mobile ')} YaSearchApp/24.40.1 YandexSearch/7.54`, 'mobile, Android, Yandex'],
  [`${IPHONE} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/465.0.1;FBDV/iPhone14,5]`, 'mobile, iOS, Messenger'],
  [`${IPHONE} Mobile/15E148 [LinkedInApp]/9.30.1`, 'mobile, iOS, LinkedIn'],
  [`${IPHONE} Mobile/15E148 Twitter for iPhone/10.10`, 'mobile, iOS, Twitter'],
  [`${IPHONE} Mobile/15E148 MicroMessenger/8.0.50(0x1800322f) NetType/WIFI`, 'mobile, iOS, WeChat'],
  [`${IPHONE} Mobile/15E148 Safari Line/14.5.0`, 'mobile, iOS, Line'],
  // Elder ones.
  [
    'Opera/9.80 (J2ME/MIDP; Opera Mini/9.80 (S60; SymbOS; Opera Mobi/23.348; U; en) Presto/2.5.25 Version/10.54',
    'mobile, Symbian, Opera Mini',
  ],
  [
    'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
    'mobile, KaiOS, Firefox',
  ],
];

export const PEOPLE: readonly string[] = [
  `Mozilla/5.0 (Linux; Android 14; Regal Google TV Build/UTT1; wv) ${KHTML} Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36`,
  `${ON_ANDROID('K5', 'Mobile ')} SogouMSE,SogouMobileBrowser/6.1.5`,
  `${ON_ANDROID('K5', 'Mobile ')} SogouSearch Android1.0 version3.0 AppVersion/5909`,
  ON_ANDROID('Discovery SE', 'Mobile '),
  ON_ANDROID('DISCOVERY_2_ME', 'Mobile '),
  ON_ANDROID('M bot 60', 'Mobile '),
  ON_ANDROID('XBot_Senior Build/NRD90M; wv', 'Mobile '),
  ON_ANDROID('VR BOT 552', 'Mobile '),
  ON_ANDROID('Capture+'),
  ON_ANDROID('AURII Virtuoso', 'Mobile '),
  ON_ANDROID('CUBOT X70', 'Mobile '),
  `${IPHONE} Mobile/21F90 [FBAN/FBPageAdmin;FBAV/465.0]`,
  `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1 (AirWatch Browser v24.06)`,
  `${ON_ANDROID('K5', 'Mobile ')}HiSearch/22.0`,
  'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)',
];
