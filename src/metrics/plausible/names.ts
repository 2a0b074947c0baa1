/** Tables from our values to the texts that Plausible uses for them. */

/**
 * Maps a value to its texts: the first is displayed, all are accepted in filters. A value without an entry is its own text.
 */
export type Names = ReadonlyMap<string, readonly string[]>;

export function toNames(table: Record<string, string | readonly string[]>): Names {
  return new Map(
    Object.entries(table).map(([value, texts]) => [value, typeof texts === 'string' ? [texts] : texts]),
  );
}

const DEVICES: Record<string, string> = { desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet' };

/** Text for in-app browsers, which we record by the app's name. */
const APP = 'Mobile App';

const BROWSERS: Record<string, string> = {
  Edge: 'Microsoft Edge',
  'Samsung Internet': 'Samsung Browser',
  'Opera Mini': 'Opera',
  'Amazon Silk': 'Mobile Silk',
  DuckDuckGo: 'DuckDuckGo Privacy Browser',
  'Mi Browser': 'MIUI Browser',
  'Vivo Browser': 'vivo Browser',
  'Meta Quest Browser': 'Oculus Browser',
  'HeyTap Browser': 'HeyTapBrowser',
  Whale: 'Whale Browser',
  Baidu: 'Baidu Browser',
  'Sogou Mobile': 'Sogou Mobile Browser',
  'Google App': APP,
  Alipay: APP,
  Daum: APP,
  Facebook: APP,
  Instagram: APP,
  KakaoStory: APP,
  KakaoTalk: APP,
  Klarna: APP,
  Line: APP,
  LinkedIn: APP,
  Naver: APP,
  Snapchat: APP,
  TikTok: APP,
  Twitter: APP,
  WeChat: APP,
  Weibo: APP,
};

const SYSTEMS: Record<string, string> = {
  macOS: 'Mac',
  Linux: 'GNU/Linux',
  BlackBerry: 'BlackBerry OS',
  Symbian: 'Symbian OS',
};

export const DEVICE_NAMES = toNames(DEVICES);
export const BROWSER_NAMES = toNames(BROWSERS);
export const SYSTEM_NAMES = toNames(SYSTEMS);
