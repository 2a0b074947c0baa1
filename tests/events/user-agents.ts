/** User-Agent texts as browsers, apps and crawlers send them, with what is read from each. */
import type { UserAgentDescription } from '../../src/events/user-agent.ts';

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

const desktop = (browser: string, os: string): UserAgentDescription => ({
  browser,
  os,
  deviceType: 'desktop',
  isBot: false,
});
const mobile = (browser: string, os: string): UserAgentDescription => ({
  browser,
  os,
  deviceType: 'mobile',
  isBot: false,
});
const tablet = (browser: string, os: string): UserAgentDescription => ({
  browser,
  os,
  deviceType: 'tablet',
  isBot: false,
});

export const BROWSERS: readonly UserAgentCase[] = [
  ['Chrome on Windows', `${WINDOWS} Chrome/131.0.0.0 Safari/537.36`, desktop('Chrome', 'Windows')],
  ['Chrome on macOS', `${MAC} ${KHTML} Chrome/131.0.0.0 Safari/537.36`, desktop('Chrome', 'macOS')],
  ['Chrome on Linux', `${LINUX} Chrome/131.0.0.0 Safari/537.36`, desktop('Chrome', 'Linux')],
  [
    'Chrome on Chrome OS',
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/131.0.0.0 Safari/537.36`,
    desktop('Chrome', 'Chrome OS'),
  ],
  ['Chrome on Android', `${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36`, mobile('Chrome', 'Android')],
  ['Chrome on an Android tablet', `${ANDROID} Chrome/131.0.0.0 Safari/537.36`, tablet('Chrome', 'Android')],
  ['Chrome on iOS', `${IPHONE} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`, mobile('Chrome', 'iOS')],
  ['Safari on iPhone', `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`, mobile('Safari', 'iOS')],
  ['Safari on iPad', `${IPAD} Version/16.6 Mobile/15E148 Safari/604.1`, tablet('Safari', 'iOS')],
  [
    'Safari on macOS, and on an iPad that asks for desktop pages',
    `${MAC} ${APPLE} Version/17.5 Safari/605.1.15`,
    desktop('Safari', 'macOS'),
  ],
  [
    'Firefox on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
    desktop('Firefox', 'Windows'),
  ],
  [
    'Firefox on Ubuntu',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
    desktop('Firefox', 'Linux'),
  ],
  [
    'Firefox on FreeBSD',
    'Mozilla/5.0 (X11; FreeBSD amd64; rv:128.0) Gecko/20100101 Firefox/128.0',
    desktop('Firefox', 'FreeBSD'),
  ],
  [
    'Firefox on Android',
    'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0',
    mobile('Firefox', 'Android'),
  ],
  [
    'Firefox on an Android tablet',
    'Mozilla/5.0 (Android 14; Tablet; rv:133.0) Gecko/133.0 Firefox/133.0',
    tablet('Firefox', 'Android'),
  ],
  ['Firefox on iOS', `${IPHONE} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`, mobile('Firefox', 'iOS')],
  ['Edge on Windows', `${WINDOWS} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`, desktop('Edge', 'Windows')],
  [
    'Edge on Android',
    `${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36 EdgA/131.0.0.0`,
    mobile('Edge', 'Android'),
  ],
  [
    'Edge on iOS',
    `${IPHONE} Version/17.5 EdgiOS/131.0.2903.92 Mobile/15E148 Safari/604.1`,
    mobile('Edge', 'iOS'),
  ],
  ['Opera', `${WINDOWS} Chrome/131.0.0.0 Safari/537.36 OPR/116.0.0.0`, desktop('Opera', 'Windows')],
  [
    'Opera on Android',
    `${ANDROID} Chrome/130.0.0.0 Mobile Safari/537.36 OPR/86.0.0.0`,
    mobile('Opera', 'Android'),
  ],
  [
    'Samsung Internet',
    `Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) ${KHTML} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
    mobile('Samsung Internet', 'Android'),
  ],
  ['Vivaldi', `${LINUX} Chrome/131.0.6778.33 Safari/537.36 Vivaldi/7.0.3495.6`, desktop('Vivaldi', 'Linux')],
  [
    'Yandex Browser',
    `${WINDOWS} Chrome/130.0.0.0 YaBrowser/24.12.0.0 Safari/537.36`,
    desktop('Yandex Browser', 'Windows'),
  ],
  [
    'DuckDuckGo on iOS',
    `${IPHONE} Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
    mobile('DuckDuckGo', 'iOS'),
  ],
  [
    'Mi Browser',
    `Mozilla/5.0 (Linux; U; Android 13; en-us; Redmi Note 10 Build/TKQ1) ${KHTML} Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.7.0-gn`,
    mobile('Mi Browser', 'Android'),
  ],
  [
    'Huawei Browser on HarmonyOS',
    `Mozilla/5.0 (Linux; Android 14; HarmonyOS; ALN-AL00; HMSCore 6.14.0.302) ${KHTML} Chrome/114.0.5735.196 HuaweiBrowser/15.0.8.300 Mobile Safari/537.36`,
    mobile('Huawei Browser', 'HarmonyOS'),
  ],
  [
    'Amazon Silk',
    `Mozilla/5.0 (Linux; Android 9; KFMAWI) ${KHTML} Silk/120.4.1 like Chrome/120.0.6099.230 Safari/537.36`,
    tablet('Amazon Silk', 'Android'),
  ],
  [
    'Internet Explorer 11',
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    desktop('Internet Explorer', 'Windows'),
  ],
  [
    'the WebView of an Android app',
    `${GALAXY} ${KHTML} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36`,
    mobile('Chrome', 'Android'),
  ],
  ['the WebView of an iOS app', `${IPHONE} Mobile/15E148`, mobile('Safari', 'iOS')],
  [
    'the Google app on iOS',
    `${IPHONE} GSA/320.0.639238337 Mobile/15E148 Safari/604.1`,
    mobile('Google App', 'iOS'),
  ],
  [
    'Facebook on iOS',
    `${IPHONE} Mobile/21F90 [FBAN/FBIOS;FBAV/465.0.1.41.103;FBBV/602060281;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.5.1;FBSS/3;FBID/phone;FBLC/en_US;FBOP/5]`,
    mobile('Facebook', 'iOS'),
  ],
  [
    'Facebook on Android',
    `${GALAXY} ${KHTML} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/490.0.0.63.82;]`,
    mobile('Facebook', 'Android'),
  ],
  [
    'Instagram on iOS',
    `${IPHONE} Mobile/21F90 Instagram 334.0.4.32.98 (iPhone14,5; iOS 17_5_1; en_US; en; scale=3.00; 1170x2532; 606080443)`,
    mobile('Instagram', 'iOS'),
  ],
  [
    'Instagram on Android',
    `${GALAXY} ${KHTML} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 Instagram 340.0.0.22.109 Android (34/14; 480dpi; 1080x2115; samsung; SM-S918B; dm3q; qcom; en_US; 619461234)`,
    mobile('Instagram', 'Android'),
  ],
  [
    'a television',
    `Mozilla/5.0 (Web0S; Linux/SmartTV) ${KHTML} Chrome/94.0.4606.128 Safari/537.36 WebAppManager`,
    desktop('Chrome', 'webOS'),
  ],
  [
    'a console',
    `Mozilla/5.0 (PlayStation; PlayStation 5/2.26) ${APPLE} Version/13.0 Safari/605.1.15`,
    desktop('Safari', 'PlayStation'),
  ],
  [
    'a headset',
    `Mozilla/5.0 (Linux; Android 10; Quest 3) ${KHTML} OculusBrowser/36.2.0.9 Chrome/130.0.6723.116 VR Safari/537.36`,
    mobile('Meta Quest Browser', 'Android'),
  ],
];

export const BOTS: readonly UserAgentCase[] = [
  ['Googlebot', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', { isBot: true }],
  [
    'Googlebot for phones',
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${KHTML} Chrome/131.0.6778.69 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    { browser: 'Chrome', os: 'Android', deviceType: 'mobile', isBot: true },
  ],
  [
    'GPTBot',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    { isBot: true },
  ],
  [
    'ClaudeBot',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    { isBot: true },
  ],
  [
    'bingbot',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36',
    { browser: 'Chrome', isBot: true },
  ],
  [
    'headless Chrome',
    `${LINUX} HeadlessChrome/131.0.6778.33 Safari/537.36`,
    { browser: 'Chrome', os: 'Linux', deviceType: 'desktop', isBot: true },
  ],
  ['curl', 'curl/8.5.0', { isBot: true }],
  ['python-requests', 'python-requests/2.31.0', { isBot: true }],
  ['the Go standard library', 'Go-http-client/2.0', { isBot: true }],
  ['Bun', 'Bun/1.4.5', { isBot: true }],
];
